import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { cleanText, IdParams, Line, Moment, Text } from './fields.ts'
import { everyone } from './roles.ts'

/** What a rejection counts under whose reason was not told, or is not in the list. */
export const NO_REASON = 'sin_motivo'

/** Why leads are rejected: a closed list. */
export const RejectReason = z.object({
  code: z.string(),
  label: z.string(),
  group_label: z.string(),
  /** What an affiliate can do about it; may be empty. */
  advice: z.string(),
  /** About the finances of a person: of such a rejection an affiliate reads the group alone, and an advice common to all. */
  is_financial: z.boolean(),
})
export type RejectReason = z.infer<typeof RejectReason>

/** The rejection of a lead that stands. */
export const Rejection = z.object({
  at: Moment,
  /** Null for an affiliate where it would tell about a person's finances. */
  code: z.string().nullable(),
  label: z.string(),
  advice: z.string(),
})
export type Rejection = z.infer<typeof Rejection>

/** That somebody took the rejections of a lead back: an issuer reads why, its affiliate does not, and who only each side's own. */
export const Ruling = z.object({
  id: z.number().int(),
  created_at: Moment,
  author_name: z.string().nullable(),
  note: z.string().nullable(),
})
export type Ruling = z.infer<typeof Ruling>

/** A rejection is an event of a step, and the issuer's people cannot add one. */
export const NO_REJECT_STEP =
  'El producto no tiene un paso de tipo rechazado. Quien administra la red puede agregarlo en Eventos.'
export const REASON_REQUIRED = 'Selecciona un motivo de rechazo'
export const NOTE_LENGTH = 'Explica por qué (de 10 a 500 caracteres)'
export const NOTE_MAX = 500
const Note = z.string(NOTE_LENGTH).transform((text) => cleanText(text).trim())

export const RejectForm = z.object({
  reason_code: z.string(REASON_REQUIRED).min(1, REASON_REQUIRED),
  note: Note.pipe(z.string().max(NOTE_MAX, `No puede exceder ${NOTE_MAX} caracteres`)).optional(),
})
export type RejectForm = z.infer<typeof RejectForm>

/** Why somebody decided something about money. */
export const Reason = Note.pipe(z.string().min(10, NOTE_LENGTH).max(NOTE_MAX, NOTE_LENGTH))

export const RestoreForm = z.object({ note: Reason })
export type RestoreForm = z.infer<typeof RestoreForm>

/** As the administrator sees it, archived ones too. */
export const ListedReason = RejectReason.extend({ archived_at: Moment.nullable() })
export type ListedReason = z.infer<typeof ListedReason>

export const REASON_EXISTS = 'Ya hay un motivo con ese código'
const CODE = 'De 2 a 40 letras minúsculas o guiones bajos, empezando por letra'
const Label = (max: number, required: string) =>
  Line.pipe(z.string(required).min(1, required).max(max, `No puede exceder ${max} caracteres`))

export const ReasonCreate = z.object({
  /** What systems send; it never changes. */
  code: Text.pipe(z.string().regex(/^[a-z][a-z_]{1,39}$/, CODE)),
  label: Label(80, 'El motivo es requerido'),
  group_label: Label(80, 'El grupo es requerido'),
  advice: Text.pipe(z.string().max(200, 'No puede exceder 200 caracteres')).default(''),
  is_financial: z.boolean().default(false),
})
export type ReasonCreate = z.infer<typeof ReasonCreate>

export const ReasonArchive = z.object({ code: z.string().max(40), archived: z.boolean() })
export type ReasonArchive = z.infer<typeof ReasonArchive>

const writers = ['admin', 'issuer'] as const

export const rulings = {
  reasons: endpoint({
    method: 'GET',
    path: '/api/v1/reject-reasons/',
    access: everyone,
    byKey: 'leads',
    summary: 'Los motivos de rechazo, una lista cerrada: sus códigos no cambian',
    response: z.array(RejectReason),
  }),
  allReasons: endpoint({
    method: 'GET',
    path: '/api/v1/reject-reasons/all/',
    access: ['admin'],
    summary: 'Los motivos de rechazo, también los archivados',
    response: z.array(ListedReason),
  }),
  createReason: endpoint({
    method: 'POST',
    path: '/api/v1/reject-reasons/',
    access: ['admin'],
    summary: 'Agregar un motivo de rechazo',
    body: ReasonCreate,
    response: ListedReason,
    status: 201,
    message: 'Motivo creado exitosamente',
  }),
  archiveReason: endpoint({
    method: 'POST',
    path: '/api/v1/reject-reasons/archive/',
    access: ['admin'],
    summary: 'Archivar un motivo, que deja de ofrecerse, o recuperarlo; lo ya rechazado lo conserva',
    body: ReasonArchive,
    response: ListedReason,
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/v1/leads/:id/reject/',
    access: writers,
    summary: 'Rechazar un lead con su motivo: un evento más, que revierte sus comisiones',
    params: IdParams,
    body: RejectForm,
    message: 'Lead rechazado exitosamente',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/leads/:id/restore/',
    access: writers,
    summary: 'Reactivar un lead rechazado: sus comisiones vuelven a valer',
    params: IdParams,
    body: RestoreForm,
    message: 'Lead reactivado exitosamente',
  }),
}

import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Text } from './fields.ts'
import { LooseData } from './leads.ts'
import { PARAM_LIMIT } from './tracking.ts'

/** More leads of one reference than anybody could go through; the rest follow once these are erased. */
export const FOUND_LIMIT = 100

/** Why it is done, for the trail, which outlives what is erased: no name, no reference of the person. */
const Grounds = {
  folio: Text.pipe(z.string().min(1, 'Indica el folio de la solicitud').max(50, 'No puede exceder 50 caracteres')),
  reason: Text.pipe(
    z.string().min(5, 'Indica el motivo en al menos 5 caracteres').max(200, 'No puede exceder 200 caracteres'),
  ),
}
export const PrivacyGrounds = z.object(Grounds)
export type PrivacyGrounds = z.infer<typeof PrivacyGrounds>

export const PrivacySearch = z.object({
  text: Text.pipe(
    z
      .string()
      .min(1, 'Escribe un tracking ID o una referencia')
      .max(PARAM_LIMIT, `No puede exceder ${PARAM_LIMIT} caracteres`),
  ),
})
export type PrivacySearch = z.infer<typeof PrivacySearch>

const origin = {
  external_id: z.string(),
  utm_source: z.string(),
  utm_medium: z.string(),
  utm_campaign: z.string(),
  utm_term: z.string(),
  utm_content: z.string(),
}

export const FoundLead = z.object({
  id: Id,
  tracking_id: z.string(),
  ...origin,
  created_at: Moment,
  issuer_name: z.string(),
  affiliate_name: z.string(),
  product_name: z.string(),
})
export type FoundLead = z.infer<typeof FoundLead>

/** Everything that is held of who clicked: the lead, what its issuer told, also in files, what was not stored as an event, and what others were told. */
export const PrivacyFile = z.object({
  lead: FoundLead.extend({ lead_data: LooseData.nullable() }),
  events: z.array(
    z.object({
      id: Id,
      step_name: z.string(),
      event_type_name: z.string(),
      source: z.string(),
      event_id: z.string().nullable(),
      occurred_at: Moment.nullable(),
      created_at: Moment,
      event_data: LooseData.nullable(),
    }),
  ),
  receipts: z.array(
    z.object({
      id: Id,
      code: z.string(),
      event_id: z.string().nullable(),
      step: z.string().nullable(),
      source: z.string(),
      created_at: Moment,
    }),
  ),
  rejected: z.array(
    z.object({ id: Id, code: z.string(), body: z.record(z.string(), z.unknown()), created_at: Moment }),
  ),
  /** By the names of their columns. */
  file_rows: z.array(
    z.object({
      import: Id,
      file_name: z.string(),
      row_no: z.number().int(),
      created_at: Moment,
      cells: z.record(z.string(), z.string()),
    }),
  ),
  /** What receivers were told, while it is kept; of addresses, only what was filled in. */
  deliveries: z.array(
    z.object({
      receiver: z.string(),
      at: Moment,
      request_url: z.string(),
      request_body: z.string().nullable(),
      answer: z.string().nullable(),
    }),
  ),
})
export type PrivacyFile = z.infer<typeof PrivacyFile>

const Corrected = Text.pipe(z.string().max(PARAM_LIMIT, `No puede exceder ${PARAM_LIMIT} caracteres`)).optional()
const corrections = {
  external_id: Corrected,
  utm_source: Corrected,
  utm_medium: Corrected,
  utm_campaign: Corrected,
  utm_term: Corrected,
  utm_content: Corrected,
}
export const PrivacyCorrection = z
  .object({ ...Grounds, ...corrections, id: Id.optional() })
  .refine(
    (body) => Object.keys(corrections).some((name) => body[name as keyof typeof corrections] !== undefined),
    'Indica al menos un dato que corregir',
  )
export type PrivacyCorrection = z.infer<typeof PrivacyCorrection>

export const Erased = z.object({
  events: z.number().int(),
  receipts: z.number().int(),
  rejected: z.number().int(),
  /** Rows of files whose texts were erased. */
  file_rows: z.number().int(),
  /** Attempts of deliveries of which what was sent and answered was erased. */
  deliveries: z.number().int(),
  /** Events whose `event_id`, which stays so that none is counted twice, seems to tell who the person is. */
  identifying_ids: z.number().int(),
})
export type Erased = z.infer<typeof Erased>

const base = '/api/v1/privacy/'
const ofLead = `${base}leads/:id/`

/** Requests of persons for their data (ARCO). By POST, so that no reference of a person stands in an address. */
export const privacy = {
  search: endpoint({
    method: 'POST',
    path: `${base}search/`,
    access: ['admin'],
    summary: 'Leads de una persona: por tracking ID, por la referencia del afiliado o por la del emisor, exactas',
    body: PrivacySearch,
    response: z.array(FoundLead),
  }),
  open: endpoint({
    elevated: true,
    method: 'POST',
    path: `${ofLead}file/`,
    access: ['admin'],
    summary: 'Acceso: todo lo que se guarda de quien hizo el clic; queda en la bitácora',
    params: IdParams,
    body: PrivacyGrounds,
    response: PrivacyFile,
  }),
  correct: endpoint({
    elevated: true,
    method: 'PUT',
    path: ofLead,
    access: ['admin'],
    summary: 'Rectificación: corregir de dónde vino un lead; la bitácora dice qué campos, no sus valores',
    params: IdParams,
    body: PrivacyCorrection,
    response: z.null(),
    message: 'Datos rectificados',
  }),
  erase: endpoint({
    elevated: true,
    method: 'POST',
    path: `${ofLead}erase/`,
    access: ['admin'],
    summary:
      'Cancelación: suprimir los datos de quien hizo el clic; quedan identificadores, fechas, importes y cuentas',
    params: IdParams,
    body: PrivacyGrounds,
    response: Erased,
    message: 'Datos suprimidos',
  }),
}

// Longer than other files: the life of a file is one table of calls.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Money, PageNumber, PageSize, Pagination, QueryId } from './fields.ts'
import { ImportMapping } from './import-mapping.ts'
import { ImportRemark, ImportRemarkCount, remarked } from './import-remarks.ts'
import { UndoOutcome } from './import-undo.ts'
import { Reason } from './rulings.ts'

/** Where a file is on its way; those that end in -ing are worked on by the server, which goes on after a stop. */
export const ImportStatus = z.enum([
  ...(['received', 'simulating', 'simulated', 'applying', 'applied', 'previewing', 'undoing', 'undone'] as const),
])
export type ImportStatus = z.infer<typeof ImportStatus>
export const importStatusLabels: Record<ImportStatus, string> = {
  received: 'Recibida',
  simulating: 'Simulándose',
  simulated: 'Simulada',
  applying: 'Aplicándose',
  applied: 'Aplicada',
  previewing: 'Calculándose cómo deshacerla',
  undoing: 'Deshaciéndose',
  undone: 'Deshecha',
}
export const isWorking = (status: ImportStatus): boolean => status.endsWith('ing')

/** What would come of a row. */
export const ImportOutcome = z.enum([
  ...(['approve', 'record', 'reject', 'reject_paid', 'restore'] as const),
  ...(['stays_rejected', 'unchanged', 'not_found', 'conflict', 'repeated', 'invalid', 'no_step', 'ignored'] as const),
])
export type ImportOutcome = z.infer<typeof ImportOutcome>
export const importOutcomeLabels: Record<ImportOutcome, string> = {
  approve: 'Se aprobará',
  record: 'Se registrará el paso',
  reject: 'Se rechazará',
  reject_paid: 'Se rechazará: ya pagado, generará cargo',
  restore: 'Rechazado antes: se reactivará',
  stays_rejected: 'Rechazado antes: se queda así',
  unchanged: 'Sin cambio',
  not_found: 'No encontrado',
  conflict: 'Conflicto',
  repeated: 'Repetido en el archivo',
  invalid: 'Renglón no válido',
  no_step: 'El producto no tiene ese paso',
  ignored: 'Se ignora',
}
/** The outcomes that change something. */
export const changingOutcomes = ['approve', 'record', 'reject', 'reject_paid', 'restore'] as const
export const changes = (outcome: ImportOutcome): boolean => (changingOutcomes as readonly string[]).includes(outcome)
type Changing = (typeof changingOutcomes)[number]

/** What came of a row that was to change something. */
export const ImportResult = z.enum(['applied', 'changed'])
export type ImportResult = z.infer<typeof ImportResult>
export const importResultLabels: Record<ImportResult, string> = {
  applied: 'Aplicado',
  changed: 'Cambió desde la simulación',
}

const appliedLabels: Record<Changing, string> = {
  approve: 'Se aprobó',
  record: 'Se registró el paso',
  reject: 'Se rechazó',
  reject_paid: 'Se rechazó: ya pagado, generó cargo',
  restore: 'Rechazado antes: se reactivó',
}
const leftOutLabels: Record<Changing, string> = {
  approve: 'No se aprobó',
  record: 'No se registró el paso',
  reject: 'No se rechazó',
  reject_paid: 'No se rechazó: ya pagado',
  restore: 'Rechazado antes: no se reactivó',
}

/** The verdict on a row: what would come of it, or what did once its file was applied. */
export function outcomeLabel(outcome: ImportOutcome, result: ImportResult | null): string {
  const labels = { ...importOutcomeLabels, ...(result && (result === 'applied' ? appliedLabels : leftOutLabels)) }
  return labels[outcome]
}

export const ImportCount = z.object({
  outcome: ImportOutcome,
  rows: z.number().int(),
  amount: Money,
  /** Of what rejected leads lose, the part that was paid: it is deducted from a payment to come. */
  charge: Money,
})
export type ImportCount = z.infer<typeof ImportCount>

export const Import = z.object({
  id: Id,
  issuer_id: Id,
  issuer_name: z.string(),
  file_name: z.string(),
  status: ImportStatus,
  format: z.enum(['csv', 'xlsx']),
  bytes: z.number().int(),
  sha256: z.string(),
  charset: z.string().nullable(),
  /** Of a file of Excel: the sheet that was read, and those that people see. */
  sheet: z.string().nullable(),
  sheets: z.array(z.string()),
  /** The row of the names of its columns, as a spreadsheet counts; 0: it has none, and they are numbered. */
  header_row: z.number().int(),
  rows: z.number().int(),
  /** Of the work that its status names, from 0 to 1. */
  progress: z.number(),
  /** What the simulation found. */
  outcomes: z.array(ImportCount),
  /** Rows whose amount or date is not what is known here. */
  remarks: z.array(ImportRemarkCount),
  /** What came of it. */
  results: z.array(z.object({ result: ImportResult, rows: z.number().int(), amount: Money })),
  /** What undoing it would move, or moved. */
  undo: z.array(z.object({ undo: UndoOutcome, rows: z.number().int(), amount: Money })),
  created_at: Moment,
  /** Null for an issuer where it was an administrator, as in the two below. */
  created_by_name: z.string().nullable(),
  simulated_at: Moment.nullable(),
  applied_at: Moment.nullable(),
  applied_by_name: z.string().nullable(),
  previewed_at: Moment.nullable(),
  /** Until when it can be undone. */
  undo_until: Moment.nullable(),
  undone_at: Moment.nullable(),
  undone_by_name: z.string().nullable(),
  undo_reason: z.string().nullable(),
})
export type Import = z.infer<typeof Import>

export const ImportDetail = Import.extend({
  header: z.array(z.string()),
  /** Its first rows, to see what the columns hold. */
  sample: z.array(z.array(z.string())),
  mapping: ImportMapping.nullable(),
  /** Of the last file of this issuer with the same header, while this one has none. */
  remembered: ImportMapping.nullable(),
})
export type ImportDetail = z.infer<typeof ImportDetail>

export const ImportRow = z.object({
  row_no: z.number().int(),
  cells: z.array(z.string()),
  lead_id: Id.nullable(),
  outcome: ImportOutcome.nullable(),
  expected: Money,
  result: ImportResult.nullable(),
  ...remarked,
})
export type ImportRow = z.infer<typeof ImportRow>

const paging = { page: PageNumber.default(1), page_size: PageSize.default(50) }
export const ImportRowFilters = z.object({
  outcome: ImportOutcome.optional(),
  result: ImportResult.optional(),
  remark: ImportRemark.optional(),
})
export type ImportRowFilters = z.infer<typeof ImportRowFilters>

const UPLOAD_TYPES = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
] as const

export const UPLOAD_RUNNING = 'Ya se está recibiendo otro archivo de este emisor. Espera a que termine.'
export const WAITING_MAX = 20
export const TOO_MANY_WAITING = `Este emisor ya tiene ${WAITING_MAX} archivos sin aplicar. Aplica o descarta alguno e inténtalo en unos minutos.`
export const CHOOSE_SHEET = 'El archivo tiene varias hojas. Elige cuál se lee'
/** As far down as the header of a file may be chosen. */
export const HEADER_ROW_MAX = 50
export const NOT_SIMULATED = 'Primero simula la conciliación'
export const STALE = 'La simulación cambió. Revísala de nuevo.'

const HEADER_ROW = `El renglón del encabezado va del 1 al ${HEADER_ROW_MAX}; 0 si no hay`

const path = '/api/v1/imports/'
const access = ['admin', 'issuer'] as const

export const imports = {
  list: endpoint({
    method: 'GET',
    path,
    access,
    summary: 'Conciliaciones, la más reciente primero',
    query: z.object({ issuer_id: QueryId.optional(), ...paging }),
    response: z.object({ results: z.array(Import), pagination: Pagination }),
  }),
  create: endpoint({
    method: 'POST',
    path,
    access,
    summary: 'Subir el archivo CSV o de Excel que dice qué pasó con los leads; el cuerpo es el archivo',
    query: z.object({
      /** An administrator names whose leads they are. */
      issuer_id: QueryId.optional(),
      name: z
        .string('Falta el nombre del archivo')
        .trim()
        .min(1, 'Falta el nombre del archivo')
        .max(255, 'El nombre del archivo es demasiado largo'),
      /** Of a file of Excel with several. */
      sheet: z.string().max(255, 'El nombre de la hoja es demasiado largo').optional(),
      /** Where the names of the columns are, as a spreadsheet counts; 0: nowhere. Left out, it is looked for. */
      header_row: z
        .string()
        .regex(/^\d{1,2}$/, HEADER_ROW)
        .transform(Number)
        .refine((row) => row <= HEADER_ROW_MAX, HEADER_ROW)
        .optional(),
    }),
    upload: UPLOAD_TYPES,
    response: ImportDetail,
    status: 201,
    message: 'Archivo recibido',
  }),
  get: endpoint({
    method: 'GET',
    path: `${path}:id/`,
    access,
    summary: 'Una conciliación, con sus columnas, sus primeros renglones y lo que la simulación encontró',
    params: IdParams,
    response: ImportDetail,
  }),
  values: endpoint({
    method: 'GET',
    path: `${path}:id/values/`,
    access,
    summary: 'Los valores distintos de una columna del archivo, con sus renglones',
    params: IdParams,
    query: z.object({
      column: z
        .string()
        .regex(/^\d{1,2}$/, 'Columna no válida')
        .transform(Number)
        .default(0),
    }),
    response: z.array(z.object({ value: z.string(), rows: z.number().int() })),
  }),
  rows: endpoint({
    method: 'GET',
    path: `${path}:id/rows/`,
    access,
    summary: 'Los renglones de una conciliación con su veredicto, una página',
    params: IdParams,
    query: ImportRowFilters.extend(paging),
    response: z.object({ results: z.array(ImportRow), pagination: Pagination }),
  }),
  map: endpoint({
    method: 'PUT',
    path: `${path}:id/mapping/`,
    access,
    summary: 'Decir qué significan las columnas y los valores del archivo; se recuerda para el siguiente',
    params: IdParams,
    body: ImportMapping,
    bodyLimit: 1024 * 1024,
    response: ImportDetail,
    message: 'Columnas guardadas',
  }),
  simulate: endpoint({
    method: 'POST',
    path: `${path}:id/simulate/`,
    access,
    summary:
      'Simular: qué pasaría con cada renglón, cuántos pesos mueve y qué montos o fechas no coinciden; no cambia nada',
    params: IdParams,
    response: ImportDetail,
    status: 202,
  }),
  apply: endpoint({
    method: 'POST',
    path: `${path}:id/apply/`,
    access,
    summary: 'Aplicar lo que la simulación mostró; un renglón que ya no coincide se deja fuera',
    params: IdParams,
    body: z.object({ simulated_at: Moment }),
    response: ImportDetail,
    status: 202,
  }),
  previewUndo: endpoint({
    method: 'POST',
    path: `${path}:id/undo-preview/`,
    access,
    summary: 'Calcular qué movería deshacer una conciliación; no cambia nada',
    params: IdParams,
    response: ImportDetail,
    status: 202,
  }),
  undo: endpoint({
    method: 'POST',
    path: `${path}:id/undo/`,
    access,
    summary: 'Deshacer una conciliación: sus eventos se anulan; lo que ya se pagó se compensa en el siguiente pago',
    params: IdParams,
    body: z.object({ reason: Reason, previewed_at: Moment }),
    response: ImportDetail,
    status: 202,
  }),
  discard: endpoint({
    method: 'POST',
    path: `${path}:id/discard/`,
    access,
    summary: 'Descartar un archivo que no se ha aplicado, con sus renglones',
    params: IdParams,
    message: 'Archivo descartado',
  }),
}

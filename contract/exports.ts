import { z } from 'zod'
import { ChosenIds } from './bulk.ts'
import { EntryFilters } from './commission-entries.ts'
import { CommissionFilters } from './commissions.ts'
import { CompanyFilters } from './companies.ts'
import { endpoint } from './endpoint.ts'
import { EventStepFilters } from './event-steps.ts'
import { IdParams } from './fields.ts'
import { ImportRowFilters } from './imports.ts'
import { LeadFilters } from './leads.ts'
import { PaymentFilters } from './payments.ts'
import { ProductFilters } from './products.ts'
import { RelationshipFilters } from './relationships.ts'
import { dated } from './report-filters.ts'
import { resultFilters } from './results.ts'
import { everyone } from './roles.ts'
import { UserFilters } from './users.ts'

export const ExportFormat = z.enum(['csv', 'xlsx'], 'Formato no válido')
export type ExportFormat = z.infer<typeof ExportFormat>

export const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>

export const EXPORT_RUNNING = 'Ya tienes una exportación en curso. Espera a que termine o cancélala.'
export const COMPANY_EXPORT_RUNNING = 'Tu empresa ya tiene una exportación en curso. Espera a que termine.'

/** Tax is nobody's business here: what is exported is what was earned (mexico 4.3). */
export const BEFORE_TAXES = 'Montos antes de IVA y retenciones'

const format = { format: ExportFormat.default('csv') }
/** Only these rows of what the filters leave. */
const ids = ChosenIds.optional()
const unpaged = { page: true, page_size: true } as const
const unpagedList = { ...unpaged, offset: true } as const
const file = Object.values(mediaTypes)

/** What the screens narrow by beyond what the lists themselves take. */
const PaymentExport = PaymentFilters.omit(unpagedList).extend({
  ...format,
  ids,
  year: z
    .string()
    .regex(/^\d{4}$/, 'Año no válido')
    .optional(),
  month: z
    .string()
    .regex(/^(0[1-9]|1[0-2])$/, 'Mes no válido')
    .optional(),
})
export type PaymentExport = z.infer<typeof PaymentExport>

const CompanyExport = CompanyFilters.omit(unpagedList).extend({ ...format, ids })

const EventStepExport = EventStepFilters.extend({ ...format, ids, search: z.string().max(255).optional() })
export type EventStepExport = z.infer<typeof EventStepExport>

const ResultExport = dated(z.object({ ...resultFilters, ...format }))
export type ResultExport = z.infer<typeof ResultExport>

const path = (noun: string) => `/api/v1/exports/${noun}/`
const summaryOf = (nouns: string) => `${nouns}, como archivo CSV o de Excel; las mismas filas que su lista`

/** A list as a file: the filters of the list without its pages, and the rows that the caller may see. */
export const exports = {
  leads: endpoint({
    method: 'GET',
    path: path('leads'),
    access: everyone,
    byKey: 'leads',
    summary: summaryOf('Leads'),
    query: LeadFilters.omit(unpaged).extend({ ...format, ids }),
    file,
  }),
  payments: endpoint({
    method: 'GET',
    path: path('payments'),
    access: everyone,
    byKey: 'money',
    summary: summaryOf('Pagos'),
    query: PaymentExport,
    file,
  }),
  paymentEntries: endpoint({
    method: 'GET',
    path: `${path('payments')}:id/entries/`,
    access: everyone,
    byKey: 'money',
    summary: summaryOf('Comisiones que respaldan un pago'),
    params: IdParams,
    query: z.object(format),
    file,
  }),
  commissionEntries: endpoint({
    method: 'GET',
    path: path('commission-entries'),
    access: ['affiliate'],
    byKey: 'money',
    summary: summaryOf('Comisiones propias'),
    query: EntryFilters.extend(format),
    file,
  }),
  affiliates: endpoint({
    method: 'GET',
    path: path('affiliates'),
    access: ['admin', 'issuer'],
    summary: summaryOf('Afiliados'),
    query: CompanyExport,
    file,
  }),
  issuers: endpoint({
    method: 'GET',
    path: path('issuers'),
    access: ['admin', 'affiliate'],
    summary: summaryOf('Emisores'),
    query: CompanyExport,
    file,
  }),
  users: endpoint({
    method: 'GET',
    path: path('users'),
    access: ['admin'],
    summary: summaryOf('Usuarios'),
    query: UserFilters.omit(unpagedList).extend({ ...format, ids }),
    file,
  }),
  relationships: endpoint({
    method: 'GET',
    path: path('relationships'),
    access: everyone,
    byKey: 'rest',
    summary: summaryOf('Relaciones'),
    query: RelationshipFilters.omit(unpagedList).extend({ ...format, ids }),
    file,
  }),
  products: endpoint({
    method: 'GET',
    path: path('products'),
    access: everyone,
    byKey: 'rest',
    summary: summaryOf('Productos'),
    query: ProductFilters.omit(unpagedList).extend({ ...format, ids }),
    file,
  }),
  eventSteps: endpoint({
    method: 'GET',
    path: path('event-steps'),
    access: everyone,
    byKey: 'rest',
    summary: summaryOf('Pasos de los flujos'),
    query: EventStepExport,
    file,
  }),
  commissions: endpoint({
    method: 'GET',
    path: path('commissions'),
    access: ['admin', 'issuer'],
    byKey: 'rest',
    summary: summaryOf('Comisiones configuradas'),
    query: CommissionFilters.omit(unpagedList).extend({ ...format, ids }),
    file,
  }),
  importRows: endpoint({
    method: 'GET',
    path: `${path('imports')}:id/rows/`,
    access: ['admin', 'issuer'],
    byKey: 'rest',
    summary: summaryOf('Renglones de una conciliación con su veredicto'),
    params: IdParams,
    query: ImportRowFilters.extend(format),
    file,
  }),
  results: endpoint({
    method: 'GET',
    path: path('results'),
    access: everyone,
    byKey: 'leads',
    summary: summaryOf('Resultados'),
    query: ResultExport,
    file,
  }),
}

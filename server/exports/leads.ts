import { type LeadFilters, leadStateLabels, utmFields } from '#contract/leads.ts'
import type { Tx } from '#db/connect.ts'
import { filteredLeads } from '../leads/queries.ts'
import type { Reader } from '../viewer.ts'
import { type Column, moment, money, number, text } from './cells.ts'
import { type Chosen, isChosen } from './chosen.ts'
import type { Sheet } from './export.ts'
import { amountHead } from './payments.ts'

type Filters = Omit<LeadFilters, 'page' | 'page_size'> & Chosen

function rowsOf(tx: Tx, viewer: Reader, filters: Filters) {
  return filteredLeads(tx, viewer, { ...filters, page: 1, page_size: 1 })
    .where(isChosen('lead.id', filters))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('lead_event')
          .whereRef('lead_event.lead_id', '=', 'lead.id')
          .where('lead_event.is_voided', '=', false)
          .select(['lead_event.step_name', 'lead_event.event_type_name', 'lead_event.created_at'])
          .orderBy('lead_event.created_at', 'desc')
          .orderBy('lead_event.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['last.step_name as last_step', 'last.event_type_name as last_type', 'last.created_at as last_at'])
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

/** An affiliate gets the lead's progress, but no data of others (security 2.5). */
const columnsFor = ({ role }: Reader): Column<Row>[] => [
  number('ID', (lead) => lead.id),
  text('Tracking ID', (lead) => lead.tracking_id),
  text('External ID', (lead) => lead.external_id),
  moment('Fecha', (lead) => lead.created_at),
  ...(role === 'issuer' ? [] : [text<Row>('Emisor', (lead) => lead.issuer_name)]),
  ...(role === 'affiliate' ? [] : [text<Row>('Afiliado', (lead) => lead.affiliate_name)]),
  text('Producto', (lead) => lead.product_name),
  text('UTM Source', (lead) => lead.utm_source),
  text('UTM Medium', (lead) => lead.utm_medium),
  text('UTM Campaign', (lead) => lead.utm_campaign),
  text('UTM Term', (lead) => lead.utm_term),
  text('UTM Content', (lead) => lead.utm_content),
  text('Último evento', (lead) => lead.last_step),
  text('Tipo de evento', (lead) => lead.last_type),
  moment('Fecha del último evento', (lead) => lead.last_at),
  ...(role === 'affiliate' ? [] : [text<Row>('Datos del lead', (lead) => asText(lead.lead_data))]),
  text('Estado', (lead) => leadStateLabels[lead.state]),
  money(amountHead('Monto'), (lead) => lead.amount),
]

const asText = (data: unknown): string | null =>
  data === null || typeof data === 'string' ? data : JSON.stringify(data)

export const leadSheet = (viewer: Reader, filters: Filters): Sheet<Row> => ({
  file: 'leads',
  title: 'Leads',
  entity: 'lead',
  omits: ['external_id', ...utmFields],
  columns: columnsFor(viewer),
  select: (tx) => rowsOf(tx, viewer, filters),
})

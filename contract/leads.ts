import { z } from 'zod'
import { CommissionEntry } from './commission-entries.ts'
import { endpoint } from './endpoint.ts'
import { GivenDate, Id, IdParams, Moment, Money, PageNumber, PageSize, Pagination, QueryId } from './fields.ts'
import { everyone } from './roles.ts'
import { Rejection, Ruling } from './rulings.ts'

export const PAGE_SIZES = [25, 50, 100] as const
export const DEFAULT_PAGE_SIZE = 50
export const DEFAULT_ORDERING = '-created_at'

export const utmFields = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
export type UtmField = (typeof utmFields)[number]

/** The click itself stands in the timeline as its oldest event (D38). */
export const CLICK_EVENT = { step_name: 'Clic en el enlace', event_type_name: 'click', source: 'redirect' } as const

/** An object where the stored text was a JSON object, else the text (D60). */
export const LooseData = z.union([z.string(), z.record(z.string(), z.unknown())])

/** The click has no row of its own, so its id is 0. */
export const LeadEvent = z.object({
  id: z.number().int().min(0),
  step_name: z.string(),
  event_type_name: z.string(),
  source: z.string(),
  created_at: Moment,
  event_data: LooseData.nullable().meta({
    description:
      'En una lista, solo los datos de los eventos más recientes de cada lead, hasta 32 KB, y null los demás; un lead por su id los trae todos.',
  }),
  /** It counts no more: the file that it came from was undone. */
  is_voided: z.boolean(),
})
export type LeadEvent = z.infer<typeof LeadEvent>

/** How far a lead came (D83); standing_of() in db/functions/standings.sql decides. */
export const LeadState = z.enum(['click', 'in_process', 'approved', 'rejected', 'paid'], 'Estado no válido')
export type LeadState = z.infer<typeof LeadState>
export const leadStateLabels: Record<LeadState, string> = {
  click: 'Clic',
  in_process: 'En proceso',
  approved: 'Aprobado',
  rejected: 'Rechazado',
  paid: 'Pagado',
}

export const Lead = z.object({
  id: Id,
  tracking_id: z.string(),
  external_id: z.string(),
  created_at: Moment,
  lead_data: LooseData.nullable(),
  product_id: Id,
  issuer_id: Id,
  affiliate_id: Id,
  product_name: z.string(),
  issuer_name: z.string(),
  affiliate_name: z.string(),
  utm_source: z.string(),
  utm_medium: z.string(),
  utm_campaign: z.string(),
  utm_term: z.string(),
  utm_content: z.string(),
  state: LeadState,
  /** Of its commissions that are not reversed; null where it has none. */
  amount: Money.nullable(),
  events: z.array(LeadEvent),
})
export type Lead = z.infer<typeof Lead>

/** A lead by itself: also why it is rejected, and how often that was taken back. */
export const LeadDetail = Lead.extend({
  rejection: Rejection.nullable(),
  rulings: z.array(Ruling),
  /** A person can reject it: its product has a step for that. */
  is_rejectable: z.boolean(),
})
export type LeadDetail = z.infer<typeof LeadDetail>

export const leadOrderings = ['created_at', 'id', 'external_id', 'tracking_id'].flatMap((field) => [field, `-${field}`])

const contains = z.string().trim().max(255).optional()

export const LeadFilters = z.object({
  page: PageNumber.default(1),
  page_size: PageSize.default(DEFAULT_PAGE_SIZE),
  ordering: z.enum(leadOrderings, 'Orden no válido').default(DEFAULT_ORDERING),
  issuer_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
  product_id: QueryId.optional(),
  state: LeadState.optional(),
  utm_source: contains,
  utm_medium: contains,
  utm_campaign: contains,
  utm_term: contains,
  utm_content: contains,
  external_id: contains,
  tracking_id: contains,
  /** Days of Mexico City on which the click came, both included (D74); of a range turned round, nothing. */
  from: GivenDate.optional(),
  to: GivenDate.optional(),
})
export type LeadFilters = z.infer<typeof LeadFilters>

export const LeadPage = z.object({ results: z.array(Lead), pagination: Pagination })
export type LeadPage = z.infer<typeof LeadPage>

export const leads = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/leads/',
    access: everyone,
    byKey: 'leads',
    summary: 'Leads, una página; cada quien ve los suyos',
    query: LeadFilters,
    response: LeadPage,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/leads/:id/',
    access: everyone,
    byKey: 'leads',
    summary: 'Un lead con sus eventos, el más reciente primero',
    params: IdParams,
    response: LeadDetail,
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/leads/:id/entries/',
    access: everyone,
    byKey: 'money',
    summary: 'Las comisiones que un lead generó, la más antigua primero',
    params: IdParams,
    response: z.array(CommissionEntry),
  }),
}

import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, ListQuery, Moment, Money, QueryId } from './fields.ts'

/** What an affiliate earned for a product from a moment on (D76, D77). */
export const Rate = z.object({
  id: Id,
  product: Id,
  product_name: z.string(),
  affiliate: Id,
  affiliate_name: z.string(),
  issuer: Id,
  issuer_name: z.string(),
  valid_from: Moment,
  /** What held before; null where there was none. */
  from: Money.nullable(),
  /** Null where it ended. */
  to: Money.nullable(),
})
export type Rate = z.infer<typeof Rate>

export const RateFilters = ListQuery.pick({ page: true, page_size: true }).extend({
  product_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
})
export type RateFilters = z.infer<typeof RateFilters>

export const rates = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/rates/',
    access: ['admin', 'issuer', 'affiliate'],
    summary: 'Lo que cada afiliado gana por cada producto desde cuándo, lo último primero; cada quien ve lo suyo',
    query: RateFilters,
    response: z.array(Rate),
  }),
}

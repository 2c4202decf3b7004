import type { z } from 'zod'
import { CalendarDate, QueryId } from './fields.ts'
import { Period, periodOf, periodProblem } from './periods.ts'

/** Without the product, which the address of the funnel names. */
export const funnelFilters = {
  from: CalendarDate.optional(),
  to: CalendarDate.optional(),
  issuer_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
}

/** Days, parties and product of whatever is reported. */
export const reportFilters = { ...funnelFilters, product_id: QueryId.optional() }

/** Refuses two days that make no period. */
export const dated = <S extends z.ZodType<Partial<Period>>>(schema: S): S =>
  schema.superRefine((query, { addIssue }) => {
    // A day that is none has been refused already.
    if (!Period.partial().safeParse({ from: query.from, to: query.to }).success) return
    const message = periodProblem(periodOf(query))
    if (message) addIssue({ code: 'custom', path: ['to'], message })
  })

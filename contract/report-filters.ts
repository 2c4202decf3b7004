import type { z } from 'zod'
import { GivenDate, QueryId } from './fields.ts'
import { type Period, periodOf, periodProblem } from './periods.ts'

/** Without the product, which the address of the funnel names. */
export const funnelFilters = {
  from: GivenDate.optional(),
  to: GivenDate.optional(),
  issuer_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
}

/** Days, parties and product of whatever is reported. */
export const reportFilters = { ...funnelFilters, product_id: QueryId.optional() }

/** Refuses two days that make no period. */
export const dated = <S extends z.ZodType<Partial<Period>>>(schema: S): S =>
  schema.superRefine((query, { addIssue }) => {
    // A day that is none has been refused already.
    if (![query.from, query.to].every((day) => GivenDate.optional().safeParse(day).success)) return
    const message = periodProblem(periodOf(query))
    if (message) addIssue({ code: 'custom', path: ['to'], message })
  })

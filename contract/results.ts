import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDate, Money, PageNumber, PageSize, Pagination } from './fields.ts'
import { DEFAULT_PAGE_SIZE, type utmFields } from './leads.ts'
import { Period } from './periods.ts'
import { dated, reportFilters } from './report-filters.ts'
import { everyone } from './roles.ts'
import type { extraParams } from './tracking.ts'

/** What a link says of where its visitor came from, in the order of the slots of result_values() in db/functions/results.sql. */
export const resultDimensions = [
  ...([
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_content',
    'utm_term',
  ] as const satisfies (typeof utmFields)[number][]),
  ...([
    'sub1',
    'sub2',
    'sub3',
    'sub4',
    'sub5',
    'sub6',
    'sub7',
    'sub8',
    'sub9',
    'sub10',
  ] as const satisfies (typeof extraParams)[number][]),
] as const

export const ResultDimension = z.enum(resultDimensions, 'Dimensión no válida')
export type ResultDimension = z.infer<typeof ResultDimension>

/** `value` has one; `rest` is of the values of a day beyond result_values_max(), `none` of leads without any. */
const ResultKind = z.enum(['value', 'rest', 'none'])
type ResultKind = z.infer<typeof ResultKind>
export const resultKindLabels = { rest: '(otros)', none: '(sin valor)' } as const satisfies Partial<
  Record<ResultKind, string>
>

const figures = {
  leads: z.number().int(),
  /** Approved or delivered, with no rejection that stands; boards count who reached the step, also if rejected later. */
  approved: z.number().int(),
  rejected: z.number().int(),
  /** Commission of these leads that is not reversed, before taxes; bonuses and adjustments are of no lead. */
  earned: Money,
  /** In percent of the leads (D45). */
  approval_rate: z.number(),
}

/** Leads that clicked on the day, or in the whole period, and what they have become by now. */
export const Result = z.object({
  day: CalendarDate.nullable(),
  kind: ResultKind,
  value: z.string().nullable(),
  ...figures,
})
export type Result = z.infer<typeof Result>

export const ResultTotals = z.object(figures)
export type ResultTotals = z.infer<typeof ResultTotals>

const resultOrderings = ['leads', 'approved', 'rejected', 'earned', 'value', 'day'].flatMap((field) => [
  field,
  `-${field}`,
])

const listed = {
  ...reportFilters,
  dimension: ResultDimension.default('utm_source'),
  /** A row for each value, or for each value on each day. */
  by: z.enum(['value', 'day'], 'Agrupación no válida').default('value'),
  search: z.string().max(255).optional(),
  ordering: z.enum(resultOrderings, 'Orden no válido').default('-leads'),
}

/** The filters of the list, for a file of all its rows. */
export const resultFilters = listed

export const ResultFilters = dated(
  z.object({ ...listed, page: PageNumber.default(1), page_size: PageSize.default(DEFAULT_PAGE_SIZE) }),
)
export type ResultFilters = z.infer<typeof ResultFilters>

export const ResultPage = z.object({
  period: Period,
  results: z.array(Result),
  /** Of all rows, those of other pages too. */
  totals: ResultTotals,
  pagination: Pagination,
})
export type ResultPage = z.infer<typeof ResultPage>

export const results = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/results/',
    access: everyone,
    byKey: 'leads',
    summary: 'Leads, aprobados, rechazados y lo ganado por UTM o por sub1 a sub10, según el día del clic',
    query: ResultFilters,
    response: ResultPage,
  }),
}

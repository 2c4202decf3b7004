import { z } from 'zod'
import { ComparedRow, Figures, ReportFilters } from './boards.ts'
import { endpoint } from './endpoint.ts'
import { CalendarDate, Id, Money } from './fields.ts'
import { FIGURES, formerly } from './figures.ts'
import { heldAmong } from './holds.ts'
import { Comparison, Period } from './periods.ts'
import { everyone } from './roles.ts'

/** So many complete days are drawn, and then today. */
export const SUMMARY_DAYS = 90
/** The complete days of the small line beside a row. */
export const LINE_DAYS = 30
export const MOVERS = 5

/** What is owed now, of either sign: no part of any period. */
export const Due = z.object({
  /** Earned, in no payment. */
  accrued: Money,
  entries: z.number().int(),
  /** The day of the first that can be paid; null while all are in validation, wait for an approval or are held. */
  since: CalendarDate.nullable(),
  /** In payments that are not paid. */
  in_payment: Money,
})
export type Due = z.infer<typeof Due>

export const SummaryDay = z.object({
  day: CalendarDate,
  leads: z.number().int(),
  conversions: z.number().int(),
  commission: Money,
})
export type SummaryDay = z.infer<typeof SummaryDay>

export const Attention = z.object({
  /** Payments that wait to be made. */
  payments: z.number().int(),
  payments_amount: Money,
  /** Of these, how many hold another sum than when they were made. */
  payments_changed: z.number().int(),
  /** Commissions that are paid only after an approval. */
  approvals: z.object({ count: z.number().int(), amount: Money, ...heldAmong }),
  /** Pairs of an affiliate and a product that pays, for which no commission is set. */
  commission_gaps: z.number().int(),
  /** Issuers whose systems sent events before and have stopped, and the day of the last one. */
  silent_issuers: z.array(z.object({ id: Id, name: z.string(), last_day: CalendarDate })),
})
export type Attention = z.infer<typeof Attention>

export const Summary = z.object({
  due: Due,
  /** The first day from today on which an unpaid payment is to be paid, and how much then; without any, the first overdue. */
  next_payment: z
    .object({
      day: CalendarDate,
      /** What its entries sum up to now, and whether that is another sum than when it was made. */
      amount: Money,
      has_changed: z.boolean(),
    })
    .nullable(),
  days: z.array(SummaryDay),
  /** Null for an affiliate, who can do nothing about it. */
  attention: Attention.nullable(),
})
export type Summary = z.infer<typeof Summary>

export const Mover = ComparedRow.extend({
  /** Leads of each of the last complete days, whatever the period. */
  line: z.array(z.number().int()),
})
export type Mover = z.infer<typeof Mover>

export const Movers = z.object({
  period: Period,
  comparison: Comparison.nullable(),
  totals: Figures,
  compared_totals: Figures,
  previous_totals: Figures,
  rows: z.array(Mover),
  /** The one with most leads in the period, whose funnel is worth a look; null without leads. */
  busiest_product: Id.nullable(),
})
export type Movers = z.infer<typeof Movers>

export const summary = {
  get: endpoint({
    method: 'GET',
    path: `${FIGURES}summary/`,
    alias: formerly('summary/'),
    access: everyone,
    summary: 'Lo que se debe hoy, los últimos 90 días y lo que espera a alguien',
    response: Summary,
  }),
  movers: endpoint({
    method: 'GET',
    path: `${FIGURES}movers/`,
    alias: formerly('movers/'),
    access: everyone,
    summary: 'Los afiliados cuyos leads más cambiaron; para un afiliado, sus productos con más leads',
    query: ReportFilters,
    response: Movers,
  }),
}

import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { mediaTypes } from './exports.ts'
import { CalendarDate, Id, IdParams, Money } from './fields.ts'
import { FIGURES, formerly } from './figures.ts'
import { Comparison, Period } from './periods.ts'
import { dated, funnelFilters, reportFilters } from './report-filters.ts'
import { everyone } from './roles.ts'

export const ReportFilters = dated(z.object(reportFilters))
export type ReportFilters = z.infer<typeof ReportFilters>

export const FunnelFilters = dated(z.object(funnelFilters))
export type FunnelFilters = z.infer<typeof FunnelFilters>

/**
 * A conversion is a lead that earned, on the day it first did, less those whose paid commission was taken back; never below
 * zero, also where more were taken back than earned.
 */
const figures = {
  leads: z.number().int(),
  conversions: z.number().int(),
  /** Earned and standing, before taxes. */
  commission: Money,
}
export const Figures = z.object({ ...figures, conversion_rate: z.number() })
export type Figures = z.infer<typeof Figures>

/** One day and the day in its place in the period before; null for a day that is not over. */
const ReportDay = z.object({
  day: CalendarDate,
  ...figures,
  previous: z.object({ day: CalendarDate, ...figures }).nullable(),
})
export type ReportDay = z.infer<typeof ReportDay>

/** 0 for what is of no product: bonuses and adjustments. */
const RowId = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const named = { id: RowId, name: z.string() }
/** `compared` holds the complete days alone, and `previous` as many before. */
export const ComparedRow = z.object({ ...named, ...Figures.shape, compared: Figures, previous: Figures })
export type ComparedRow = z.infer<typeof ComparedRow>

const Compared = z.object({
  period: Period,
  /** What `compared_totals` and `previous_totals` are of; null where there is nothing to compare. */
  comparison: Comparison.nullable(),
  totals: Figures,
  compared_totals: Figures,
  previous_totals: Figures,
  /** Link previews and bots of the period, which are no leads. */
  previews: z.number().int(),
  days: z.array(ReportDay),
  products: z.array(ComparedRow),
  /** The partners: empty for whom there is only itself. */
  issuers: z.array(ComparedRow),
  affiliates: z.array(ComparedRow),
})
export type Performance = z.infer<typeof Compared>

const Pair = z.object({
  issuer_id: Id,
  issuer_name: z.string(),
  affiliate_id: Id,
  affiliate_name: z.string(),
  ...Figures.shape,
})
export type Pair = z.infer<typeof Pair>

export const FunnelStep = z.object({
  step_id: Id,
  name: z.string(),
  event_type_name: z.string(),
  is_payout_event: z.boolean(),
  /** No longer part of the flow; shown while it has figures. Those of a step that another took the place of are of that one. */
  archived: z.boolean(),
  /** Leads that clicked in the period and have reached the step by now. */
  reached: z.number().int(),
  /** In percent of the leads of the period. */
  share: z.number(),
  /** How many of the step before never got here, also in percent; null for a rejection, which is no way forward. */
  lost: z.number().int().nullable(),
  lost_share: z.number().nullable(),
  /** Leads that reached the step in the period, whenever they clicked. */
  events: z.number().int(),
})
export type FunnelStep = z.infer<typeof FunnelStep>
/** A step that is no longer part of the flow may have the name of one that is. */
export const stepName = ({ name, archived }: Pick<FunnelStep, 'name' | 'archived'>): string =>
  archived ? `${name} (retirado)` : name

/** The leads of some days and how many of them have been approved by now, also if they were rejected later. */
export const Cohort = z.object({
  ...Period.shape,
  leads: z.number().int(),
  approved: z.number().int(),
  approval_rate: z.number(),
  /** So young that many of its approvals are still to come. */
  is_young: z.boolean(),
})
export type Cohort = z.infer<typeof Cohort>

export const Funnel = z.object({
  period: Period,
  product: z.object({ ...named, issuer_name: z.string() }),
  leads: z.number().int(),
  steps: z.array(FunnelStep),
  /** The step that approves; without one there are no cohorts. */
  approval_step: z.string().nullable(),
  /** Days after the click within which nine of ten approvals came. */
  maturity_days: z.number().int(),
  cohorts: z.array(Cohort),
})
export type Funnel = z.infer<typeof Funnel>

/**
 * Commission earned in the period by the state that it is in now. Each is the sum of the entries in that state, as their
 * lists have it: `reversed` is less than zero where charges were taken back.
 */
const states = { accrued: Money, in_payment: Money, paid: Money, reversed: Money }
/** `earned` is all of it but what was reversed. */
export const States = z.object({ ...states, earned: Money })
export type States = z.infer<typeof States>
const StatesRow = z.object({ ...named, ...States.shape })
export type StatesRow = z.infer<typeof StatesRow>

export const CommissionReport = z.object({
  period: Period,
  totals: States,
  days: z.array(z.object({ day: CalendarDate, ...States.shape })),
  products: z.array(StatesRow),
  issuers: z.array(StatesRow),
  affiliates: z.array(StatesRow),
})
export type CommissionReport = z.infer<typeof CommissionReport>

export const Network = Compared.extend({ states: States, pairs: z.array(Pair) })
export type Network = z.infer<typeof Network>

/** The tables of the reports that can be had as files. */
export const ReportTable = z.enum([
  ...(['rendimiento-dias', 'rendimiento-productos', 'rendimiento-emisores', 'rendimiento-afiliados'] as const),
  ...(['comisiones-dias', 'comisiones-productos', 'comisiones-emisores', 'comisiones-afiliados'] as const),
  ...(['embudo-pasos', 'embudo-cosechas', 'red-parejas'] as const),
])
export type ReportTable = z.infer<typeof ReportTable>

export const reports = {
  performance: endpoint({
    method: 'GET',
    path: `${FIGURES}reports/performance/`,
    alias: formerly('reports/performance/'),
    access: everyone,
    byKey: 'leads',
    summary: 'Leads, conversiones y comisiones por día, producto y socio, con el periodo anterior',
    query: ReportFilters,
    response: Compared,
  }),
  funnel: endpoint({
    method: 'GET',
    path: `${FIGURES}reports/funnel/:id/`,
    alias: formerly('reports/funnel/:id/'),
    access: everyone,
    byKey: 'leads',
    summary: 'Hasta dónde llegan los leads de un producto y cuántos se aprueban según el día del clic',
    params: IdParams,
    query: FunnelFilters,
    response: Funnel,
  }),
  commissions: endpoint({
    method: 'GET',
    path: `${FIGURES}reports/commissions/`,
    alias: formerly('reports/commissions/'),
    access: everyone,
    byKey: 'money',
    summary: 'Comisiones por estado, día, producto y socio',
    query: ReportFilters,
    response: CommissionReport,
  }),
  network: endpoint({
    method: 'GET',
    path: `${FIGURES}reports/network/`,
    alias: formerly('reports/network/'),
    access: ['admin'],
    byKey: 'rest',
    summary: 'Toda la red: el rendimiento, las comisiones y cada pareja de emisor y afiliado',
    query: ReportFilters,
    response: Network,
  }),
  table: endpoint({
    method: 'GET',
    path: `${FIGURES}reports/tables/:table/`,
    alias: formerly('reports/tables/:table/'),
    access: everyone,
    byKey: 'rest',
    summary: 'Una tabla de los reportes como archivo CSV',
    params: z.object({ table: ReportTable }),
    query: ReportFilters,
    file: [mediaTypes.csv],
  }),
}

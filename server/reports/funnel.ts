import { sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import {
  type Cohort,
  type Funnel,
  type FunnelFilters,
  type FunnelStep,
  type Period,
  periodOf,
} from '#contract/reports.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { notFound } from '../errors.ts'
import { scopeOf } from '../leads/filters.ts'
import { visibleProducts } from '../products/queries.ts'
import type { Viewer } from '../viewer.ts'
import { daysOf, partiesOf, percentOf, within } from './facts.ts'

const APPROVED = 'aprobado'

type OfProduct = FunnelFilters & { product_id: number }

export async function reportFunnel(tx: Tx, viewer: Viewer, filters: OfProduct): Promise<Funnel> {
  const period = periodOf(filters)
  const product = await getProduct(tx, viewer, filters.product_id)
  const [leads, rows] = await Promise.all([
    countLeads(tx, viewer, filters, period),
    listSteps(tx, viewer, filters, period),
  ])
  const approval = rows.find((step) => step.event_type_name === APPROVED && !step.archived)
  const maturity_days = approval ? await readMaturity(tx, viewer, filters, approval.step_id) : 0
  const days = approval ? await listDays(tx, viewer, filters, period, approval.step_id) : []
  return {
    ...{ period, product, leads, maturity_days },
    steps: withLosses(rows, leads),
    approval_step: approval?.name ?? null,
    cohorts: cohortsOf(days, maturity_days),
  }
}

/** One that the viewer may see now, or had leads of while it could. */
async function getProduct(tx: Tx, viewer: Viewer, id: number) {
  const now = await visibleProducts(tx, viewer).where('product.id', '=', id).executeTakeFirst()
  if (now) return { id, name: now.name, issuer_name: now.issuer_name }
  const once = await tx
    .selectFrom('product')
    .innerJoin('issuer', 'issuer.id', 'product.issuer_id')
    .select(['product.name', 'issuer.company_name as issuer_name'])
    .where('product.id', '=', id)
    .where((eb) => {
      let own = eb.selectFrom('lead_count').select('day').where('product_id', '=', id)
      for (const [party, owner] of scopeOf(viewer)) own = own.where(party, '=', owner)
      return eb.exists(own)
    })
    .executeTakeFirst()
  if (!once) throw notFound('Producto')
  return { id, ...once }
}

async function countLeads(tx: Tx, viewer: Viewer, filters: OfProduct, period: Period): Promise<number> {
  const { rows } = await sql<{ leads: number }>`
    select coalesce(sum(count), 0)::int8 as leads from lead_count where ${within(partiesOf(viewer, filters), period)}`.execute(
    tx,
  )
  return rows[0]?.leads ?? 0
}

type StepRow = Omit<FunnelStep, 'share' | 'lost' | 'lost_share'>

/** The flow in its order; a step that was taken out of it stands at the end while it has figures. */
async function listSteps(tx: Tx, viewer: Viewer, filters: OfProduct, period: Period): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select event_step.id as step_id, event_step.name, event_type.name as event_type_name, is_payout_event,
      archived_at is not null as archived,
      coalesce(clicks_reached, 0) as reached, coalesce(sums.reached, 0) as events
    from event_step
    join event_type on event_type.id = event_type_id
    left join (
      select step_id, sum(clicks_reached)::int8 as clicks_reached, sum(reached)::int8 as reached
      from step_total where ${within(partiesOf(viewer, filters), period)} group by step_id
    ) as sums on sums.step_id = event_step.id
    where event_step.product_id = ${filters.product_id}
      and (archived_at is null or clicks_reached > 0 or sums.reached > 0)
    order by archived_at is not null, step_order, event_step.id`.execute(tx)
  return rows
}

/** A rejection ends the way, so what follows it is compared with what came before it. */
function withLosses(rows: StepRow[], leads: number): FunnelStep[] {
  let before = leads
  return rows.map((row) => {
    const share = percentOf(row.reached, leads)
    if (row.event_type_name === REJECTED || row.archived) return { ...row, share, lost: null, lost_share: null }
    // A step may be reached without the one before it; then nobody was lost on the way.
    const lost = Math.max(before - row.reached, 0)
    const step = { ...row, share, lost, lost_share: percentOf(lost, before) }
    before = row.reached
    return step
  })
}

const SAMPLE = 20_000
const ENOUGH = 30
const DEFAULT_MATURITY = 14
const MAX_MATURITY = 60

/** Days after the click within which nine of ten of the newest approvals came; two weeks while there are few. */
async function readMaturity(tx: Tx, viewer: Viewer, filters: OfProduct, stepId: number): Promise<number> {
  const own = scopeOf(viewer).map(([party, id]) => sql` and ${sql.ref(`lead.${party}`)} = ${id}`)
  const { rows } = await sql<{ approvals: number; days: number | null }>`
    select count(*)::int8 as approvals,
      percentile_cont(0.9) within group (order by extract(epoch from event.created_at - lead.created_at) / 86400)::float8 as days
    from (
      select lead_id, step_id, created_at from lead_event
      where issuer_id = (select issuer_id from product where id = ${filters.product_id})
      order by id desc limit ${SAMPLE}
    ) as event
    join lead on lead.id = event.lead_id
    where event.step_id = ${stepId}${sql.join(own, sql``)}`.execute(tx)
  const [{ approvals, days } = { approvals: 0, days: null }] = rows
  if (approvals < ENOUGH || days === null) return DEFAULT_MATURITY
  return Math.min(Math.max(Math.ceil(days), 1), MAX_MATURITY)
}

interface Day {
  day: string
  leads: number
  approved: number
}

async function listDays(tx: Tx, viewer: Viewer, filters: OfProduct, period: Period, stepId: number) {
  const where = within(partiesOf(viewer, filters), period)
  const { rows } = await sql<Day>`
    select day, coalesce(leads, 0) as leads, coalesce(approved, 0) as approved
    from (${daysOf(period)}) as calendar
    left join (select day, sum(count)::int8 as leads from lead_count where ${where} group by day) as clicks using (day)
    left join (
      select day, sum(clicks_reached)::int8 as approved from step_total
      where ${where} and step_id = ${stepId} group by day
    ) as approvals using (day)
    order by day`.execute(tx)
  return rows
}

/** Days while they can be told apart, else weeks counted back from the last day. */
const WEEKS_FROM = 46

export function cohortsOf(days: Day[], maturity: number, today: string = dateInMexico()): Cohort[] {
  const length = days.length < WEEKS_FROM ? 1 : 7
  const cohorts: Cohort[] = []
  for (let end = days.length; end > 0; end -= length) {
    const part = days.slice(Math.max(end - length, 0), end)
    const [from, to] = [part[0]?.day ?? '', part.at(-1)?.day ?? '']
    const sum = (of: 'leads' | 'approved') => part.reduce((total, day) => total + day[of], 0)
    const [leads, approved] = [sum('leads'), sum('approved')]
    const is_young = addDays(to, maturity) >= today
    cohorts.unshift({ from, to, leads, approved, approval_rate: percentOf(approved, leads), is_young })
  }
  return cohorts
}

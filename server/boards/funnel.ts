import { sql } from 'kysely'
import type { Cohort, Funnel, FunnelFilters, FunnelStep } from '#contract/boards.ts'
import { REJECTED } from '#contract/event-steps.ts'
import { daysIn, type Period, periodOf } from '#contract/periods.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import { ownParties, partiesOf } from '../parties.ts'
import { percentOf } from '../percent.ts'
import { visibleProducts } from '../products/queries.ts'
import { countLeads, readLeadDays, stepSumsOf } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'

const APPROVED = 'aprobado'

type OfProduct = FunnelFilters & { product_id: number }

export async function reportFunnel(tx: Tx, viewer: Reader, filters: OfProduct): Promise<Funnel> {
  const period = periodOf(filters)
  const product = await getProduct(tx, viewer, filters.product_id)
  const facts = await readFacts(tx, viewer, filters, period)
  const leads = total(facts, ({ step_id }) => step_id === null).reached
  const rows = await listSteps(tx, filters, facts)
  const approval = rows.find((step) => step.event_type_name === APPROVED && !step.archived)
  const maturity_days = approval ? await readMaturity(tx, viewer, filters, approval.step_id) : 0
  const days = approval ? listDays(period, facts, approval.step_id) : []
  return {
    ...{ period, product, leads, maturity_days },
    steps: withLosses(rows, leads),
    approval_step: approval?.name ?? null,
    cohorts: cohortsOf(days, maturity_days),
  }
}

/** A product that the viewer may see now, or had leads of while it could. */
async function getProduct(tx: Tx, viewer: Reader, id: number) {
  const now = await visibleProducts(tx, viewer).where('product.id', '=', id).executeTakeFirst()
  if (now) return { id, name: now.name, issuer_name: now.issuer_name }
  const once = await tx
    .selectFrom('product')
    .innerJoin('issuer', 'issuer.id', 'product.issuer_id')
    .select(['product.name', 'issuer.company_name as issuer_name'])
    .where('product.id', '=', id)
    .executeTakeFirst()
  if (!once || !(await countLeads(tx, [...ownParties(viewer), ['product_id', id]], {}))) throw notFound('Producto')
  return { id, ...once }
}

interface Fact {
  day: string
  /** Null in the row of all leads of the day. */
  step_id: number | null
  /** Leads that clicked on the day, and have reached the step by now. */
  reached: number
  /** Leads that reached the step for the first time on the day. */
  events: number
}

/**
 * The steps of a product, each with the one that its figures count for: itself or, once archived, the first made after that
 * of its type, which is the same promise as in earned_by().
 */
const stepsOf = ({ product_id }: OfProduct) => sql`(
  select step.id as step_id, coalesce(min(heir.id), step.id) as heir_id
  from event_step as step
  left join event_step as heir on heir.product_id = step.product_id and heir.event_type_id = step.event_type_id
    and heir.archived_at is null and step.archived_at <= heir.created_at
  where step.product_id = ${product_id} group by step.id
) as step`

async function readFacts(tx: Tx, viewer: Reader, filters: OfProduct, period: Period): Promise<Fact[]> {
  const parties = partiesOf(viewer, filters)
  const days = await readLeadDays(tx, parties, period)
  const { rows } = await sql<Fact>`
    select day, heir_id as step_id, sum(reached)::int8 as reached, sum(events)::int8 as events
    from ${stepSumsOf(parties, period)} join ${stepsOf(filters)} using (step_id) group by day, heir_id`.execute(tx)
  const leads = new Map(days.map(({ day, count }) => [day, count]))
  return [
    ...days.map(({ day, count }) => ({ day, step_id: null, reached: count, events: 0 })),
    // A lead that reached both an archived step and the one in its place is counted by each.
    ...rows.map((row) => ({ ...row, reached: Math.min(row.reached, leads.get(row.day) ?? 0) })),
  ]
}

function total(facts: Fact[], wanted: (fact: Fact) => boolean) {
  const sums = { reached: 0, events: 0 }
  for (const fact of facts)
    if (wanted(fact)) {
      sums.reached += fact.reached
      sums.events += fact.events
    }
  return sums
}

type StepRow = Omit<FunnelStep, 'share' | 'lost' | 'lost_share'>

/** The steps in order; archived ones follow at the end while they have figures. */
async function listSteps(tx: Tx, { product_id }: OfProduct, facts: Fact[]): Promise<StepRow[]> {
  const { rows } = await sql<Omit<StepRow, 'reached' | 'events'>>`
    select event_step.id as step_id, event_step.name, event_type.name as event_type_name, is_payout_event,
      archived_at is not null as archived
    from event_step join event_type on event_type.id = event_type_id
    where event_step.product_id = ${product_id}
    order by archived_at is not null, step_order, event_step.id`.execute(tx)
  return rows.flatMap((step) => {
    const { reached, events } = total(facts, ({ step_id }) => step_id === step.step_id)
    return step.archived && reached === 0 && events === 0 ? [] : [{ ...step, reached, events }]
  })
}

/** A rejection ends a lead's path, so the step after it is compared with the step before it. */
function withLosses(rows: StepRow[], leads: number): FunnelStep[] {
  let before = leads
  return rows.map((row) => {
    const share = percentOf(row.reached, leads)
    if (row.event_type_name === REJECTED || row.archived) return { ...row, share, lost: null, lost_share: null }
    // A step may be reached without the one before it; then none were lost.
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
async function readMaturity(tx: Tx, viewer: Reader, filters: OfProduct, stepId: number): Promise<number> {
  // Events carry the issuer; an affiliate's are found through their leads.
  const own = viewer.role === 'affiliate' ? sql`join lead using (tracking_id)` : sql``
  const isOwn = viewer.role === 'affiliate' ? sql`and affiliate_id = ${viewer.affiliateId}` : sql``
  const { rows } = await sql<{ approvals: number; days: number | null }>`
    select count(*)::int8 as approvals,
      percentile_cont(0.9) within group (order by extract(epoch from event.created_at - moment_of(tracking_id)) / 86400)::float8 as days
    from (
      select tracking_id, step_id, created_at from lead_event
      where not is_voided and issuer_id = (select issuer_id from product where id = ${filters.product_id})
      order by id desc limit ${SAMPLE}
    ) as event
    ${own}
    where event.step_id in (select step_id from ${stepsOf(filters)} where heir_id = ${stepId}) ${isOwn}`.execute(tx)
  const [{ approvals, days } = { approvals: 0, days: null }] = rows
  if (approvals < ENOUGH || days === null) return DEFAULT_MATURITY
  return Math.min(Math.max(Math.ceil(days), 1), MAX_MATURITY)
}

interface Day {
  day: string
  leads: number
  approved: number
}

function listDays(period: Period, facts: Fact[], stepId: number): Day[] {
  const [leads, approved] = [null, stepId].map(
    (id) => new Map(facts.filter(({ step_id }) => step_id === id).map(({ day, reached }) => [day, reached])),
  )
  return Array.from({ length: daysIn(period) }, (_, index) => {
    const day = addDays(period.from, index)
    return { day, leads: leads?.get(day) ?? 0, approved: approved?.get(day) ?? 0 }
  })
}

/** Days while there are few enough, else weeks counted back from the last day. */
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

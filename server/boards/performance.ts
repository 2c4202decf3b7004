import { sql } from 'kysely'
import {
  type ComparedRow,
  daysIn,
  type Figures,
  type Performance,
  type Period,
  periodBefore,
  periodOf,
  type ReportDay,
  type ReportFilters,
} from '#contract/boards.ts'
import { addDays } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { partiesOf } from '../parties.ts'
import { percentOf } from '../percent.ts'
import { earned, isDuring, isOf, sumsOf } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'
import { partnersOf, readNames } from './names.ts'

interface Sums {
  leads: number
  conversions: number
  commission: string
}

export interface Row extends Sums {
  /** Null in a row of another grouping. */
  day: string | null
  product_id: number | null
  issuer_id: number | null
  affiliate_id: number | null
  previous_leads: number
  previous_conversions: number
  previous_commission: string
}

export const withRate = ({ leads, conversions, commission }: Sums): Figures => ({
  ...{ leads, conversions, commission },
  conversion_rate: percentOf(conversions, leads),
})

export async function reportPerformance(tx: Tx, viewer: Viewer, filters: ReportFilters): Promise<Performance> {
  const { report } = await readFigures(tx, viewer, filters)
  return report
}

/** The report, and its rows for other uses. */
export async function readFigures(
  tx: Tx,
  viewer: Viewer,
  filters: ReportFilters,
): Promise<{ report: Performance; rows: Row[] }> {
  const period = periodOf(filters)
  const previous_period = periodBefore(period)
  const rows = await readGroups(tx, viewer, filters, period, previous_period)
  const shown = partnersOf(viewer.role)
  const total = rows.find((row) => !row.day && !row.product_id && !row.issuer_id && !row.affiliate_id)
  const { current, previous } = compared(total)
  const report = {
    ...{ period, previous_period, totals: current, previous_totals: previous },
    previews: await countPreviews(tx, viewer, filters, period),
    days: beside(rows, period, previous_period),
    products: await named(tx, 'product', rows),
    issuers: shown.issuers ? await named(tx, 'issuer', rows) : [],
    affiliates: shown.affiliates ? await named(tx, 'affiliate', rows) : [],
  }
  return { report, rows }
}

const NOTHING = { leads: 0, conversions: 0, commission: '0.00' }

const current = (row: Row | undefined): Sums =>
  row ? { leads: row.leads, conversions: row.conversions, commission: row.commission } : NOTHING

const former = (row: Row | undefined): Sums =>
  row
    ? { leads: row.previous_leads, conversions: row.previous_conversions, commission: row.previous_commission }
    : NOTHING

const compared = (row: Row | undefined) => ({ current: withRate(current(row)), previous: withRate(former(row)) })

/**
 * The total, by product, issuer, affiliate and pair, each with the period before; then by day. The days are summed up
 * first, since there are few parties and many days.
 */
async function readGroups(tx: Tx, viewer: Viewer, filters: ReportFilters, period: Period, before: Period) {
  const sums = await sumsOf(tx, { parties: partiesOf(viewer, filters), periods: [before, period] })
  const { rows } = await sql<Row>`
    with ${sums.recent}, party as (
      select day >= ${period.from}::date as is_now, affiliate_id, issuer_id, product_id,
        sum(leads)::int8 as leads, sum(conversions)::int8 as conversions, sum(${earned}) as commission
      from ${sums.byParty} group by 1, 2, 3, 4
    )
    select null::date as day, product_id, issuer_id, affiliate_id,
      coalesce(sum(leads) filter (where is_now), 0)::int8 as leads,
      coalesce(sum(conversions) filter (where is_now), 0)::int8 as conversions,
      coalesce(sum(commission) filter (where is_now), 0)::numeric(16, 2) as commission,
      coalesce(sum(leads) filter (where not is_now), 0)::int8 as previous_leads,
      coalesce(sum(conversions) filter (where not is_now), 0)::int8 as previous_conversions,
      coalesce(sum(commission) filter (where not is_now), 0)::numeric(16, 2) as previous_commission
    from party
    group by grouping sets ((), (product_id), (issuer_id), (affiliate_id), (issuer_id, affiliate_id))
    union all
    select day, null, null, null, sum(leads)::int8, sum(conversions)::int8, sum(${earned})::numeric(16, 2), 0, 0, 0
    from ${sums.byDay} group by day
    order by leads desc, previous_leads desc, product_id, issuer_id, affiliate_id`.execute(tx)
  return rows
}

export const isPair = (row: Pick<Row, 'issuer_id' | 'affiliate_id'>): boolean =>
  row.issuer_id !== null && row.affiliate_id !== null

async function named(tx: Tx, of: 'product' | 'issuer' | 'affiliate', rows: Row[]): Promise<ComparedRow[]> {
  const own = rows.flatMap((row) => {
    const id = row[`${of}_id`]
    return id === null || isPair(row) ? [] : [{ id, row }]
  })
  const names = await readNames(
    tx,
    of,
    own.map(({ id }) => id),
  )
  return own.map(({ id, row }) => {
    const { current, previous } = compared(row)
    return { id, name: names.get(id) ?? '', ...current, previous }
  })
}

/** Each day with its counterpart in the period before; a day without leads is a zero. */
function beside(rows: Row[], period: Period, before: Period): ReportDay[] {
  const known = new Map(rows.flatMap((row) => (row.day === null ? [] : [[row.day, row]])))
  return Array.from({ length: daysIn(period) }, (_, index) => {
    const [day, then] = [addDays(period.from, index), addDays(before.from, index)]
    return { day, ...current(known.get(day)), previous: { day: then, ...current(known.get(then)) } }
  })
}

async function countPreviews(tx: Tx, viewer: Viewer, filters: ReportFilters, period: Period): Promise<number> {
  const { count } = await tx
    .selectFrom('preview_count')
    .select(sql<number>`coalesce(sum(count), 0)::int8`.as('count'))
    .where(isOf(partiesOf(viewer, filters)))
    .where(isDuring(sql`day`, period))
    .where('reason', 'in', ['preview', 'bot'])
    .executeTakeFirstOrThrow()
  return count
}

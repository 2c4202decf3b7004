import { type RawBuilder, sql } from 'kysely'
import type { ComparedRow, Figures, Performance, ReportDay, ReportFilters } from '#contract/boards.ts'
import { type Comparison, comparisonOf, daysIn, type Period, periodOf } from '#contract/periods.ts'
import { addDays } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { partiesOf } from '../parties.ts'
import { percentOf } from '../percent.ts'
import { earned, isDuring, isOf, sumsOf } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'
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
  /** Of the complete days alone, and of as many before. */
  compared_leads: number
  compared_conversions: number
  compared_commission: string
  previous_leads: number
  previous_conversions: number
  previous_commission: string
}

export const isIdle = ({ leads, conversions, commission }: Sums): boolean =>
  leads === 0 && conversions === 0 && Number(commission) === 0

/** More may have been taken back than earned; that is no negative number of leads. */
const shown = (sums: Sums): Sums => ({ ...sums, conversions: Math.max(sums.conversions, 0) })

export function withRate({ leads, conversions, commission }: Sums): Figures {
  const sums = shown({ leads, conversions, commission })
  return { ...sums, conversion_rate: percentOf(sums.conversions, leads) }
}

export async function reportPerformance(tx: Tx, viewer: Reader, filters: ReportFilters): Promise<Performance> {
  const { report } = await readFigures(tx, viewer, filters)
  return report
}

/** The report, and its rows for other uses. */
export async function readFigures(
  tx: Tx,
  viewer: Reader,
  filters: ReportFilters,
): Promise<{ report: Performance; rows: Row[] }> {
  const period = periodOf(filters)
  const comparison = comparisonOf(period)
  const rows = await readGroups(tx, viewer, filters, period, comparison)
  const partners = partnersOf(viewer.role)
  const total = rows.find((row) =>
    [row.day, row.product_id, row.issuer_id, row.affiliate_id].every((key) => key === null),
  )
  const { current, compared, previous } = figuresOf(total)
  const report = {
    ...{ period, comparison, totals: current, compared_totals: compared, previous_totals: previous },
    previews: await countPreviews(tx, viewer, filters, period),
    days: beside(rows, period, comparison),
    products: await named(tx, 'product', rows),
    issuers: partners.issuers ? await named(tx, 'issuer', rows) : [],
    affiliates: partners.affiliates ? await named(tx, 'affiliate', rows) : [],
  }
  return { report, rows }
}

const NOTHING = { leads: 0, conversions: 0, commission: '0.00' }

const current = (row: Row | undefined): Sums =>
  row ? { leads: row.leads, conversions: row.conversions, commission: row.commission } : NOTHING

const complete = (row: Row): Sums => ({
  ...{ leads: row.compared_leads, conversions: row.compared_conversions, commission: row.compared_commission },
})

const former = (row: Row): Sums => ({
  ...{ leads: row.previous_leads, conversions: row.previous_conversions, commission: row.previous_commission },
})

const figuresOf = (row: Row | undefined) => ({
  current: withRate(current(row)),
  compared: withRate(row ? complete(row) : NOTHING),
  previous: withRate(row ? former(row) : NOTHING),
})

/** The days before, the complete ones, and those that are not over. */
function partsOf({ from, to }: Period, comparison: Comparison | null): Period[] {
  if (!comparison) return [{ from, to }]
  const { period, previous_period } = comparison
  return [previous_period, period, ...(period.to < to ? [{ from: addDays(period.to, 1), to }] : [])]
}

/**
 * The total, by product, issuer, affiliate and pair, each with the period before; then by day. The days are summed up
 * first, since there are few parties and many days.
 */
async function readGroups(
  tx: Tx,
  viewer: Reader,
  filters: ReportFilters,
  period: Period,
  comparison: Comparison | null,
) {
  const sums = await sumsOf(tx, { parties: partiesOf(viewer, filters), periods: partsOf(period, comparison) })
  const lastComplete = comparison?.period.to ?? addDays(period.from, -1)
  const figures = (prefix: string, days: RawBuilder<unknown>) => sql`
    coalesce(sum(leads) filter (where ${days}), 0)::int8 as ${sql.ref(`${prefix}leads`)},
    coalesce(sum(conversions) filter (where ${days}), 0)::int8 as ${sql.ref(`${prefix}conversions`)},
    coalesce(sum(commission) filter (where ${days}), 0.00) as ${sql.ref(`${prefix}commission`)}`
  const { rows } = await sql<Row>`
    with ${sums.recent}, party as (
      select day >= ${period.from}::date as is_now, day <= ${lastComplete}::date as is_over,
        affiliate_id, issuer_id, product_id,
        sum(leads)::int8 as leads, sum(conversions)::int8 as conversions, sum(${earned}) as commission
      from ${sums.byParty} group by 1, 2, 3, 4, 5
    )
    select null::date as day, product_id, issuer_id, affiliate_id, ${figures('', sql`is_now`)},
      ${figures('compared_', sql`is_now and is_over`)}, ${figures('previous_', sql`not is_now`)}
    from party
    group by grouping sets ((), (product_id), (issuer_id), (affiliate_id), (issuer_id, affiliate_id))
    union all
    select day, null, null, null, sum(leads)::int8, sum(conversions)::int8, sum(${earned}),
      0, 0, 0, 0, 0, 0
    from ${sums.byDay} group by day
    order by leads desc, previous_leads desc, product_id, issuer_id, affiliate_id`.execute(tx)
  return rows
}

export const isPair = (row: Pick<Row, 'issuer_id' | 'affiliate_id'>): boolean =>
  row.issuer_id !== null && row.affiliate_id !== null

async function named(tx: Tx, of: 'product' | 'issuer' | 'affiliate', rows: Row[]): Promise<ComparedRow[]> {
  const own = rows.flatMap((row) => {
    const id = row[`${of}_id`]
    return id === null || isPair(row) || (isIdle(current(row)) && isIdle(former(row))) ? [] : [{ id, row }]
  })
  const names = await readNames(
    tx,
    of,
    own.map(({ id }) => id),
  )
  return own.map(({ id, row }) => {
    const { current, compared, previous } = figuresOf(row)
    return { id, name: names.get(id) ?? '', ...current, compared, previous }
  })
}

/** Each day with its counterpart in the period before; a day without leads is a zero. */
function beside(rows: Row[], period: Period, comparison: Comparison | null): ReportDay[] {
  const known = new Map(rows.flatMap((row) => (row.day === null ? [] : [[row.day, row]])))
  const of = (day: string) => ({ day, ...shown(current(known.get(day))) })
  return Array.from({ length: daysIn(period) }, (_, index) => {
    const day = addDays(period.from, index)
    const isOver = comparison !== null && day <= comparison.period.to
    return { ...of(day), previous: isOver ? of(addDays(comparison.previous_period.from, index)) : null }
  })
}

async function countPreviews(tx: Tx, viewer: Reader, filters: ReportFilters, period: Period): Promise<number> {
  const { count } = await tx
    .selectFrom('preview_count')
    .select(sql<number>`coalesce(sum(count), 0)::int8`.as('count'))
    .where(isOf(partiesOf(viewer, filters)))
    .where(isDuring(sql`day`, period))
    .where('reason', 'in', ['preview', 'bot'])
    .executeTakeFirstOrThrow()
  return count
}

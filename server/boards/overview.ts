import { sql } from 'kysely'
import type { Overview } from '#contract/metrics.ts'
import { comparisonOf } from '#contract/periods.ts'
import { addDays, dateInMexico, firstOfMonth, TIME_ZONE } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { inMexico } from '../exports/cells.ts'
import { firstOf } from '../first-of.ts'
import { inSnapshot } from '../snapshot.ts'
import { countConversionsUntil, earned, type Sums, sumsWithoutOpenLeads } from '../totals/read.ts'

/**
 * The administrator's four figures (D62), each beside that of the month before. Days and months are Mexico City's.
 *
 * - total_users: accounts that are not removed; before: those there when the month began.
 * - active_products: products on offer, which those of an inactive issuer are not (D8); before: those on offer when the
 *   month began. A status that changed since is read back from the audit trail.
 * - conversions_today: leads that earned today, less those taken back; before: the same day of last month, up to the same
 *   time. What is not over has no percentage.
 * - month_income: commissions earned this month, less those taken back; the change is that of its complete days against
 *   the same days of last month.
 *
 * Conversions and income come from the totals, like every board.
 */
export const getOverview = (db: Db, now: Date = new Date()): Promise<Overview> =>
  inSnapshot(db, async (tx) => {
    const today = dateInMexico(now)
    const monthStart = firstOfMonth(today)
    const lastMonthEnd = addDays(monthStart, -1)
    const { users, products } = await readStocks(tx, today)
    const comparison = { period: { from: today, to: today }, previous_period: { from: lastMonthEnd, to: lastMonthEnd } }
    return {
      total_users: { ...users, compared: users.value, comparison, until: null },
      active_products: { ...products, compared: products.value, comparison, until: null },
      ...(await readEarned(tx, now)),
    }
  })

const zone = sql.lit(TIME_ZONE)

type Stock = Omit<Overview['total_users'], 'compared' | 'comparison' | 'until'>

async function readStocks(tx: Tx, today: string): Promise<{ users: Stock; products: Stock }> {
  const { rows } = await sql<{ users: Stock; products: Stock }>`
    with clock as (
      select date_trunc('month', ${today}::date::timestamp) at time zone ${zone} as month_start
    ), users as (
      select count(*) filter (where archived_at is null)::numeric as value,
        count(*) filter (where created_at < month_start and coalesce(archived_at >= month_start, true))::numeric as previous
      from "user", clock
    ), products as (
      select count(*) filter (where product.archived_at is null
          and product_status = 'active' and user_status = 'active')::numeric as value,
        count(*) filter (where product.created_at < month_start and coalesce(product.archived_at >= month_start, true)
          and ${statusThen('product', 'product_status')} = 'active' and ${statusThen('issuer', 'user_status')} = 'active'
        )::numeric as previous
      from clock, product join issuer on issuer.id = issuer_id
    )
    select (select json_build_object('value', value, 'previous', previous, 'change', ${change()}) from users) as users,
      (select json_build_object('value', value, 'previous', previous, 'change', ${change()}) from products) as products`.execute(
    tx,
  )
  return firstOf(rows)
}

/** When the month began: of the first change since what was before, else as it is. */
const statusThen = (entity: 'product' | 'issuer', status: string) => sql`coalesce((
  select changes #>> array[${status}, '0'] from audit_entry
  where entity = ${entity} and entity_id = ${sql.ref(`${entity}.id`)} and action = 'update'
    and audit_entry.created_at >= month_start and changes ? ${status}
  order by audit_entry.id limit 1
), ${sql.ref(status)})`

async function readEarned(tx: Tx, now: Date): Promise<Pick<Overview, 'conversions_today' | 'month_income'>> {
  const today = dateInMexico(now)
  const month = { from: firstOfMonth(today), to: today }
  const comparison = comparisonOf(month, today)
  const sums = sumsWithoutOpenLeads({
    parties: [],
    periods: comparison ? [comparison.previous_period, month] : [month],
  })
  const { rows } = await readMonth(sums, month.from, today).execute(tx)
  const { conversions, ...income } = firstOf(rows)
  const then = await readMonthBefore(tx, now)
  const [day, dayBefore] = [today, dateInMexico(new Date(then))]
  return {
    conversions_today: {
      ...{ value: conversions, compared: conversions },
      ...{ previous: Math.max(await countConversionsUntil(tx, then), 0), change: null },
      comparison: { period: { from: day, to: day }, previous_period: { from: dayBefore, to: dayBefore } },
      until: inMexico(now.toISOString()).slice(11),
    },
    month_income: { ...income, comparison, until: null },
  }
}

const readMonth = ({ recent, byDay }: Sums, monthStart: string, today: string) =>
  sql<{ conversions: number; value: string; compared: string; previous: string; change: number | null }>`
    with ${recent}, income as (
      select greatest(coalesce(sum(conversions) filter (where day = ${today}::date), 0), 0)::int8 as conversions,
        coalesce(sum(${earned}) filter (where day >= ${monthStart}::date), 0.00) as total,
        coalesce(sum(${earned}) filter (where day >= ${monthStart}::date and day < ${today}::date), 0.00)
          as value,
        coalesce(sum(${earned}) filter (where day < ${monthStart}::date), 0.00) as previous
      from ${byDay}
    )
    select conversions, total as value, value as compared, previous, (${change()})::float8 as change from income`

/** The same day and time a month ago, or that of its last day. */
async function readMonthBefore(tx: Tx, now: Date): Promise<string> {
  const { rows } = await sql<{ moment: string }>`
    select ((${now.toISOString()}::timestamptz at time zone ${zone}) - interval '1 month') at time zone ${zone} as moment`.execute(
    tx,
  )
  return firstOf(rows).moment
}

/** Percent with one decimal; null where there is nothing to compare with. */
function change() {
  return sql`round(100 * (value - previous) / nullif(abs(previous), 0), 1)`
}

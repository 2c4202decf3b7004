import { sql } from 'kysely'
import type { Overview } from '#contract/metrics.ts'
import { addDays, dateInMexico, firstOfMonth, TIME_ZONE } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { countGaps } from '../commissions/gaps.ts'
import { inSnapshot } from '../snapshot.ts'
import { earned, type Sums, sumsWithoutOpenLeads } from '../totals/read.ts'

/**
 * The administrator's four figures (D62), each beside that of the month before. Days and months are Mexico City's.
 *
 * - total_users: accounts that are not removed; before: those there when the month began.
 * - active_products: products on offer; before: those on offer when the month began. A status that changed since is
 *   read back from the audit trail.
 * - conversions_today: leads that earned today, less those taken back; before: the same day of last month.
 * - month_income: commissions earned this month, less those taken back; before: the whole of last month.
 *
 * - commission_gaps: how many affiliates promote a product that pays without a commission, now.
 *
 * Conversions and income come from the totals, like every board.
 */
export const getOverview = (db: Db): Promise<Overview> =>
  inSnapshot(db, async (tx) => {
    const today = dateInMexico()
    const monthStart = firstOfMonth(today)
    const period = { from: firstOfMonth(addDays(monthStart, -1)), to: today }
    const { rows } = await figures(today, sumsWithoutOpenLeads({ parties: [], periods: [period] })).execute(tx)
    const [row] = rows
    if (!row) throw new Error('The overview came back empty')
    return { ...row.overview, commission_gaps: await countGaps(tx) }
  })

const zone = sql.lit(TIME_ZONE)

const figures = (today: string, { recent, byDay }: Sums) => sql<{ overview: Omit<Overview, 'commission_gaps'> }>`
  with ${recent}, clock as (
    select today,
      (today - interval '1 month')::date as past_day,
      date_trunc('month', today)::date as first_day,
      date_trunc('month', today::timestamp) at time zone ${zone} as month_start
    from (select ${today}::date as today) as given
  ), users as (
    select count(*) filter (where archived_at is null)::numeric as value,
      count(*) filter (where created_at < month_start and coalesce(archived_at >= month_start, true))::numeric as previous
    from "user", clock
  ), products as (
    select count(*) filter (where archived_at is null and product_status = 'active')::numeric as value,
      count(*) filter (where created_at < month_start and coalesce(archived_at >= month_start, true)
        and status_then = 'active')::numeric as previous
    from product, clock, lateral (
      select coalesce((
        select changes #>> '{product_status,0}' from audit_entry
        where entity = 'product' and entity_id = product.id and action = 'update'
          and audit_entry.created_at >= month_start and changes ? 'product_status'
        order by id limit 1
      ), product_status) as status_then
    ) as history
  ), earned as (
    select day, sum(conversions) as conversions, sum(${earned}) as commission from ${byDay} group by day
  ), conversions as (
    select coalesce(sum(conversions) filter (where day = today), 0)::numeric as value,
      coalesce(sum(conversions) filter (where day = past_day), 0)::numeric as previous
    from earned, clock
  ), income as (
    select coalesce(sum(commission) filter (where day >= first_day), 0)::numeric(14, 2) as value,
      coalesce(sum(commission) filter (where day < first_day), 0)::numeric(14, 2) as previous
    from earned, clock
  )
  select json_build_object(
    'total_users', (select json_build_object('value', value, 'previous', previous, 'change', ${change()}) from users),
    'active_products', (select json_build_object('value', value, 'previous', previous, 'change', ${change()}) from products),
    'conversions_today', (select json_build_object('value', value, 'previous', previous, 'change', ${change()}) from conversions),
    'month_income', (select json_build_object('value', value::text, 'previous', previous::text, 'change', ${change()}) from income)
  ) as overview`

/** Percent with one decimal; null where there is nothing to compare with. */
function change() {
  return sql`round(100 * (value - previous) / nullif(abs(previous), 0), 1)`
}

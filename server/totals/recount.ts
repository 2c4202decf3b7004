import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

export const KEY = sql`affiliate_id, issuer_id, product_id, step_id`
export const FIGURES = sql`leads, conversions, accrued, in_payment, paid, reversed, events, reached`

/** Each fact by day for its affiliate, issuer and product; except steps also by month, for each party alone and for all. */
const SPREAD = sql`
  select 'day' as grain, day as first_day, ${KEY}, ${FIGURES} from fact
  union all
  select 'month', date_trunc('month', day::timestamp)::date, ${KEY}, ${FIGURES} from fact where step_id = 0
  union all
  select 'day', day, party.affiliate_id, party.issuer_id, party.product_id, 0, ${FIGURES}
  from fact cross join lateral (values (0, 0, 0), (affiliate_id, 0, 0), (0, issuer_id, 0), (0, 0, nullif(product_id, 0)))
    as party (affiliate_id, issuer_id, product_id)
  where step_id = 0 and party.product_id is not null`

/** From the totals. */
const ACTUAL = sql`
  with fact as (
    select day, ${KEY}, ${FIGURES} from total_delta
    union all
    select mexico_day(created_at), affiliate_id, issuer_id, product_id, 0, 1, 0, 0, 0, 0, 0, 0, 0
    from lead where tracking_id >= first_uncounted_id()
  ), each as (${SPREAD} union all select grain, first_day, ${KEY}, ${FIGURES} from total)`

/** The same, counted from leads, events and entries themselves. */
const RECOUNT = sql`
  with fact (day, ${KEY}, ${FIGURES}) as (
    select mexico_day(created_at), affiliate_id, issuer_id, product_id, 0, 1, 0, 0, 0, 0, 0, 0, 0 from lead
    union all
    select mexico_day(earned_at), affiliate_id, issuer_id, coalesce(product_id, 0), 0, 0,
      case state when 'reversed' then 0 else converts end,
      case state when 'accrued' then amount else 0 end, case state when 'in_payment' then amount else 0 end,
      case state when 'paid' then amount else 0 end, case state when 'reversed' then amount else 0 end, 0, 0
    from commission_entry
    union all
    select change.day, affiliate_id, issuer_id, product_id, step_id, 0, 0, 0, 0, 0, 0, change.events, change.reached
    from (
      select distinct on (lead_id, step_id) lead_id, step_id, created_at from lead_event where not is_voided
      order by lead_id, step_id, id
    ) as first
    join lead on lead.id = first.lead_id
    cross join lateral (values (mexico_day(first.created_at), 1, 0), (mexico_day(lead.created_at), 0, 1))
      as change (day, events, reached)
  ), each as (${SPREAD})`

const SUMS = sql`
  select * from (
    select grain, first_day, ${KEY}, sum(leads)::int8 as leads, sum(conversions)::int8 as conversions,
      sum(accrued) as accrued, sum(in_payment) as in_payment,
      sum(paid) as paid, sum(reversed) as reversed,
      sum(events)::int8 as events, sum(reached)::int8 as reached
    from each group by 1, 2, 3, 4, 5, 6
  ) as summed where (${FIGURES}) <> (0, 0, 0, 0, 0, 0, 0, 0)`

type Drift = { source: 'actual' | 'recount'; first_day: string; grain: string; leads: number; conversions: number }

/** Sums that differ from a full recount, as they are and as they should be. */
export async function readDrift(db: Db): Promise<Drift[]> {
  const { rows } = await sql<Drift>`
    with actual as (${ACTUAL} ${SUMS}), recount as (${RECOUNT} ${SUMS})
    select 'actual' as source, * from (select * from actual except select * from recount) as only_actual
    union all
    select 'recount', * from (select * from recount except select * from actual) as only_recount order by 1`.execute(db)
  return rows
}

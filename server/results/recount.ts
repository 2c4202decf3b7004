import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

const KEY = sql`day, affiliate_id, issuer_id, product_id, slot, value`

/** Folded and not, as readers see it (queries.ts), for all slots and days. */
const ACTUAL = sql`
  select ${KEY}, leads, approved, rejected, earned from result
  union all
  select ${KEY}, leads, approved, rejected, earned from place_results(array(
    select row(0, ${KEY}, leads, approved, rejected, earned)::result_delta from (
      select ${KEY}, leads, approved, rejected, earned from result_delta
      union all
      select mexico_day(created_at), affiliate_id, issuer_id, product_id, slot, value, 1, 0, 0, 0
      from lead cross join lateral result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
      where tracking_id >= first_uncounted_id()
      union all
      select mexico_day(created_at), affiliate_id, issuer_id, product_id, slot, value, 0, approved, rejected, earned
      from result_differences(array(select distinct tracking_id from result_change)) as difference
      join lead using (tracking_id)
      cross join lateral result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
    ) as fresh))`

/** From leads, events and entries alone. */
const COUNTED = sql`
  select mexico_day(created_at) as day, affiliate_id, issuer_id, product_id, slot, value, 1 as leads,
    (told.approved and not told.rejected)::int as approved, told.rejected::int as rejected, ledger.earned
  from lead
  cross join lateral result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
  cross join lateral (
    select count(*) filter (where event_type_name in ('aprobado', 'entregado')) > 0 as approved,
      count(*) filter (where event_type_name = 'rechazado' and not exists (
        select from lead_ruling where lead_ruling.lead_id = lead.id and not lead_ruling.is_voided and through_event_id >= lead_event.id)) > 0 as rejected
    from lead_event where lead_id = lead.id and not is_voided
  ) as told
  cross join lateral (
    select coalesce(sum(amount) filter (where state <> 'reversed'), 0) as earned from commission_entry where lead_id = lead.id
  ) as ledger`

const SUMMED = sql`
  select ${KEY}, sum(leads)::int8 as leads, sum(approved)::int8 as approved, sum(rejected)::int8 as rejected,
    sum(earned) as earned`
const NOT_EMPTY = sql`having (sum(leads), sum(approved), sum(rejected), sum(earned)) <> (0, 0, 0, 0)`

/** Of the last day that retention came to, some leads have lost their values, and forget_results() comes after it. */
const IS_KEPT = sql`slot = 0
  or day > case when slot <= 5 then (select of_origin from erased_days()) else (select of_data from erased_days()) end`

interface Drift {
  source: 'actual' | 'recount'
  day: string
  slot: number
  value: string
  leads: number
  earned: string
}

/**
 * Results that differ from a full recount, as they are and as they should be. A value counts for the rest where the rest of
 * its affiliate, day and slot has a row and it has none. Of days whose values are erased only the row of all leads counts.
 */
export async function readResultDrift(db: Db): Promise<Drift[]> {
  const { rows } = await sql<Drift>`
    with each as (select * from (${ACTUAL}) as any_day where ${IS_KEPT}), actual as (
      ${SUMMED} from each group by ${KEY} ${NOT_EMPTY}
    ), named as (
      select distinct day, affiliate_id, slot, value from each
    ), counted as (select * from (${COUNTED}) as any_day where ${IS_KEPT}), recount as (
      ${SUMMED} from (
        select day, affiliate_id, issuer_id, product_id, slot, case when named.value is null and rest.value = '' then ''
          else counted.value end as value, leads, approved, rejected, earned
        from counted
        left join named using (day, affiliate_id, slot, value)
        left join (select * from named where slot <> 0 and value = '') as rest using (day, affiliate_id, slot)
      ) as placed group by ${KEY} ${NOT_EMPTY}
    )
    select 'actual' as source, * from (select * from actual except select * from recount) as only_actual
    union all
    select 'recount', * from (select * from recount except select * from actual) as only_recount
    order by day, slot, value, source`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { iso } from './calendar.ts'
import type { Clock } from './clock.ts'

/** Of payments there are few. */
const DAYS = { leads: 3, payments: 90 }

/** What the bells tell: what happened of late, read but for the last day. Nobody is mailed. */
export async function insertNotices(tx: Tx, clock: Clock): Promise<void> {
  await sql`
    insert into occurrence (type, affiliate_id, issuer_id, product_id, tracking_id, event_id, entry_id, payment_id, created_at)
    select * from (
      select 'lead.event' as type, lead.affiliate_id, lead.issuer_id, lead.product_id, lead.tracking_id, event.id as event_id,
        entry.id as entry_id, null::bigint as payment_id, event.created_at as at
      from lead_event as event join lead on lead.id = event.lead_id
      left join commission_entry as entry on entry.lead_event_id = event.id and kind = 'commission'
      where event.created_at >= ${iso(clock.ago(DAYS.leads, 0))}
      union all
      select 'commission.reversed', affiliate_id, issuer_id, product_id, tracking_id, null, id, null, updated_at
      from commission_entry
      where (state = 'reversed' or kind = 'reversal') and updated_at >= ${iso(clock.ago(DAYS.leads, 0))}
      union all
      select type, affiliate_id, issuer_id, null, null, null, null, id, at
      from payment cross join lateral (values
        ('payment.created', created_at),
        ('payment.paid', paid_at),
        ('payment.cancelled', case payment_status when 'cancelled' then updated_at end)) as happened (type, at)
      where at >= ${iso(clock.ago(DAYS.payments, 0))}
    ) as happened order by at, event_id, entry_id, payment_id, type`.execute(tx)
  await sql`select make_notices(0, (select max(id) from occurrence))`.execute(tx)
  await sql`
    update notice set mail = 'off', created_at = occurrence.created_at,
      read_at = case when occurrence.created_at < ${iso(clock.ago(1))} then occurrence.created_at end
    from occurrence where occurrence.id = occurrence_id`.execute(tx)
}

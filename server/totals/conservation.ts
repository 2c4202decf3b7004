import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { inSnapshot } from '../snapshot.ts'

/** A pair of which two sums that must be equal are not, or the number of its entries or payments that break a rule. */
interface Imbalance {
  rule: string
  affiliate_id: number
  issuer_id: number
  expected: string
  found: string
}

/** Each entry with where its peso is, as its payment says; null where entry and payment contradict each other. */
const PLACED = sql`
  select entry.*, case
    when state = 'reversed' then 'reversed'
    when payment_id is null and state = 'accrued' then 'accrued'
    when payment.archived_at is not null then null
    when payment_status = 'paid' and state = 'paid' then 'paid'
    when payment_status in ('pending', 'processing') and state = 'in_payment' then 'in_payment'
  end as place
  from commission_entry as entry left join payment on payment.id = payment_id`

/** What a pair ever earned is accrued, in a payment, paid or reversed: the kept totals against the entries themselves. */
const SUMS = sql`
  with entry as (${PLACED}), pair as (
    select affiliate_id, issuer_id, sum(amount) as ever_earned, sum(amount) filter (where place = 'accrued') as accrued,
      sum(amount) filter (where place = 'in_payment') as in_payment, sum(amount) filter (where place = 'paid') as paid,
      sum(amount) filter (where place = 'reversed') as reversed
    from entry group by 1, 2
  ), kept as (
    select affiliate_id, issuer_id, sum(accrued) as accrued, sum(in_payment) as in_payment, sum(paid) as paid,
      sum(reversed) as reversed
    from (
      select affiliate_id, issuer_id, accrued, in_payment, paid, reversed from total
      where grain = 'day' and affiliate_id <> 0 and issuer_id <> 0 and step_id = 0
      union all
      select affiliate_id, issuer_id, accrued, in_payment, paid, reversed from total_delta where step_id = 0
    ) as sums group by 1, 2
  )
  select rule, affiliate_id, issuer_id, coalesce(expected, 0)::text as expected, coalesce(found, 0)::text as found
  from pair full join kept using (affiliate_id, issuer_id)
  cross join lateral (values
    ('ever_earned = accrued + in_payment + paid + reversed', ever_earned,
      kept.accrued + kept.in_payment + kept.paid + kept.reversed),
    ('accrued', pair.accrued, kept.accrued), ('in_payment', pair.in_payment, kept.in_payment),
    ('paid', pair.paid, kept.paid), ('reversed', pair.reversed, kept.reversed)
  ) as one (rule, expected, found)
  where coalesce(expected, 0) <> coalesce(found, 0) order by affiliate_id, issuer_id, rule`

/** Entries and payments of each pair that must not exist. */
const counted = (rule: string, rows: RawBuilder<unknown>) => sql`
  select ${rule}::text as rule, affiliate_id, issuer_id, '0' as expected, count(*)::text as found
  from (${rows}) as broken group by affiliate_id, issuer_id order by affiliate_id, issuer_id`

const RULES = [
  SUMS,
  counted('an entry is in the state of its payment', sql`select * from (${PLACED}) as entry where place is null`),
  counted(
    'a paid payment holds what was calculated',
    sql`select payment.* from payment where payment_status = 'paid' and archived_at is null and calculated_amount <> (
      select coalesce(sum(amount), 0) from commission_entry
      where payment_id = payment.id and state <> 'reversed' and of_payment is null)`,
  ),
  counted(
    'a paid payment is the sum of its entries',
    sql`select payment.* from payment where payment_status = 'paid' and archived_at is null and total_amount <> (
      select coalesce(sum(amount), 0) from commission_entry where payment_id = payment.id and state <> 'reversed')`,
  ),
  counted(
    'no payment was calculated on a balance against the affiliate',
    sql`select payment.* from payment where archived_at is null and calculated_amount < 0`,
  ),
  counted(
    'a payment holds entries of its own pair',
    sql`select entry.* from commission_entry as entry join payment on payment.id = payment_id
      where (entry.affiliate_id, entry.issuer_id) <> (payment.affiliate_id, payment.issuer_id)`,
  ),
  counted(
    'an entry takes back, or gives back, the whole of one that is not reversed',
    sql`select answer.* from commission_entry as answer join commission_entry as entry on entry.id = answer.reversal_of
      where answer.amount <> -entry.amount or entry.state = 'reversed' or (answer.kind = 'reversal') = (entry.kind = 'reversal')
        or (answer.lead_id, answer.step_id, answer.affiliate_id, answer.issuer_id)
          <> (entry.lead_id, entry.step_id, entry.affiliate_id, entry.issuer_id)
        or answer.compensates is distinct from entry.compensates`,
  ),
  counted(
    'what a lead earned stands unless it is rejected or its event is void',
    sql`select affiliate_id, issuer_id from commission_entry as entry where lead_id is not null
      group by affiliate_id, issuer_id, lead_id, step_id
      having sum(case when state = 'reversed' then 0 when kind = 'reversal' then -1 else 1 end)
        <> case when exists (select from rejection_of(lead_id)) or is_step_void(lead_id, step_id) then 0 else 1 end`,
  ),
  counted(
    'what compensates a commission stands with it unless it was voided',
    sql`select entry.affiliate_id, entry.issuer_id
      from commission_entry as entry join commission_entry as earned on earned.id = entry.compensates
      group by entry.affiliate_id, entry.issuer_id, earned.lead_id, earned.step_id, earned.id
      having coalesce(sum(entry.amount) filter (where entry.state <> 'reversed'), 0)
        <> case when exists (select from rejection_of(earned.lead_id)) or is_step_void(earned.lead_id, earned.step_id) then 0
          else coalesce(sum(entry.amount) filter (where entry.reversal_of is null and not entry.is_voided), 0) end`,
  ),
  counted(
    'what compensates a commission waits for no approval that was given',
    sql`select entry.* from commission_entry as entry join commission_entry as earned on earned.id = entry.compensates
      where entry.due_on = 'infinity' and earned.due_on <> 'infinity'`,
  ),
  counted(
    'an entry is what its rate says, which is of its product, affiliate and step and began before it',
    // The rate is looked up when the statement begins, the entry dated when its transaction did.
    sql`select entry.* from commission_entry as entry join rate on rate.id = rate_id
      where entry.kind = 'commission' and (rate.amount is distinct from entry.amount or rate.product_id <> entry.product_id
        or rate.affiliate_id <> entry.affiliate_id or rate.event_step_id <> entry.step_id
        or rate.commission_id is distinct from entry.commission_id or rate.valid_from > earned_at + interval '10 minutes')`,
  ),
  counted(
    'nothing is due before it is earned',
    sql`select * from commission_entry where due_on < mexico_day(earned_at) and of_payment is null`,
  ),
  counted(
    'no payment takes what is held or waits for an approval',
    sql`select * from commission_entry where (due_on = 'infinity' or is_held) and state in ('in_payment', 'paid')`,
  ),
  counted(
    'nothing is due before its validation ends',
    sql`select * from commission_entry where due_on < validation_ends_on and kind = 'commission'`,
  ),
]

/**
 * Where the books do not balance; empty when every peso that a pair earned is in exactly one place. One snapshot, so it
 * can be read while events and payments are stored.
 */
export const readImbalances = (db: Db): Promise<Imbalance[]> =>
  inSnapshot(db, async (tx) => {
    const found: Imbalance[] = []
    for (const rule of RULES) found.push(...(await sql<Imbalance>`${rule}`.execute(tx)).rows)
    return found
  })

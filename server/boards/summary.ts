import { sql } from 'kysely'
import { type Attention, type Due, SUMMARY_DAYS, type Summary, type SummaryDay } from '#contract/summary.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { countGaps } from '../commissions/gaps.ts'
import type { CommissionViewer } from '../commissions/queries.ts'
import { firstOf } from '../first-of.ts'
import { sumWaiting } from '../ledger/waiting.ts'
import { ownParties, type Party } from '../parties.ts'
import { earned, isOf, sumsOf } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'
import { listSilentIssuers } from './silent.ts'

/** The head of everybody's Dashboard: each reads what is its own. */
export async function readSummary(tx: Tx, viewer: Viewer, today: string = dateInMexico()): Promise<Summary> {
  const parties = ownParties(viewer)
  return {
    due: await readDue(tx, parties),
    next_payment: await findNextPayment(tx, parties, today),
    days: await readDays(tx, parties, today),
    attention: viewer.role === 'affiliate' ? null : await readAttention(tx, viewer, today),
  }
}

const unpaid = sql`archived_at is null and payment_status in ('pending', 'processing')`

/** What was earned and is not paid: in no payment, and in open ones. */
export async function readDue(tx: Tx, parties: Party[]): Promise<Due> {
  const { rows } = await sql<Due>`
    select accrued.*, (
      select coalesce(sum(amount), 0.00)
      from (select id from payment where ${unpaid} and ${isOf(parties)}) as payment
      join commission_entry on payment_id = payment.id and state = 'in_payment'
    ) as in_payment
    from (
      select coalesce(sum(amount), 0.00) as accrued, count(*)::int8 as entries,
        min(due_on) filter (where due_on <= mexico_day(now()) and not is_held) as since
      from commission_entry where state = 'accrued' and ${isOf(parties)}
    ) as accrued`.execute(tx)
  return firstOf(rows)
}

/** What open payments hold, each with its difference, as what is in payment is summed up; and whether it changed since. */
const held = sql`(
  select payment.*, amount, amount <> total_amount as has_changed
  from payment cross join lateral (
    select coalesce(sum(amount), 0.00) as amount from commission_entry
    where payment_id = payment.id and state = 'in_payment'
  ) as entries
  where ${unpaid}
) as payment`

/** One whose day has passed unpaid is told only while no other is to come. */
async function findNextPayment(tx: Tx, parties: Party[], today: string): Promise<Summary['next_payment']> {
  const { rows } = await sql<NonNullable<Summary['next_payment']>>`
    select payment_date as day, sum(amount) as amount, bool_or(has_changed) as has_changed
    from ${held} where payment_date is not null and ${isOf(parties)}
    group by payment_date order by payment_date < ${today}::date, payment_date limit 1`.execute(tx)
  return rows[0] ?? null
}

/** A day on which nothing happened is a zero. */
async function readDays(tx: Tx, parties: Party[], today: string): Promise<SummaryDay[]> {
  const from = addDays(today, -SUMMARY_DAYS)
  const { recent, byDay } = await sumsOf(tx, { parties, periods: [{ from, to: today }] })
  const { rows } = await sql<SummaryDay>`
    with ${recent}
    select day, coalesce(sum(leads), 0)::int8 as leads, greatest(coalesce(sum(conversions), 0), 0)::int8 as conversions,
      coalesce(sum(${earned}), 0.00) as commission
    from (select day::date from generate_series(${from}::date, ${today}::date, interval '1 day') as day) as calendar
    left join ${byDay} using (day) group by day order by day`.execute(tx)
  return rows
}

async function readAttention(tx: Tx, viewer: CommissionViewer, today: string): Promise<Attention> {
  const { rows } = await sql<Pick<Attention, 'payments' | 'payments_amount' | 'payments_changed'>>`
    select count(*)::int8 as payments, coalesce(sum(amount), 0.00) as payments_amount,
      count(*) filter (where has_changed)::int8 as payments_changed
    from ${held} where payment_status = 'pending' and ${isOf(ownParties(viewer))}`.execute(tx)
  return {
    ...firstOf(rows),
    approvals: await sumWaiting(tx, viewer),
    commission_gaps: await countGaps(tx, viewer),
    silent_issuers: await listSilentIssuers(tx, viewer.role === 'issuer' ? viewer.issuerId : null, today),
  }
}

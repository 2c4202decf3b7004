import { type RawBuilder, sql } from 'kysely'
import {
  COMPENSATED,
  COMPENSATION_MAX,
  COMPENSATION_STALE,
  COMPENSATION_TOO_LARGE,
  type Compensation,
  type RateCreate,
} from '#contract/rates.ts'
import { startOfDay } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { conflict } from '../http/errors.ts'
import { momentOf } from './in-force.ts'
import { type Scope, width, widthOf } from './set.ts'

type Asked = Pick<RateCreate, 'amount' | 'valid_from'>

interface Compensated {
  compensation: NonNullable<RateCreate['compensation']>
}

interface Owned extends Scope {
  affiliate_id: number | null
  issuer_id: number
}

/**
 * The commissions since a day that stand, were earned by what the change replaces, and have had another amount: each with
 * what is missing to the new one, less what was compensated before.
 */
function uncompensated(owned: Owned, form: Asked, since: string): RawBuilder<unknown> {
  const { product_id, affiliate_id, event_step_id, issuer_id } = owned
  const from = new Date(startOfDay(since)).toISOString()
  return sql`
    select entry.*, ${form.amount}::numeric - entry.amount - given.amount as missing
    from commission_entry as entry
    left join rate as earned_by on earned_by.id = entry.rate_id
    left join lateral rate_at(${product_id}, entry.affiliate_id, entry.step_id, ${momentOf(form)}) as past on true
    cross join lateral (
      select coalesce(sum(amount), 0) as amount from commission_entry as other
      where other.compensates = entry.id and other.state <> 'reversed'
    ) as given
    where entry.issuer_id = ${issuer_id} and entry.product_id = ${product_id} and entry.kind = 'commission'
      and entry.earned_at >= ${from} and entry.state <> 'reversed'
      and ${affiliate_id === null ? sql`true` : sql`entry.affiliate_id = ${affiliate_id}`}
      and ${event_step_id === null ? sql`true` : sql`entry.step_id = ${event_step_id}`}
      -- Not taken back since it was paid, or given back again.
      and (select coalesce(sum(case kind when 'reversal' then -1 else 1 end), 0) from commission_entry as answer
        where answer.lead_id = entry.lead_id and answer.step_id = entry.step_id and answer.reversal_of is not null
          and answer.state <> 'reversed') = 0
      and (past.id is null or ${width('past.commission_id', 'past.event_step_id')} <= ${widthOf(owned)})
      and ${width('entry.commission_id', 'earned_by.event_step_id')} <= ${widthOf(owned)}
      and ${form.amount}::numeric <> entry.amount + given.amount`
}

/** How many adjustments there would be, and their sum. */
export async function previewCompensation(tx: Tx, owned: Owned, form: Asked, since: string) {
  const { rows } = await sql<Compensation>`
    select count(*)::int as entries, coalesce(sum(missing), 0)::numeric(14, 2) as amount,
      count(*) filter (where state = 'paid')::int as paid
    from (${uncompensated(owned, form, since)}) as entry`.execute(tx)
  return rows[0] as Compensation
}

/**
 * Writes them beside the rate that was just set, as they were shown. They can be paid when their commission can, and from
 * today on.
 */
export async function compensate(
  tx: Tx,
  viewer: { userId: number },
  owned: Owned,
  rateId: number,
  { compensation, ...form }: Asked & Compensated,
) {
  const { since, note, entries, amount } = compensation
  // In one order, like every lock of entries; what is read afterwards moves no more.
  await sql`select from commission_entry where id in (select id from (${uncompensated(owned, form, since)}) as entry)
    order by id for no key update`.execute(tx)
  const found = await previewCompensation(tx, owned, form, since)
  if (found.entries !== entries || found.amount !== amount) throw conflict(COMPENSATION_STALE, 'COMPENSATION_STALE')
  if (entries > COMPENSATION_MAX) throw conflict(COMPENSATION_TOO_LARGE, 'COMPENSATION_TOO_LARGE')
  await sql`
    insert into commission_entry (relationship_id, affiliate_id, issuer_id, product_id, amount, kind, state, converts,
      due_on, author_id, note, compensates, compensating_rate_id)
    select relationship_id, affiliate_id, issuer_id, product_id, missing, 'adjustment', 'accrued', 0,
      greatest(mexico_day(now()), case due_on when 'infinity' then validation_ends_on else due_on end),
      ${viewer.userId}, ${note}, id, ${rateId}
    from (${uncompensated(owned, form, since)}) as entry order by id`.execute(tx)
}

/** With the change that is cancelled go its adjustments, while no payment has any. */
export async function takeBackCompensation(tx: Tx, rateId: number): Promise<void> {
  const own = await tx
    .selectFrom('commission_entry')
    .select(['id', 'state'])
    .where('compensating_rate_id', '=', rateId)
    .where('state', '<>', 'reversed')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (own.some(({ state }) => state !== 'accrued')) throw conflict(COMPENSATED, 'COMPENSATED')
  await tx
    .updateTable('commission_entry')
    .set({ state: 'reversed', reason: 'El cambio de la comisión se canceló' })
    .where('compensating_rate_id', '=', rateId)
    .where('state', '=', 'accrued')
    .execute()
}

import { type RawBuilder, sql } from 'kysely'
import {
  CANCELLED_BY_ADMIN,
  COMPENSATED,
  COMPENSATION_MAX,
  COMPENSATION_STALE,
  COMPENSATION_TOO_LARGE,
  type Compensated,
  type Compensation,
  type RateCreate,
} from '#contract/rates.ts'
import { startOfDay } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { CommissionViewer } from '../commissions/queries.ts'
import { conflict, forbidden, notFound } from '../http/errors.ts'
import { lockLeads } from '../leads/lock.ts'
import { momentOf } from './in-force.ts'
import { listedRates } from './queries.ts'
import { type Scope, width, widthOf } from './set.ts'

type Asked = Pick<RateCreate, 'amount' | 'valid_from'>

interface WithCompensation {
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
    left join rate as basis on basis.id = entry.rate_id
    left join lateral rate_at(${product_id}, entry.affiliate_id, entry.step_id, ${momentOf(form)}) as past on true
    cross join lateral (
      select coalesce(sum(amount), 0.00) as amount from commission_entry as other
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
      and ${width('entry.commission_id', 'basis.event_step_id')} <= ${widthOf(owned)}
      and ${form.amount}::numeric <> entry.amount + given.amount`
}

/** How many adjustments there would be, and their sum; what is held is left out. */
export async function previewCompensation(tx: Tx, owned: Owned, form: Asked, since: string) {
  const { rows } = await sql<Compensation>`
    select count(*) filter (where not is_held)::int as entries, count(*) filter (where state = 'paid')::int as paid,
      coalesce(sum(missing) filter (where not is_held), 0.00) as amount,
      count(*) filter (where is_held)::int as held
    from (${uncompensated(owned, form, since)}) as entry`.execute(tx)
  return rows[0] as Compensation
}

/**
 * Writes them beside the rate that was just set, and none but those that were shown. They can be paid when their commission
 * can, and from today on; while it waits for its approval, they wait with it.
 */
export async function compensate(
  tx: Tx,
  viewer: { userId: number },
  owned: Owned,
  rateId: number,
  { compensation, ...form }: Asked & WithCompensation,
) {
  const { since, note, entries, amount } = compensation
  if (entries > COMPENSATION_MAX) throw conflict(COMPENSATION_TOO_LARGE, 'COMPENSATION_TOO_LARGE')
  const free = sql`select * from (${uncompensated(owned, form, since)}) as entry where not is_held`
  const shown = await sql<{ id: number; tracking_id: string }>`
    select id, tracking_id from (${free}) as entry limit ${entries + 1}`.execute(tx)
  const ids = shown.rows.map(({ id }) => id)
  // With their leads, so that nobody rejects one meanwhile: what compensates it would stand alone.
  await lockLeads(
    tx,
    owned.issuer_id,
    shown.rows.map(({ tracking_id }) => tracking_id),
  )
  // In one order, like every lock of entries.
  await sql`select from commission_entry where id = any(${ids}) order by id for no key update`.execute(tx)
  // These move no more, and what was earned since they were read is not among them.
  const { rows } = await sql<Pick<Compensation, 'entries' | 'amount'>>`
    with made as (
      insert into commission_entry (relationship_id, affiliate_id, issuer_id, product_id, amount, kind, state, converts,
        due_on, validation_ends_on, author_id, note, compensates, compensating_rate_id)
      select relationship_id, affiliate_id, issuer_id, product_id, missing, 'adjustment', 'accrued', 0,
        greatest(mexico_day(now()), due_on), validation_ends_on, ${viewer.userId}, ${note}, id, ${rateId}
      from (${free}) as entry where id = any(${ids}) order by id
      returning amount
    ) select count(*)::int as entries, coalesce(sum(amount), 0.00) as amount from made`.execute(tx)
  const [made] = rows
  if (made?.entries !== entries || made.amount !== amount) throw conflict(COMPENSATION_STALE, 'COMPENSATION_STALE')
}

/** What goes with a change while it is cancelled; what ends later leaves it. */
export async function readCompensated(db: Db, viewer: CommissionViewer, rateId: number): Promise<Compensated> {
  const rate = await listedRates(db, viewer, {})
    .select('version.id')
    .where('version.id', '=', rateId)
    .executeTakeFirst()
  if (!rate) throw notFound('Tarifa')
  const { rows } = await sql<Compensated>`
    select count(*) filter (where reversal_of is null and state <> 'reversed')::int as entries,
      count(*) filter (where reversal_of is not null or state in ('in_payment', 'paid'))::int as locked,
      coalesce(sum(amount) filter (where state <> 'reversed'), 0.00) as amount
    from commission_entry where compensating_rate_id = ${rateId} and not is_voided`.execute(db)
  return rows[0] as Compensated
}

/**
 * With the change that is cancelled go its adjustments, while no payment has any, or had one that its lead took back. Like
 * any adjustments, administrators alone take them back.
 */
export async function takeBackCompensation(tx: Tx, { role }: CommissionViewer, rateId: number): Promise<void> {
  const own = await tx
    .selectFrom('commission_entry')
    .select(['id', 'state', 'reversal_of'])
    .where('compensating_rate_id', '=', rateId)
    .where('is_voided', '=', false)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (own.length && role !== 'admin') throw forbidden(CANCELLED_BY_ADMIN)
  const isFree = ({ state, reversal_of }: (typeof own)[number]) =>
    reversal_of === null && (state === 'accrued' || state === 'reversed')
  if (!own.every(isFree)) throw conflict(COMPENSATED, 'COMPENSATED')
  await tx
    .updateTable('commission_entry')
    .set({ state: 'reversed', is_voided: true, reason: 'El cambio de la comisión se canceló' })
    .where('compensating_rate_id', '=', rateId)
    .where('is_voided', '=', false)
    .execute()
}

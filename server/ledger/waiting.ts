import { sql } from 'kysely'
import type { Approval, ApproveForm, EntryState, WaitingFilters, WaitingPage } from '#contract/commission-entries.ts'
import { counted } from '#contract/numbers.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { type PageQuery, paginationOf } from '../http/lists.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader, Viewer } from '../viewer.ts'
import { sumOfEntries } from './claims.ts'
import { kindOf } from './origin.ts'

type Approver = Exclude<Viewer, { role: 'affiliate' }>
type WaitingReader = Exclude<Reader, { role: 'affiliate' }>

/** Every read starts here, so no caller can forget whose rows these are. */
function visibleEntries(db: Db | Tx, viewer: WaitingReader) {
  const rows = db.selectFrom('commission_entry')
  return viewer.role === 'admin' ? rows : rows.where('commission_entry.issuer_id', '=', viewer.issuerId)
}

/** What compensates a commission waits and is approved with it, not by itself. */
const isWaiting = sql<boolean>`(commission_entry.due_on = 'infinity' and commission_entry.state = 'accrued'
  and commission_entry.compensates is null)`

function waitingEntries(db: Db | Tx, viewer: WaitingReader, { product_id, affiliate_id, issuer_id }: WaitingFilters) {
  let rows = visibleEntries(db, viewer).where(isWaiting)
  if (product_id) rows = rows.where('commission_entry.product_id', '=', product_id)
  if (affiliate_id) rows = rows.where('commission_entry.affiliate_id', '=', affiliate_id)
  if (issuer_id) rows = rows.where('commission_entry.issuer_id', '=', issuer_id)
  return rows
}

/** How many wait, and their sum; and the same of those that are held besides. */
export const sumWaiting = (db: Db | Tx, viewer: WaitingReader, filters: WaitingFilters = {}) =>
  waitingEntries(db, viewer, filters)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sumOfEntries.as('amount'),
      sql<number>`count(*) filter (where is_held)`.as('held'),
      sql<string>`coalesce(sum(amount) filter (where is_held), 0.00)`.as('held_amount'),
    ])
    .executeTakeFirstOrThrow()

const described = (waiting: ReturnType<typeof waitingEntries>) =>
  waiting
    .innerJoin('lead', 'lead.tracking_id', 'commission_entry.tracking_id')
    .innerJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .innerJoin('product', 'product.id', 'commission_entry.product_id')
    .innerJoin('issuer', 'issuer.id', 'commission_entry.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'commission_entry.affiliate_id')
    .select([
      'commission_entry.id',
      kindOf,
      'commission_entry.lead_id',
      'commission_entry.tracking_id',
      'lead.external_id',
      'commission_entry.product_id',
      'product.name as product_name',
      'commission_entry.issuer_id as issuer',
      'issuer.company_name as issuer_name',
      'commission_entry.affiliate_id as affiliate',
      'affiliate.company_name as affiliate_name',
      'commission_entry.step_id',
      'lead_event.step_name',
      'commission_entry.amount',
      sql<string>`(select coalesce(sum(amount), 0.00) from commission_entry as other
        where other.compensates = commission_entry.id and other.state = 'accrued')`.as('compensation'),
      sql<EntryState>`commission_entry.state`.as('state'),
      'commission_entry.earned_at',
      'commission_entry.payment_id',
      'commission_entry.reason',
      'commission_entry.note',
      'commission_entry.is_held',
      sql<string>`coalesce(validation_ends_on, mexico_day(earned_at))`.as('validation_ends_on'),
      sql<number>`mexico_day(now()) - mexico_day(earned_at)`.as('days'),
    ])

/** The oldest first: it has waited longest. */
export const listWaiting = (db: Db, viewer: WaitingReader, filters: WaitingFilters & PageQuery): Promise<WaitingPage> =>
  inSnapshot(db, async (tx) => {
    const { page, page_size } = filters
    const { count, ...sums } = await sumWaiting(tx, viewer, filters)
    const results = await described(waitingEntries(tx, viewer, filters))
      .orderBy('commission_entry.id')
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute()
    return {
      results,
      pagination: paginationOf(count, filters),
      ...sums,
    }
  })

/** In the order asked. What was approved can be paid from the end of its validation on, today at the earliest. */
export const approveEntries = (db: Db, viewer: Approver, { ids }: ApproveForm): Promise<Approval[]> =>
  db.transaction().execute(async (tx) => {
    const found = await visibleEntries(tx, viewer)
      .select(['id', 'state', isWaiting.as('is_waiting')])
      .where('id', 'in', ids)
      .where('compensates', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const approved = found.filter(({ is_waiting }) => is_waiting).map(({ id }) => id)
    if (approved.length) {
      const amount = await approve(tx, viewer, approved)
      await audit(tx, viewer, {
        ...{ action: 'approve', entity: 'commission_entry', entityId: null },
        label: counted(approved.length, 'comisión', 'comisiones'),
        after: { ids: approved, amount },
      })
    }
    const known = new Map(found.map((entry) => [entry.id, entry]))
    return ids.map((id) => ({ id, outcome: outcomeOf(known.get(id)) }))
  })

/** Of entries that are locked, with what compensates them; the sum of it all. */
async function approve(tx: Tx, viewer: Approver, ids: number[]): Promise<string> {
  // Read after the lock, since a change that was compensating them held it; in one order, like every lock of entries.
  const compensations = await tx
    .selectFrom('commission_entry')
    .select('id')
    .where('compensates', 'in', ids)
    .where('due_on', '=', 'infinity')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const { amount } = await tx
    .with('moved', (cte) =>
      cte
        .updateTable('commission_entry')
        .set({
          due_on: sql`greatest(validation_ends_on, mexico_day(now()))`,
          approved_at: sql`now()`,
          approved_by: viewer.userId,
        })
        .where('id', 'in', [...ids, ...compensations.map(({ id }) => id)])
        .returning(['amount', 'state']),
    )
    .selectFrom('moved')
    .where('state', '=', 'accrued')
    .select(sumOfEntries.as('amount'))
    .executeTakeFirstOrThrow()
  return amount
}

function outcomeOf(entry: { state: string; is_waiting: boolean } | undefined): Approval['outcome'] {
  if (!entry) return 'not_found'
  if (entry.is_waiting) return 'approved'
  return entry.state === 'reversed' ? 'rejected' : 'already'
}

import { sql } from 'kysely'
import { DELIVERIES_PAGE, type DeliveryDetail, type DeliveryFilters, type DeliveryPage } from '#contract/deliveries.ts'
import { REPLAY_MAX, type ReplayForm } from '#contract/receivers.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { notFound } from '../http/errors.ts'
import { lockReceiver, ownReceivers } from '../receivers/queries.ts'
import { readsKeys, type Viewer } from '../viewer.ts'
import { maskPath } from './render.ts'

/** Every read of deliveries starts here: they are their receiver's. */
const ownDeliveries = (db: Db | Tx, viewer: Viewer) =>
  ownReceivers(db, viewer)
    .innerJoin('delivery', 'delivery.receiver_id', 'receiver.id')
    .leftJoin('delivery_attempt as last', (join) =>
      join.onRef('last.delivery_id', '=', 'delivery.id').onRef('last.number', '=', 'delivery.attempts'),
    )
    .select([
      ...(['delivery.id', 'delivery.seq', 'delivery.type', 'delivery.tracking_id', 'delivery.state'] as const),
      ...(['delivery.reason', 'delivery.attempts', 'last.status', 'last.error', 'delivery.created_at'] as const),
      sql<string | null>`case when delivery.state = 'waiting' then delivery.next_at end`.as('next_at'),
    ])

export async function listDeliveries(
  db: Db,
  viewer: Viewer,
  receiverId: number,
  { state, page = 1 }: DeliveryFilters,
): Promise<DeliveryPage> {
  await expectOwn(db, viewer, receiverId)
  let rows = ownDeliveries(db, viewer).where('delivery.receiver_id', '=', receiverId)
  if (state) rows = rows.where('delivery.state', '=', state)
  const found = await rows
    .orderBy('delivery.seq', 'desc')
    .limit(DELIVERIES_PAGE + 1)
    .offset((page - 1) * DELIVERIES_PAGE)
    .execute()
  const results = found.slice(0, DELIVERIES_PAGE) as DeliveryPage['results']
  return { results, has_more: found.length > DELIVERIES_PAGE }
}

async function expectOwn(db: Db, viewer: Viewer, receiverId: number): Promise<void> {
  const own = await ownReceivers(db, viewer).select('id').where('id', '=', receiverId).executeTakeFirst()
  if (!own) throw notFound('Dirección', 'encontrada')
}

export async function getDelivery(db: Db, viewer: Viewer, id: string): Promise<DeliveryDetail> {
  const found = await ownDeliveries(db, viewer)
    .select(['receiver.id as receiver', 'receiver.name as receiver_name'])
    .where('delivery.id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('Entrega', 'encontrada')
  const tries = await db
    .selectFrom('delivery_attempt')
    .select(['number', 'at', 'ms', 'status', 'error', 'peer', 'request_url', 'request_body', 'answer'])
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .execute()
  const shown = readsKeys(viewer)
    ? tries
    : tries.map(({ request_url, ...each }) => ({ ...each, request_url: maskPath(request_url) }))
  return { ...found, tries: shown } as DeliveryDetail
}

/** Due now, with all its attempts before it again. */
const ANEW = {
  state: 'waiting' as const,
  reason: null,
  settled_at: null,
  claimed_until: null,
  attempts_before: sql<number>`attempts`,
  next_at: sql<string>`now()`,
  waits_since: sql<string>`now()`,
}

/** A test is not sent again: one can be made at any time. */
export async function replayDelivery(db: Db, viewer: Viewer, id: string): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const found = await ownDeliveries(tx, viewer).where('delivery.id', '=', id).executeTakeFirst()
    if (!found) throw notFound('Entrega', 'encontrada')
    await tx
      .updateTable('delivery')
      .set(ANEW)
      .where('id', '=', id)
      .where('is_test', '=', false)
      .where('state', '<>', 'waiting')
      .execute()
    // One that waits for its next attempt has it now.
    await tx
      .updateTable('delivery')
      .set({ next_at: sql<string>`now()` })
      .where('id', '=', id)
      .where('next_at', '>', sql<string>`now()`)
      .execute()
  })
}

/** The oldest of a period first. */
export async function replayPeriod(
  db: Db,
  viewer: Viewer,
  receiverId: number,
  { from, to, state }: ReplayForm,
): Promise<{ count: number }> {
  return db.transaction().execute(async (tx) => {
    const receiver = await lockReceiver(tx, viewer, receiverId)
    const { numUpdatedRows } = await tx
      .updateTable('delivery')
      .set(ANEW)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('delivery')
          .select('id')
          .where('receiver_id', '=', receiverId)
          .where('is_test', '=', false)
          .where('state', '=', state)
          .where('created_at', '>=', from)
          .where('created_at', '<=', to)
          .orderBy('seq')
          .limit(REPLAY_MAX)
          // In the order in which they are erased; one that was sent again meanwhile is none of them any more.
          .forUpdate(),
      )
      .executeTakeFirst()
    const count = Number(numUpdatedRows)
    const after = { from, to, state, count }
    await audit(tx, viewer, { action: 'replay', entity: 'receiver', entityId: receiverId, label: receiver.name, after })
    return { count }
  })
}

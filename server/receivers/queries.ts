import { sql } from 'kysely'
import { NOT_PUBLIC } from '#contract/macros.ts'
import {
  NOTHING_OF_PRODUCT,
  RECEIVERS_MAX,
  type Receiver,
  type ReceiverCreate,
  type ReceiverUpdate,
  TOO_MANY_RECEIVERS,
} from '#contract/receivers.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import type { Dialer } from '../deliveries/dial.ts'
import { announce } from '../deliveries/occurrences.ts'
import { maskPath } from '../deliveries/render.ts'
import type { Owner, ReceiverSecrets } from '../deliveries/secrets.ts'
import { hasten } from '../deliveries/settle.ts'
import { expectElevated } from '../http/access.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { visibleProducts } from '../products/queries.ts'
import { readsKeys, type Viewer } from '../viewer.ts'

export interface Outbound {
  db: Db
  dialer: Dialer
  secrets: ReceiverSecrets
}

/** Whose receivers a viewer has: those of its company, or of the network. */
export const ownerOf = (viewer: Viewer): Owner => ({
  affiliate_id: viewer.role === 'affiliate' ? viewer.affiliateId : null,
  issuer_id: viewer.role === 'issuer' ? viewer.issuerId : null,
})

/** Every read of receivers starts here: the network's own are the administrator's, a company's nobody else's. */
export function ownReceivers(db: Db | Tx, viewer: Viewer) {
  const { affiliate_id, issuer_id } = ownerOf(viewer)
  return db
    .selectFrom('receiver')
    .where('receiver.archived_at', 'is', null)
    .where(sql<boolean>`receiver.affiliate_id is not distinct from ${affiliate_id}`)
    .where(sql<boolean>`receiver.issuer_id is not distinct from ${issuer_id}`)
}

const described = (db: Db | Tx, viewer: Viewer) =>
  ownReceivers(db, viewer)
    .leftJoin('product', 'product.id', 'receiver.product_id')
    .leftJoin('user as pauser', 'pauser.id', 'receiver.paused_by')
    .select((eb) => [
      ...(['receiver.id', 'receiver.name', 'receiver.url', 'receiver.method', 'receiver.types'] as const),
      ...(['receiver.product_id', 'product.name as product_name', 'receiver.event_types'] as const),
      ...(['receiver.status_map', 'receiver.skip_without_external_id', 'receiver.per_second'] as const),
      ...(['receiver.state', 'receiver.reason', 'receiver.paused_at', 'receiver.last_ok_at'] as const),
      'receiver.failing_since',
      sql<string | null>`pauser.first_name || ' ' || pauser.last_name`.as('paused_by'),
      'receiver.created_at',
      eb
        .selectFrom('delivery')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('receiver_id', '=', 'receiver.id')
        .where('delivery.state', '=', 'waiting')
        .$asScalar()
        .$notNull()
        .as('waiting'),
    ])

/** An address may hold its owner's token anywhere, which is for who sees keys. */
const shownTo =
  (viewer: Viewer) =>
  (receiver: Receiver): Receiver =>
    readsKeys(viewer) ? receiver : { ...receiver, url: maskPath(receiver.url) }

export const listReceivers = async (db: Db, viewer: Viewer): Promise<Receiver[]> =>
  ((await described(db, viewer).orderBy('receiver.id').execute()) as Receiver[]).map(shownTo(viewer))

export async function getReceiver(db: Db | Tx, viewer: Viewer, id: number): Promise<Receiver> {
  const found = await described(db, viewer).where('receiver.id', '=', id).executeTakeFirst()
  if (!found) throw notFound('Dirección', 'encontrada')
  return shownTo(viewer)(found as Receiver)
}

/** The row, locked. */
export async function lockReceiver(tx: Tx, viewer: Viewer, id: number) {
  const found = await ownReceivers(tx, viewer).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!found) throw notFound('Dirección', 'encontrada')
  return found
}

export async function createReceiver({ db, dialer, secrets }: Outbound, viewer: Viewer, form: ReceiverCreate) {
  const owner = ownerOf(viewer)
  return db.transaction().execute(async (tx) => {
    await expectRoom(tx, viewer)
    expectSomething(form)
    await expectGood(tx, viewer, dialer, form)
    const row = {
      ...form,
      product_id: form.product_id ?? null,
      event_types: form.event_types ?? null,
      status_map: form.status_map ?? {},
      skip_without_external_id: form.skip_without_external_id ?? viewer.role === 'affiliate',
      per_second: form.per_second ?? 10,
    }
    const { id } = await tx
      .insertInto('receiver')
      .values({
        ...row,
        ...owner,
        status_map: JSON.stringify(row.status_map),
        secret: secrets.create(owner).sealed,
        kek_id: secrets.keyId,
        created_by: viewer.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, viewer, {
      action: 'create',
      entity: 'receiver',
      entityId: id,
      label: form.name,
      after: trailOf(row),
    })
    await announceAddress(tx, viewer, id, form.url)
    return getReceiver(tx, viewer, id)
  })
}

/** One at a time, so that two cannot both find room for the last. */
async function expectRoom(tx: Tx, viewer: Viewer): Promise<void> {
  const { affiliate_id, issuer_id } = ownerOf(viewer)
  const name = `receivers of ${affiliate_id ?? 0} ${issuer_id ?? 0}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  const { count } = await ownReceivers(tx, viewer)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= RECEIVERS_MAX[viewer.role]) throw conflict(TOO_MANY_RECEIVERS, 'TOO_MANY_RECEIVERS')
}

/** Payments are of many products: with one chosen and nothing else, nothing would ever be sent. */
function expectSomething({ types, product_id }: { types: string[]; product_id?: number | null | undefined }): void {
  if (product_id != null && types.every((type) => type.startsWith('payment.')))
    throw invalid('types', NOTHING_OF_PRODUCT)
}

/** What only the server can judge. */
async function expectGood(tx: Tx, viewer: Viewer, dialer: Dialer, form: ReceiverUpdate): Promise<void> {
  if (form.url !== undefined && !dialer.isCallable(form.url)) throw invalid('url', NOT_PUBLIC)
  if (form.product_id == null) return
  const product = await visibleProducts(tx, viewer).where('product.id', '=', form.product_id).executeTakeFirst()
  if (!product) throw invalid('product_id', 'Debe seleccionar un producto')
}

/** Where it leads stays out of the trail: an address may hold its owner's token. */
const trailOf = <Row extends { url?: string | undefined }>({ url, ...row }: Row) => ({
  ...row,
  ...(url !== undefined && { host: hostOf(url) }),
})

const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

/** From now on what happens is told to another place: to everybody who may know, also to whose session it was. */
const announceAddress = (tx: Tx, viewer: Viewer, receiver_id: number, url: string) =>
  announce(tx, 'receiver.changed', { ...ownerOf(viewer), receiver_id, detail: hostOf(url) })

export async function updateReceiver({ db, dialer }: Outbound, viewer: Viewer, id: number, form: ReceiverUpdate) {
  return db.transaction().execute(async (tx) => {
    const before = await lockReceiver(tx, viewer, id)
    const moved = form.url === before.url ? undefined : form.url
    if (moved !== undefined) expectElevated(viewer)
    // One that its owner no longer sees may stay, for whoever changes something else.
    const { product_id = before.product_id, types = before.types, ...rest } = form
    expectSomething({ product_id, types })
    await expectGood(tx, viewer, dialer, product_id === before.product_id ? rest : form)
    const changes = { ...form, ...(form.status_map && { status_map: JSON.stringify(form.status_map) }) }
    if (Object.keys(changes).length) await tx.updateTable('receiver').set(changes).where('id', '=', id).execute()
    if (moved !== undefined) await announceAddress(tx, viewer, id, moved)
    const label = form.name ?? before.name
    await auditChange(tx, viewer, { entity: 'receiver', label, before: trailOf(before), after: trailOf(form) })
    return getReceiver(tx, viewer, id)
  })
}

export async function removeReceiver({ db }: Outbound, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const { name } = await lockReceiver(tx, viewer, id)
    await tx.updateTable('receiver').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    await audit(tx, viewer, { action: 'delete', entity: 'receiver', entityId: id, label: name })
  })
}

/** With nothing wrong: what happens waits, and nobody is told. One that is paused already stays as it is. */
export async function pauseReceiver({ db }: Outbound, viewer: Viewer, id: number): Promise<Receiver> {
  return db.transaction().execute(async (tx) => {
    const { name, state } = await lockReceiver(tx, viewer, id)
    if (state !== 'paused') {
      const paused_at = sql<string>`now()`
      await tx
        .updateTable('receiver')
        .set({ state: 'paused', reason: 'person', paused_at, paused_by: viewer.userId })
        .where('id', '=', id)
        .execute()
      await audit(tx, viewer, { action: 'pause', entity: 'receiver', entityId: id, label: name })
    }
    return getReceiver(tx, viewer, id)
  })
}

/** All that waited goes out, at its pace. */
export async function resumeReceiver({ db }: Outbound, viewer: Viewer, id: number): Promise<Receiver> {
  return db.transaction().execute(async (tx) => {
    const { name, state } = await lockReceiver(tx, viewer, id)
    const now = sql<string>`now()`
    await tx
      .updateTable('receiver')
      .set({
        ...{ state: 'active', reason: null, paused_at: null, paused_by: null },
        ...{ failures: 0, failing_since: null, rest_until: now },
      })
      .where('id', '=', id)
      .execute()
    await hasten(tx, id)
    if (state !== 'active') await audit(tx, viewer, { action: 'resume', entity: 'receiver', entityId: id, label: name })
    return getReceiver(tx, viewer, id)
  })
}

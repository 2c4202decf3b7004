import { sql } from 'kysely'
import {
  NETWORK_KEYS_MAX,
  type NetworkKey,
  type NetworkKeyCreate,
  type NewNetworkKey,
  TOO_MANY_NETWORK_KEYS,
} from '#contract/network-keys.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { newNetworkKey, prefixOf } from '../companies/key-text.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import type { NetworkKeys } from './network-keys.ts'

const described = (db: Db | Tx) =>
  db
    .selectFrom('network_key')
    .innerJoin('user', 'user.id', 'network_key.created_by')
    .select([
      'network_key.id',
      'network_key.name',
      'network_key.scope',
      'network_key.prefix',
      'network_key.created_at',
      sql<string>`"user".first_name || ' ' || "user".last_name`.as('creator_name'),
      'network_key.expires_at',
      'network_key.revoked_at',
      'network_key.last_used_at',
      'network_key.last_used_from',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number]
const toKey = (row: Row): NetworkKey => ({ ...row, scope: row.scope as NetworkKey['scope'] })

/** What ended stays for a year, to read who had one; then the trail alone says it. */
export const listNetworkKeys = async (db: Db): Promise<NetworkKey[]> =>
  (
    await described(db)
      .where(sql<boolean>`coalesce(revoked_at, network_key.expires_at) > now() - interval '1 year'`)
      .orderBy('network_key.id', 'desc')
      .execute()
  ).map(toKey)

export async function createNetworkKey(
  db: Db,
  viewer: Viewer,
  keys: NetworkKeys,
  { name, scope, days }: NetworkKeyCreate,
): Promise<NewNetworkKey> {
  const key = newNetworkKey()
  return db.transaction().execute(async (tx) => {
    await expectRoom(tx)
    const { id } = await tx
      .insertInto('network_key')
      .values({
        ...{ name, scope, prefix: prefixOf(key), key_hash: keys.hash(key), created_by: viewer.userId },
        expires_at: sql<string>`now() + make_interval(days => ${days})`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, viewer, {
      ...{ action: 'create', entity: 'network_key', entityId: id, label: name },
      after: { scope, days },
    })
    return { ...toKey(await described(tx).where('network_key.id', '=', id).executeTakeFirstOrThrow()), key }
  })
}

/** One at a time, so that two cannot both find room for the last. */
async function expectRoom(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('network keys', 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('network_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  if (count >= NETWORK_KEYS_MAX) throw conflict(TOO_MANY_NETWORK_KEYS, 'TOO_MANY_KEYS')
}

/** Again or after its end it changes nothing, and says nothing in the trail. */
export async function revokeNetworkKey(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const key = await tx
      .selectFrom('network_key')
      .select(['name', 'revoked_at'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!key) throw notFound('Clave', 'encontrada')
    if (key.revoked_at !== null) return
    await tx.updateTable('network_key').set({ revoked_at: sql<string>`now()` }).where('id', '=', id).execute()
    await audit(tx, viewer, { action: 'revoke_key', entity: 'network_key', entityId: id, label: key.name })
  })
}

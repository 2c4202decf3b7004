import { sql } from 'kysely'
import { ASSOCIATION_REQUIRED, LAST_ADMIN, SELF_ACTION } from '#contract/users.ts'
import type { Tx } from '#db/connect.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'

interface Standing {
  role: string
  user_status: string
  duty: string
}

/** Serializes changes that could remove an administrator: two that remove each other must not both succeed. */
const ADMINISTRATORS_LOCK = 7_210_001

/** The user to be changed. Locks before reading, so that the rules judge the current state. */
export async function lockUser(tx: Tx, id: number) {
  await sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`.execute(tx)
  const user = await tx
    .selectFrom('user')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw notFound('Usuario')
  return user
}

/** Of the others none could give anybody access again. */
const isActiveAdmin = (user: Standing | undefined): boolean =>
  user?.role === 'admin' && user.user_status === 'active' && user.duty === 'owner'

/** An administrator stays (D10), and nobody takes away their own access (D11). `after` is absent when the user goes. */
export async function expectAdminRemains(
  tx: Tx,
  viewer: Viewer,
  before: Standing & { id: number },
  after?: Standing,
): Promise<void> {
  if (!isActiveAdmin(before) || isActiveAdmin(after)) return
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('user_status', '=', 'active')
    .where('duty', '=', 'owner')
    .where('archived_at', 'is', null)
    .where('id', '<>', before.id)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw conflict(LAST_ADMIN, 'LAST_ADMIN')
  if (before.id === viewer.userId) throw conflict(SELF_ACTION, 'SELF_ACTION')
}

/** The company of a user, locked so that it cannot be archived meanwhile. */
export async function expectCompany(
  tx: Tx,
  { affiliate_id, issuer_id }: { affiliate_id: number | null; issuer_id: number | null },
): Promise<void> {
  if (affiliate_id !== null && !(await holdCompany(tx, 'affiliate', affiliate_id)))
    throw invalid('affiliate_id', ASSOCIATION_REQUIRED)
  if (issuer_id !== null && !(await holdCompany(tx, 'issuer', issuer_id)))
    throw invalid('issuer_id', ASSOCIATION_REQUIRED)
}

const holdCompany = (tx: Tx, table: 'affiliate' | 'issuer', id: number) =>
  tx.selectFrom(table).select('id').where('id', '=', id).where('archived_at', 'is', null).forShare().executeTakeFirst()

import { type RawBuilder, sql } from 'kysely'
import { ASSOCIATION_REQUIRED, LAST_ADMIN, LAST_OWNER, SELF_ACTION } from '#contract/users.ts'
import type { Tx } from '#db/connect.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'

/** Whose person somebody is; an administrator is of none. */
export interface Association {
  affiliate_id: number | null
  issuer_id: number | null
}

interface Standing {
  role: string
  user_status: string
  duty: string
}

const OWNERS_LOCK = 7_210_001

/**
 * Serializes changes that could remove an owner: two that remove each other must not both succeed. Also taken
 * before a company is deleted: that locks the company and then its people, the change of a person the other way round.
 */
export const lockOwners = (tx: Tx) => sql`select pg_advisory_xact_lock(${OWNERS_LOCK})`.execute(tx)

/**
 * The user to be changed, of this company where one is named. Locks before reading, so that the rules judge the current
 * state.
 */
export async function lockUser(tx: Tx, id: number, company?: Association) {
  await lockOwners(tx)
  let users = tx.selectFrom('user').selectAll().where('id', '=', id).where('archived_at', 'is', null)
  if (company) users = users.where(isOf(company))
  const user = await users.forUpdate().executeTakeFirst()
  if (!user) throw notFound('Usuario')
  return user
}

/** The people of a company; of none: the administrators. */
export function isOf({ affiliate_id, issuer_id }: Association): RawBuilder<boolean> {
  if (affiliate_id !== null) return sql`"user".affiliate_id = ${affiliate_id}`
  return issuer_id !== null ? sql`"user".issuer_id = ${issuer_id}` : sql`"user".role = 'admin'`
}

/** Of the others none could give anybody access again. */
const isActiveOwner = (user: Standing | undefined, role: string): boolean =>
  user?.role === role && user.user_status === 'active' && user.duty === 'owner'

/**
 * An owner stays among the administrators (D10), and in a company that changes its own people; an administrator can give
 * a company another one. Nobody takes away their own access (D11). `after` is absent when the user goes.
 */
export async function expectOwnerRemains(
  tx: Tx,
  viewer: Viewer,
  before: Standing & Association & { id: number },
  after?: Standing,
): Promise<void> {
  if (!isActiveOwner(before, viewer.role) || isActiveOwner(after, viewer.role)) return
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where(isOf(before))
    .where('user_status', '=', 'active')
    .where('duty', '=', 'owner')
    .where('archived_at', 'is', null)
    .where('id', '<>', before.id)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw viewer.role === 'admin' ? conflict(LAST_ADMIN, 'LAST_ADMIN') : conflict(LAST_OWNER, 'LAST_OWNER')
  if (before.id === viewer.userId) throw conflict(SELF_ACTION, 'SELF_ACTION')
}

/** The company of a user, locked so that it cannot be archived meanwhile. */
export async function expectCompany(tx: Tx, { affiliate_id, issuer_id }: Association): Promise<void> {
  if (affiliate_id !== null && !(await holdCompany(tx, 'affiliate', affiliate_id)))
    throw invalid('affiliate_id', ASSOCIATION_REQUIRED)
  if (issuer_id !== null && !(await holdCompany(tx, 'issuer', issuer_id)))
    throw invalid('issuer_id', ASSOCIATION_REQUIRED)
}

const holdCompany = (tx: Tx, table: 'affiliate' | 'issuer', id: number) =>
  tx.selectFrom(table).select('id').where('id', '=', id).where('archived_at', 'is', null).forShare().executeTakeFirst()

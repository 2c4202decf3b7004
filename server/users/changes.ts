import { sql } from 'kysely'
import { ASSOCIATION_REQUIRED, SELF_FACTORS, SELF_PASSWORD, type User, type UserUpdate } from '#contract/users.ts'
import type { Db, Tx } from '#db/connect.ts'
import { endLinks } from '../access-links/links.ts'
import { audit, auditChange } from '../audit.ts'
import { conflict, invalid } from '../http/errors.ts'
import { expectUnchanged } from '../http/http.ts'
import { forgetFactors } from '../second-factors/queries.ts'
import type { Viewer } from '../viewer.ts'
import { refusingTakenEmail } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { getUser } from './queries.ts'
import { revokeSessions } from './revoke-sessions.ts'
import { type Association, expectCompany, expectOwnerRemains, lockUser } from './rules.ts'

type Locked = Awaited<ReturnType<typeof lockUser>>
type Changes = Omit<UserUpdate, 'id'>

export async function updateUser(
  db: Db,
  viewer: Viewer,
  userId: number,
  { id: _, ...form }: UserUpdate,
  ifMatch?: string,
): Promise<User> {
  return db.transaction().execute(async (tx) => {
    const before = await lockUser(tx, userId)
    expectUnchanged(ifMatch, before.updated_at)
    await saveUser(tx, viewer, before, form)
    return getUser(tx, userId)
  })
}

/** Callers have locked the user, and know that the viewer may change these fields. */
export async function saveUser(tx: Tx, viewer: Viewer, before: Locked, form: Changes): Promise<void> {
  const { id } = before
  const after = merged(before, form, viewer)
  await expectOwnerRemains(tx, viewer, before, after)
  if (movesCompany(before, after) || after.user_status === 'active') await expectCompany(tx, after)
  await refusingTakenEmail(() => tx.updateTable('user').set(after).where('id', '=', id).execute())
  // A link belongs to the address that it was given to, and to what its owner was then.
  const isOther = before.email !== after.email || before.role !== after.role || movesCompany(before, after)
  if (isOther || after.user_status !== 'active') await endLinks(tx, id)
  // A session belongs to what its owner was when it began.
  if (before.role !== after.role || movesCompany(before, after)) await revokeSessions(tx, [id], 'role_change')
  else if (after.user_status !== 'active') await revokeSessions(tx, [id], after.user_status)
  await auditChange(tx, viewer, { entity: 'user', label: `${after.first_name} ${after.last_name}`, before, after })
}

/** Known fields over the stored ones (D16); the role clears the association that is not its own (D14). */
function merged(before: Locked, form: Changes, viewer: Viewer) {
  const role = form.role ?? before.role
  const association = { affiliate_id: before.affiliate_id, issuer_id: before.issuer_id, ...definedOf(form) }
  const affiliate_id = role === 'affiliate' ? association.affiliate_id : null
  const issuer_id = role === 'issuer' ? association.issuer_id : null
  if (role === 'affiliate' && affiliate_id === null) throw invalid('affiliate_id', ASSOCIATION_REQUIRED)
  if (role === 'issuer' && issuer_id === null) throw invalid('issuer_id', ASSOCIATION_REQUIRED)
  const user_status = form.user_status ?? before.user_status
  const wasSuspended = before.user_status === 'suspended'
  return {
    email: form.email ?? before.email,
    first_name: form.first_name ?? before.first_name,
    last_name: form.last_name ?? before.last_name,
    user_status,
    suspended_by_company:
      user_status === 'suspended' && (wasSuspended ? before.suspended_by_company : viewer.role !== 'admin'),
    duty: form.duty ?? before.duty,
    role,
    affiliate_id,
    issuer_id,
  }
}

const definedOf = ({ affiliate_id, issuer_id }: Changes) => ({
  ...(affiliate_id !== undefined && { affiliate_id }),
  ...(issuer_id !== undefined && { issuer_id }),
})

const movesCompany = (before: Locked, after: Association): boolean =>
  before.affiliate_id !== after.affiliate_id || before.issuer_id !== after.issuer_id

/** The row stays, since history refers to it; the address is free again (D19, D21). */
export async function removeUser(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, id)
    await expectOwnerRemains(tx, viewer, user)
    await tx.updateTable('user').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    await revokeSessions(tx, [id], 'deleted')
    await audit(tx, viewer, { action: 'delete', entity: 'user', entityId: id, label: nameOf(user) })
  })
  return undefined
}

export async function resetPassword(db: Db, viewer: Viewer, id: number, password: string): Promise<undefined> {
  // An open session alone must not suffice to change the password (ASVS 7.5.1).
  if (id === viewer.userId) throw conflict(SELF_PASSWORD, 'SELF_ACTION')
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, id)
    await tx.updateTable('user').set({ password_hash, password_given: true }).where('id', '=', id).execute()
    await endLinks(tx, id)
    await revokeSessions(tx, [id], 'password_reset')
    await audit(tx, viewer, { action: 'reset_password', entity: 'user', entityId: id, label: nameOf(user) })
  })
  return undefined
}

/** For who lost the devices; whoever found one must not go on with it. One's own are removed one by one. */
export async function removeFactors(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  if (id === viewer.userId) throw conflict(SELF_FACTORS, 'SELF_ACTION')
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, id)
    const factors = await forgetFactors(tx, id)
    await revokeSessions(tx, [id], 'factors_removed')
    const after = { factors }
    await audit(tx, viewer, { action: 'remove_factors', entity: 'user', entityId: id, label: nameOf(user), after })
  })
  return undefined
}

export async function endSessions(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, id)
    await revokeSessions(tx, [id], 'ended')
    await audit(tx, viewer, { action: 'end_sessions', entity: 'user', entityId: id, label: nameOf(user) })
  })
  return undefined
}

const nameOf = ({ first_name, last_name }: Locked): string => `${first_name} ${last_name}`

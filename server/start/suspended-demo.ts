import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { auditChange } from '../audit.ts'
import { DEMO_PASSWORD } from '../auth/demo-accounts.ts'
import { hashQueue } from '../users/hash-queue.ts'
import { matches } from '../users/passwords.ts'
import { revokeSessions } from '../users/revoke-sessions.ts'
import { starter } from './first-admin.ts'

/**
 * Suspends the demonstration's people who still hold its password, which everybody knows (D81), and returns their
 * addresses. For every start without the demonstration: the data may come from one with it.
 */
export async function suspendDemoAccounts(db: Db): Promise<string[]> {
  const { demoPeople } = await import('../demo/companies.ts')
  const people = await db
    .selectFrom('user')
    .select(['id', 'email', 'password_hash'])
    .where('email', 'in', demoPeople())
    .where('user_status', '=', 'active')
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
  const known = await thoseOf(new Set(people.map(({ password_hash }) => password_hash)))
  const ids = people.filter(({ password_hash }) => known.has(password_hash)).map(({ id }) => id)
  return ids.length ? suspend(db, ids) : []
}

/** Of these hashes the ones of the known password; the demonstration fills in one for all. */
async function thoseOf(hashes: Set<string>): Promise<Set<string>> {
  const known = new Set<string>()
  for (const hash of hashes) if (await hashQueue.run(() => matches(DEMO_PASSWORD, hash))) known.add(hash)
  return known
}

const suspend = (db: Db, ids: number[]): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const after = { user_status: 'suspended' }
    const suspended = await tx
      .updateTable('user')
      .set(after)
      .where('id', 'in', ids)
      .where('user_status', '=', 'active') // another copy of the server may be starting, too
      .returning(['id', 'email', sql<string>`first_name || ' ' || last_name`.as('label')])
      .execute()
    const before = { user_status: 'active' }
    await revokeSessions(tx, ids, after.user_status)
    for (const { id, label } of suspended)
      await auditChange(tx, starter, { entity: 'user', label, before: { id, ...before }, after })
    return suspended.map(({ email }) => email)
  })

import { sql } from 'kysely'
import type { Rights } from '#contract/auth.ts'
import type { Role } from '#contract/roles.ts'
import { type FactorRule, LAST_FACTOR, type PolicyUpdate, type SecurityPolicy } from '#contract/security-policy.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { conflict } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import { factorDue, hasFactor } from './due.ts'

export async function listPolicies(db: Db | Tx): Promise<SecurityPolicy[]> {
  const rows = await db
    .selectFrom('security_policy')
    .leftJoin('user', (join) =>
      join
        .onRef('user.role', '=', 'security_policy.role')
        .on('user.user_status', '=', 'active')
        .on('user.archived_at', 'is', null),
    )
    .select((eb) => [
      'security_policy.role',
      'second_factor',
      'grace_days',
      'replaces_given',
      'since',
      eb.fn.count<number>('user.id').as('people'),
      eb.fn.count<number>('user.id').filterWhere(sql<boolean>`not ${hasFactor}`).as('without_factor'),
      eb.fn.count<number>('user.id').filterWhere('user.password_given', '=', true).as('with_given_password'),
    ])
    .groupBy('security_policy.role')
    .orderBy(sql`array_position(array['admin', 'issuer', 'affiliate'], security_policy.role)`)
    .execute()
  return rows.map((row) => ({ ...row, role: row.role as Role, second_factor: row.second_factor as FactorRule }))
}

/** Whoever must have one already keeps the days that they were given. */
export const updatePolicy = (db: Db, viewer: Viewer, { role, ...form }: PolicyUpdate): Promise<SecurityPolicy[]> =>
  db.transaction().execute(async (tx) => {
    const { since: _, ...before } = await tx
      .selectFrom('security_policy')
      .select(['second_factor', 'grace_days', 'replaces_given', 'since'])
      .where('role', '=', role)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const begins = before.second_factor !== form.second_factor
    await tx
      .updateTable('security_policy')
      .set({ ...form, changed_by: viewer.userId, ...(begins && { since: sql<string>`now()` }) })
      .where('role', '=', role)
      .execute()
    const event = { action: 'update', entity: 'security_policy', entityId: null, label: role } as const
    await audit(tx, viewer, { ...event, before, after: { ...before, ...form } })
    return listPolicies(tx)
  })

/** For the last factor of somebody whose role must have one. */
export async function expectNotRequired(tx: Tx, { role }: Viewer): Promise<void> {
  const policy = await tx
    .selectFrom('security_policy')
    .select('role')
    .where('role', '=', role)
    .where('second_factor', '=', 'required')
    .executeTakeFirst()
  if (policy) throw conflict(LAST_FACTOR, 'LAST_FACTOR')
}

const FINE = { factor: 'fine', factor_due: null } as const

/** What the viewer is to be told of their second factor. */
export async function missingFactor(db: Db, viewer: Viewer): Promise<Pick<Rights, 'factor' | 'factor_due'>> {
  if (viewer.impersonator) return FINE
  const row = await db
    .selectFrom('user')
    .innerJoin('security_policy', 'security_policy.role', 'user.role')
    .select(['second_factor', factorDue.as('due'), hasFactor.as('has'), sql<boolean>`${factorDue} <= now()`.as('late')])
    .where('user.id', '=', viewer.userId)
    .executeTakeFirstOrThrow()
  if (row.has || row.second_factor === 'off') return FINE
  if (row.second_factor === 'asked') return { factor: 'asked', factor_due: null }
  return { factor: row.late ? 'due' : 'soon', factor_due: row.due }
}

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { OperatorError } from '#db/operator-error.ts'
import { audit } from '../audit.ts'
import type { Config } from '../config.ts'
import { insertUser } from '../users/accounts.ts'
import { hashPassword } from '../users/passwords.ts'
import { weaknessOf } from '../users/weak-passwords.ts'

export type FirstAdmin = { email: string; password: string; generated: boolean }

/** Who does what a start does. */
export const starter = { role: 'system', name: 'Afluente', requestId: 'start', address: '127.0.0.1' } as const

// Any constant shared by all copies of the server will do.
const LOCK_KEY = 771_204_120

/** Somebody must be able to sign in. Creates nobody when an active administrator who may do everything exists. */
export async function makeFirstAdmin(db: Db, config: Config): Promise<FirstAdmin | undefined> {
  if (await findAdmin(db)) return undefined
  const admin: FirstAdmin = config.admin
    ? { ...config.admin, generated: false }
    : { email: 'admin@afluente.mx', password: randomBytes(12).toString('base64url'), generated: true }
  const weakness = weaknessOf(admin.password)
  if (weakness) throw new OperatorError(`ADMIN_PASSWORD: ${weakness}`)
  const password_hash = await hashPassword(admin.password)
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx)
    if (await findAdmin(tx)) return undefined
    await insertUser(tx, starter, {
      email: admin.email,
      first_name: 'Administrador',
      last_name: 'Afluente',
      password_hash,
      role: 'admin',
      affiliate_id: null,
      issuer_id: null,
      password_given: admin.generated,
    })
    if (admin.generated) await askForAnother(tx)
    return admin
  })
}

/** It stays in the journal: whoever reads that must not have a password for good. */
async function askForAnother(tx: Tx): Promise<void> {
  const changed = await tx
    .updateTable('security_policy')
    .set({ replaces_given: true })
    .where('role', '=', 'admin')
    .where('replaces_given', '=', false)
    .executeTakeFirst()
  if (!changed.numUpdatedRows) return
  const [before, after] = [{ replaces_given: false }, { replaces_given: true }]
  const event = { action: 'update', entity: 'security_policy', entityId: null, label: 'admin' } as const
  await audit(tx, starter, { ...event, before, after })
}

/** Who may manage the others: one who only reads could let nobody in. */
const findAdmin = (db: Db | Tx) =>
  db
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('duty', '=', 'owner')
    .where('user_status', '=', 'active')
    .where('archived_at', 'is', null)
    .executeTakeFirst()

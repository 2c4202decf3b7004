import type { Duty } from '#contract/duties.ts'
import type { Role } from '#contract/roles.ts'
import { EMAIL_IN_USE } from '#contract/users.ts'
import type { Tx } from '#db/connect.ts'
import { type Actor, audit } from '../audit.ts'
import { AppError, violates } from '../http/errors.ts'

export interface NewUser {
  email: string
  first_name: string
  last_name: string
  password_hash: string
  /** Somebody else typed it. */
  password_given?: boolean
  role: Role
  duty?: Duty | undefined
  affiliate_id: number | null
  issuer_id: number | null
}

/** A user row and its audit entry; the index decides whether the address is free. Returns the id. */
export async function insertUser(tx: Tx, actor: Actor, user: NewUser): Promise<number> {
  const { id } = await refusingTakenEmail(() =>
    tx.insertInto('user').values(user).returning('id').executeTakeFirstOrThrow(),
  )
  const { password_hash: _, ...after } = user
  const label = `${user.first_name} ${user.last_name}`
  await audit(tx, actor, { action: 'create', entity: 'user', entityId: id, label, after })
  return id
}

export async function refusingTakenEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!violates(error, 'user_email_key')) throw error
    throw new AppError(409, 'DUPLICATE_EMAIL', EMAIL_IN_USE, { fieldErrors: { email: [EMAIL_IN_USE] } })
  }
}

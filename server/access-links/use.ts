import { sql } from 'kysely'
import type { z } from 'zod'
import type { AddressOnly, ChosenPassword } from '#contract/access-links.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import type { Origin } from '../auth/origin.ts'
import type { Throttle } from '../auth/throttle.ts'
import { announce } from '../deliveries/occurrences.ts'
import { enqueue } from '../mail/enqueue.ts'
import { hashPassword } from '../users/passwords.ts'
import { revokeSessions } from '../users/revoke-sessions.ts'
import type { Delivery } from './give.ts'
import { findLink } from './links.ts'

/**
 * The same statements for every address: whether somebody has it shows only after the answer, when the mail is sent or,
 * without mail, administrators are told. What one address gets is limited without a word; a network that asks too much is
 * told.
 */
export async function askForLink(
  { db, throttle, delivery }: { db: Db; throttle: Throttle; delivery: Delivery },
  { email }: z.output<typeof AddressOnly>,
  from: Origin,
): Promise<undefined> {
  if (!(await throttle.takeForgot(email, from.address))) return undefined
  await db.transaction().execute(async (tx) => {
    const mailId = await enqueue(tx, { kind: 'reset', recipient: email })
    if (mailId !== undefined && !delivery.mails) await announce(tx, 'access.asked', { mail_id: mailId })
  })
  return undefined
}

/** The password opens the door; only setting it uses the link up, and of two at once one does. */
export async function choosePassword(
  { db, throttle }: { db: Db; throttle: Throttle },
  { token, password }: z.output<typeof ChosenPassword>,
  from: Origin,
): Promise<undefined> {
  const { user_id: userId, email } = await findLink(db, token)
  const password_hash = await hashPassword(password, 'password', throttle.keys(email, from.address))
  await db.transaction().execute(async (tx) => {
    // The person's row first, as everybody who ends or makes their links locks it.
    await tx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
    const { id, purpose, ...user } = await findLink(tx, token)
    await tx.updateTable('access_link').set({ used_at: sql<string>`now()` }).where('id', '=', id).execute()
    await tx.updateTable('user').set({ password_hash, password_given: false }).where('id', '=', userId).execute()
    await revokeSessions(tx, [userId], 'password_reset')
    const actor = from.actor({ ...user, id: userId })
    await audit(tx, actor, {
      action: 'use_link',
      entity: 'user',
      entityId: userId,
      label: actor.name,
      after: { purpose },
    })
  })
  return undefined
}

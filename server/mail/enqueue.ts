import type { MailKind } from '#contract/mail.ts'
import type { Tx } from '#db/connect.ts'

interface NewMail {
  kind: MailKind
  recipient: string
  userId?: number
  createdBy?: number | null
}

/**
 * To be sent soon; returns its id, nothing when one of the kind is already waiting for the address. One that was refused
 * and waits for its next attempt, perhaps for hours, gives way: whoever asks again waits now.
 */
export async function enqueue(tx: Tx, { kind, recipient, userId, createdBy }: NewMail): Promise<number | undefined> {
  await tx
    .deleteFrom('mail')
    .where('recipient', '=', recipient)
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .where('error', 'is not', null)
    .execute()
  const made = await tx
    .insertInto('mail')
    .values({ kind, recipient, user_id: userId ?? null, created_by: createdBy ?? null })
    .onConflict((conflict) => conflict.columns(['recipient', 'kind']).where('state', '=', 'waiting').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

import type { MailKind } from '#contract/mail.ts'
import type { Db, Tx } from '#db/connect.ts'

interface NewMail {
  kind: MailKind
  recipient: string
  userId?: number
  createdBy?: number | null
}

/** To be sent soon; returns its id, nothing when one of the kind is already waiting for the address. */
export async function enqueue(
  db: Db | Tx,
  { kind, recipient, userId, createdBy }: NewMail,
): Promise<number | undefined> {
  const made = await db
    .insertInto('mail')
    .values({ kind, recipient, user_id: userId ?? null, created_by: createdBy ?? null })
    .onConflict((conflict) => conflict.columns(['recipient', 'kind']).where('state', '=', 'waiting').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

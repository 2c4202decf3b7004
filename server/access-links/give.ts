import { sql } from 'kysely'
import type { AccessLink, LinkPurpose, LinkRequest } from '#contract/access-links.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Actor, audit } from '../audit.ts'
import { conflict, notFound } from '../http/errors.ts'
import { enqueue } from '../mail/enqueue.ts'
import type { Viewer } from '../viewer.ts'
import { addressOfLink, makeLink } from './links.ts'

/** How links reach people: by mail, else they are shown to who asks for them. */
export interface Delivery {
  mails: boolean
  publicUrl: string
}

const INACTIVE = 'El usuario no está activo: un enlace no le serviría'

export const giveLink = (db: Db, viewer: Viewer, delivery: Delivery, userId: number): Promise<AccessLink> =>
  db.transaction().execute((tx) => giveLinkIn(tx, viewer, delivery, userId))

/** To somebody who was never here an invitation, else a reset. */
export async function giveLinkIn(
  tx: Tx,
  actor: Actor & { userId?: number },
  delivery: Delivery,
  userId: number,
): Promise<AccessLink> {
  const user = await tx
    .selectFrom('user')
    .select(['id', 'email', 'first_name', 'last_name', 'user_status', 'last_login'])
    .where('id', '=', userId)
    .where('archived_at', 'is', null)
    .forNoKeyUpdate() // two who give each other a link refer to each other, and need not wait for that
    .executeTakeFirst()
  if (!user) throw notFound('Usuario')
  if (user.user_status !== 'active') throw conflict(INACTIVE, 'USER_NOT_ACTIVE')
  const purpose: LinkPurpose = user.last_login === null ? 'invite' : 'reset'
  const delivered = delivery.mails ? 'mail' : 'shown'
  const label = `${user.first_name} ${user.last_name}`
  const createdBy = actor.userId ?? null
  await audit(tx, actor, {
    action: 'give_link',
    entity: 'user',
    entityId: userId,
    label,
    after: { purpose, delivered },
  })
  if (delivery.mails) {
    await enqueue(tx, { kind: purpose, recipient: user.email, userId, createdBy })
    return { purpose, delivered, url: null, expires_at: null }
  }
  await tx.deleteFrom('mail').where('recipient', '=', user.email).where('state', '=', 'waiting').execute()
  const { token, expiresAt } = await makeLink(tx, { userId, purpose, delivered, createdBy })
  return { purpose, delivered, url: addressOfLink(delivery.publicUrl, token), expires_at: expiresAt }
}

/** An address without an account is among them, too, until it is forgotten; nobody reads it. */
export const listRequests = (db: Db): Promise<LinkRequest[]> =>
  db
    .selectFrom('mail')
    .innerJoin('user', 'user.email', 'mail.recipient')
    .select((eb) => [
      'user.id as user_id',
      sql<string>`concat_ws(' ', ${eb.ref('user.first_name')}, ${eb.ref('user.last_name')})`.as('full_name'),
      'user.email',
      'user.last_login',
      'mail.created_at as asked_at',
    ])
    .where('mail.kind', '=', 'reset')
    .where('mail.state', '=', 'waiting')
    .where('mail.created_at', '>', sql<string>`now() - interval '24 hours'`)
    .where('user.user_status', '=', 'active')
    .where('user.archived_at', 'is', null)
    .orderBy('mail.id', 'desc')
    .execute()

import { sql } from 'kysely'
import { NOT_OF_DUTY } from '#contract/duties.ts'
import type { ReceiverSecret } from '#contract/receivers.ts'
import { audit } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { AppError, forbidden } from '../http/errors.ts'
import { readsKeys, type Viewer } from '../viewer.ts'
import { lockReceiver, type Outbound, ownerOf } from './queries.ts'

/** Shown to its owner, which the trail records. */
export async function revealSecret({ db, secrets }: Outbound, viewer: Viewer, id: number): Promise<ReceiverSecret> {
  if (!readsKeys(viewer)) throw forbidden(NOT_OF_DUTY)
  return db.transaction().execute(async (tx) => {
    const row = await lockReceiver(tx, viewer, id)
    const [secret] =
      secrets.open({ ...row, receiver_affiliate: row.affiliate_id, receiver_issuer: row.issuer_id }) ?? []
    if (!secret) throw new AppError(409, 'SECRET_LOST', 'El secreto no se puede leer: cámbialo por otro')
    const about = { ...ownerOf(viewer), receiver_id: id, actor_id: viewer.userId }
    await announce(tx, 'key.shown', { ...about, detail: viewer.name })
    await audit(tx, viewer, { action: 'reveal_key', entity: 'receiver', entityId: id, label: row.name })
    return { secret, before_until: validUntil(row.before_until) }
  })
}

const validUntil = (until: string | null) => (until !== null && Date.parse(until) > Date.now() ? until : null)

/** The one before signs too for a day, so that receivers can change one after another. */
export async function rotateSecret({ db, secrets }: Outbound, viewer: Viewer, id: number): Promise<ReceiverSecret> {
  return db.transaction().execute(async (tx) => {
    const before = await lockReceiver(tx, viewer, id)
    const { secret, sealed } = secrets.create(ownerOf(viewer))
    const keeps = before.kek_id === secrets.keyId
    const { before_until } = await tx
      .updateTable('receiver')
      .set({
        secret: sealed,
        kek_id: secrets.keyId,
        secret_before: keeps ? before.secret : null,
        before_until: keeps ? sql<string>`now() + interval '24 hours'` : null,
      })
      .where('id', '=', id)
      .returning('before_until')
      .executeTakeFirstOrThrow()
    await announce(tx, 'key.rotated', { ...ownerOf(viewer), receiver_id: id, detail: 'receiver' })
    await audit(tx, viewer, { action: 'rotate_key', entity: 'receiver', entityId: id, label: before.name })
    return { secret, before_until }
  })
}

import { sql } from 'kysely'
import {
  ALREADY_HELD,
  CHARGE_NOT_HELD,
  ENTRY_LOCKED,
  ENTRY_REJECTED,
  type HoldForm,
  holdReasonLabels,
  NOT_HELD,
  type ReleaseForm,
} from '#contract/holds.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { conflict, notFound } from '../http/errors.ts'
import { standing } from '../ledger/standing.ts'
import { maskNote } from '../privacy/mask.ts'
import type { Viewer } from '../viewer.ts'

/** No payment takes it until it is released. One that a payment holds already cannot be held. */
export async function holdEntry(db: Db, viewer: Viewer, id: number, { reason, ...form }: HoldForm): Promise<undefined> {
  const note = maskNote(form.note)
  await db.transaction().execute(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (entry.is_held) throw conflict(ALREADY_HELD, 'ALREADY_HELD')
    if (entry.state === 'reversed') throw conflict(ENTRY_REJECTED, 'ENTRY_REJECTED')
    if (entry.state !== 'accrued') throw conflict(ENTRY_LOCKED, 'ENTRY_LOCKED')
    if (entry.standing === 'charge') throw conflict(CHARGE_NOT_HELD, 'ENTRY_CHARGE')
    await tx.insertInto('entry_hold').values({ entry_id: id, reason, note, opened_by: viewer.userId }).execute()
    const after = { reason: holdReasonLabels[reason], note }
    await announce(tx, 'hold.opened', { ...aboutOf(entry), actor_id: viewer.userId, detail: reason })
    await audit(tx, viewer, { action: 'hold', entity: 'commission_entry', entityId: id, label: String(id), after })
  })
}

export async function releaseEntry(db: Db, viewer: Viewer, id: number, form: ReleaseForm): Promise<undefined> {
  const note = maskNote(form.note)
  await db.transaction().execute(async (tx) => {
    const entry = await lockEntry(tx, id)
    const released = await tx
      .updateTable('entry_hold')
      .set({ released_by: viewer.userId, released_at: sql`now()`, release_note: note })
      .where('entry_id', '=', id)
      .where('released_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!released) throw conflict(NOT_HELD, 'NOT_HELD')
    await tx
      .updateTable('commission_entry')
      // Its period may be paid already; infinity while it waits for an approval, which is later than any day.
      .set({ due_on: sql`greatest(due_on, mexico_day(now()))` })
      .where('id', '=', id)
      .where('state', '=', 'accrued')
      .execute()
    const after = { note }
    await announce(tx, 'hold.released', { ...aboutOf(entry), actor_id: viewer.userId })
    await audit(tx, viewer, { action: 'release', entity: 'commission_entry', entityId: id, label: String(id), after })
  })
}

const aboutOf = ({ id, affiliate_id, issuer_id, product_id }: Awaited<ReturnType<typeof lockEntry>>) => ({
  ...{ affiliate_id, issuer_id, product_id },
  entry_id: id,
})

/** Locked, so that no payment takes it meanwhile. */
async function lockEntry(tx: Tx, id: number) {
  const entry = await tx
    .selectFrom('commission_entry')
    .select(['id', 'state', 'is_held', 'affiliate_id', 'issuer_id', 'product_id', standing.as('standing')])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!entry) throw notFound('Comisión')
  return entry
}

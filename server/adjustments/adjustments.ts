import { type RawBuilder, sql } from 'kysely'
import {
  ADJUSTMENT_ANSWERED,
  ADJUSTMENT_LOCKED,
  ADJUSTMENT_OF_PAYMENT,
  ADJUSTMENT_VOIDED,
  type Adjustment,
  type AdjustmentCreate,
  type AdjustmentVoid,
  PRODUCT_STRANGE,
} from '#contract/adjustments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { otherRequest } from '../http/idempotency.ts'
import { maskNote } from '../privacy/mask.ts'
import { lockPair } from '../relationships/pair.ts'
import { type AdjustmentViewer, getAdjustment } from './queries.ts'

/** Also of a pair that has ended: what is owed to it is paid as its finiquito (D79). Once for a key of its author. */
export const createAdjustment = (
  db: Db,
  viewer: AdjustmentViewer,
  sent: AdjustmentCreate,
  request_key: string | null,
): Promise<Adjustment> =>
  db.transaction().execute(async (tx) => {
    const form = { ...sent, note: maskNote(sent.note) }
    const { relationship, product_id = null, kind, amount, note } = form
    // First: its relationship may be another pair's by now.
    const before = await findWritten(tx, viewer, form, request_key)
    if (before) return before
    const owner = await lockOwner(tx, form)
    if (product_id !== null) await expectProduct(tx, product_id, owner.issuer_id)
    const row = {
      ...{ ...owner, relationship_id: relationship, product_id, kind, amount, note, request_key },
      ...{ due_on: dueOn(form, sql`now()`), state: 'accrued', converts: 0, author_id: viewer.userId },
    }
    const made = await tx
      .insertInto('commission_entry')
      .values(row)
      .onConflict((taken) =>
        taken.columns(['author_id', 'request_key']).where('request_key', 'is not', null).doNothing(),
      )
      .returning(['id', 'due_on'])
      .executeTakeFirst()
    if (!made) {
      const written = await findWritten(tx, viewer, form, request_key)
      if (!written) throw otherRequest()
      return written
    }
    const { id, due_on } = made
    const after = { kind, amount, note, due_on, product_id }
    await audit(tx, viewer, { action: 'create', entity: 'adjustment', entityId: id, label: String(id), after })
    return getAdjustment(tx, viewer, id)
  })

/** By the clock that says when it is earned, before which nothing is due: midnight may pass after the form was read. */
const dueOn = ({ due_on = null }: AdjustmentCreate, moment: RawBuilder<unknown>) =>
  sql<string>`greatest(${due_on}::date, mexico_day(${moment}))`

/** What the same request wrote before. */
async function findWritten(
  tx: Tx,
  viewer: AdjustmentViewer,
  form: AdjustmentCreate,
  requestKey: string | null,
): Promise<Adjustment | undefined> {
  if (requestKey === null) return undefined
  const { pair } = form
  const written = await tx
    .selectFrom('commission_entry')
    .select('id')
    .where('author_id', '=', viewer.userId)
    .where('request_key', '=', requestKey)
    .where('relationship_id', '=', form.relationship)
    .where('product_id', 'is not distinct from', form.product_id ?? null)
    .where('kind', '=', form.kind)
    .where('amount', '=', form.amount)
    .where('note', '=', form.note)
    .where('due_on', '=', dueOn(form, sql`earned_at`))
    .where(({ and }) => and(pair ? { affiliate_id: pair.affiliate, issuer_id: pair.issuer } : {}))
    .executeTakeFirst()
  return written && getAdjustment(tx, viewer, written.id)
}

export const voidAdjustment = (
  db: Db,
  viewer: AdjustmentViewer,
  id: number,
  form: AdjustmentVoid,
): Promise<Adjustment> =>
  db.transaction().execute(async (tx) => {
    const note = maskNote(form.note)
    const entry = await tx
      .selectFrom('commission_entry')
      .select(['state', 'of_payment', 'amount', 'is_voided'])
      .where('id', '=', id)
      .where('kind', 'in', ['bonus', 'adjustment'])
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!entry) throw notFound('Movimiento')
    if (entry.of_payment !== null) throw conflict(ADJUSTMENT_OF_PAYMENT, 'ADJUSTMENT_OF_PAYMENT')
    if (entry.is_voided) throw conflict(ADJUSTMENT_VOIDED, 'ADJUSTMENT_VOIDED')
    // One that its lead took back stays so, whatever becomes of the lead.
    if (entry.state !== 'accrued' && entry.state !== 'reversed') throw conflict(ADJUSTMENT_LOCKED, 'ENTRY_LOCKED')
    await expectUnanswered(tx, id)
    const voided = { state: 'reversed', is_voided: true, reason: note }
    await tx.updateTable('commission_entry').set(voided).where('id', '=', id).execute()
    const after = { amount: entry.amount, note }
    await audit(tx, viewer, { action: 'void', entity: 'adjustment', entityId: id, label: String(id), after })
    return getAdjustment(tx, viewer, id)
  })

/** It was paid once, and its lead took it back. */
async function expectUnanswered(tx: Tx, id: number): Promise<void> {
  const answer = await tx.selectFrom('commission_entry').select('id').where('reversal_of', '=', id).executeTakeFirst()
  if (answer) throw conflict(ADJUSTMENT_ANSWERED, 'ENTRY_LOCKED')
}

async function lockOwner(tx: Tx, { relationship, pair }: AdjustmentCreate) {
  const owner = await lockPair(tx, relationship, pair, 'relationship')
  if (!owner) throw invalid('relationship', 'Debe seleccionar una relación')
  const { affiliate_id, issuer_id } = owner
  return { affiliate_id, issuer_id }
}

async function expectProduct(tx: Tx, id: number, issuerId: number): Promise<void> {
  const product = await tx
    .selectFrom('product')
    .select('id')
    .where('id', '=', id)
    .where('issuer_id', '=', issuerId)
    .executeTakeFirst()
  if (!product) throw invalid('product_id', PRODUCT_STRANGE)
}

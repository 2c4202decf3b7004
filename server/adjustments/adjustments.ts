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
import { dateInMexico } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { type AdjustmentViewer, getAdjustment } from './queries.ts'

/** Also of a pair that has ended: what is owed to it is paid as its finiquito (D79). */
export const createAdjustment = (
  db: Db,
  viewer: AdjustmentViewer,
  { relationship, product_id = null, kind, amount, note, due_on }: AdjustmentCreate,
): Promise<Adjustment> =>
  db.transaction().execute(async (tx) => {
    const pair = await findPair(tx, relationship)
    if (product_id !== null) await expectProduct(tx, product_id, pair.issuer_id)
    const row = {
      ...{ ...pair, relationship_id: relationship, product_id, kind, amount, note },
      ...{ due_on: due_on ?? dateInMexico(), state: 'accrued', converts: 0, author_id: viewer.userId },
    }
    const { id } = await tx.insertInto('commission_entry').values(row).returning('id').executeTakeFirstOrThrow()
    const after = { kind, amount, note, due_on: row.due_on, product_id }
    await audit(tx, viewer, { action: 'create', entity: 'adjustment', entityId: id, label: String(id), after })
    return getAdjustment(tx, viewer, id)
  })

export const voidAdjustment = (
  db: Db,
  viewer: AdjustmentViewer,
  id: number,
  { note }: AdjustmentVoid,
): Promise<Adjustment> =>
  db.transaction().execute(async (tx) => {
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

async function findPair(tx: Tx, relationshipId: number) {
  const pair = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id'])
    .where('id', '=', relationshipId)
    .executeTakeFirst()
  if (!pair) throw invalid('relationship', 'Debe seleccionar una relación')
  return pair
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

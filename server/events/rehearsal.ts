import { sql } from 'kysely'
import { testProductOf } from '#contract/integration.ts'
import type { Db, Tx } from '#db/connect.ts'
import { mindingSpool } from '../spool/spooled-leads.ts'
import { storeEvents } from './events.ts'
import type { Intake } from './intake.ts'
import type { ReadEvent } from './read-event.ts'
import { type CleanEvent, cleanEvent, type Outcome, type Sender, unknownLead, withWarnings } from './sent-events.ts'

export type Rehearsal = Pick<Intake, 'db' | 'spool' | 'digestKey'>

/**
 * What would become of an event: it is stored like any other and the transaction is rolled back, so nothing that reads
 * leads, events, entries or totals needs to know of tests.
 */
export async function rehearseEvent(parts: Rehearsal, sender: Sender, read: ReadEvent): Promise<Outcome> {
  const { db, spool, digestKey } = parts
  const { data: event, warnings } = cleanEvent(digestKey, sender, read.event)
  const rehearse = () => rolledBack(db, (tx) => rehearseIn(tx, sender, event))
  return withWarnings(await mindingSpool(spool, event.tracking_id, rehearse), [...read.warnings, ...warnings])
}

async function rolledBack<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute()
  try {
    return await run(tx)
  } finally {
    await tx.rollback().execute()
  }
}

async function rehearseIn(tx: Tx, sender: Sender, event: CleanEvent): Promise<Outcome> {
  const productId = testProductOf(event.tracking_id)
  if (productId !== undefined) await insertTestLead(tx, sender.issuerId, productId, event.tracking_id)
  const [outcome] = await storeEvents(tx, sender.issuerId, [event])
  if (!outcome || outcome instanceof Error) throw outcome ?? unknownLead()
  const { stored, warnings } = outcome
  const id = stored.duplicate ? stored.id : null
  const lead_id = productId === undefined ? stored.lead_id : null
  return { stored: { ...stored, id, lead_id, test: true }, warnings }
}

/** For an affiliate with a commission on this product, so that the test shows it, else for the first one. */
async function insertTestLead(tx: Tx, issuerId: number, productId: number, trackingId: string): Promise<void> {
  const inserted = await tx
    .insertInto('lead')
    .columns(['tracking_id', 'issuer_id', 'product_id', 'relationship_id', 'affiliate_id'])
    .expression((eb) =>
      eb
        .selectFrom('product')
        .leftJoin('relationship', (join) =>
          join
            .onRef('relationship.issuer_id', '=', 'product.issuer_id')
            .on('relationship.archived_at', 'is', null)
            .on('relationship.relationship_status', '=', 'active'),
        )
        .leftJoin('commission', (join) =>
          join
            .onRef('commission.product_id', '=', 'product.id')
            .onRef('commission.affiliate_id', '=', 'relationship.affiliate_id')
            .on('commission.archived_at', 'is', null),
        )
        .select([
          sql<string>`${trackingId}::uuid`.as('tracking_id'),
          'product.issuer_id',
          'product.id',
          // An issuer without affiliates can test, too: no row has the id 0, so nothing is earned.
          sql<number>`coalesce(relationship.id, 0)`.as('relationship_id'),
          sql<number>`coalesce(relationship.affiliate_id, 0)`.as('affiliate_id'),
        ])
        .where('product.id', '=', productId)
        .where('product.issuer_id', '=', issuerId)
        .where('product.archived_at', 'is', null)
        .orderBy(sql`commission.id is null`)
        .orderBy('relationship.id')
        .limit(1),
    )
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw unknownLead()
}

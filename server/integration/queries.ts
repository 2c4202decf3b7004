import { sql } from 'kysely'
import { RECEIVED_LIMIT, type ReceivedPostback, testProductOf } from '#contract/integration.ts'
import { readTrackingId } from '#contract/outside-ids.ts'
import type { Db } from '#db/connect.ts'
import { codeOf } from '../events/receipts.ts'
import { listApprovalWarnings } from '../events/warnings.ts'

/** What an issuer's systems sent, the latest first: stored events, and receipts of those that were not stored. */
export async function listReceived(db: Db, issuerId: number): Promise<ReceivedPostback[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom(storedEvents(db, issuerId).as('stored'))
        .selectAll()
        .unionAll(db.selectFrom(receipts(db, issuerId).as('receipt')).selectAll())
        .as('received'),
    )
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .orderBy('kind')
    .limit(RECEIVED_LIMIT)
    .execute()
  const trackingIds = rows.map(({ tracking_id }) => tracking_id ?? '')
  const stored = rows.filter(({ kind }) => kind === EVENT).map(({ id }) => id)
  const [leads, tested, warnings] = await Promise.all([
    findLeads(db, issuerId, trackingIds),
    findTestedProducts(db, issuerId, trackingIds),
    listApprovalWarnings(db, stored),
  ])
  return rows.map(({ kind, id, ...row }) => {
    const lead = leads.get(readTrackingId(row.tracking_id ?? '') ?? '')
    const product = tested.get(testProductOf(row.tracking_id ?? '') ?? 0)
    return {
      ...row,
      key: `${kind}${id}`,
      warnings: (kind === EVENT && warnings.get(id)) || [],
      verdict: row.verdict as ReceivedPostback['verdict'],
      lead: lead?.id ?? null,
      external_id: lead?.external_id || null,
      product_name: (lead ?? product)?.product_name ?? null,
    }
  })
}

const EVENT = 'e'
const STORED = codeOf({ duplicate: false })

const storedEvents = (db: Db, issuerId: number) =>
  db
    .selectFrom('lead_event')
    .innerJoin('lead', 'lead.id', 'lead_event.lead_id')
    .select([
      sql<string>`${sql.lit(EVENT)}`.as('kind'),
      'lead_event.id',
      'lead_event.created_at',
      sql<string>`'accepted'`.as('verdict'),
      sql<string>`${STORED}::text`.as('code'),
      sql<string | null>`null::text`.as('message'),
      sql<boolean>`false`.as('test'),
      sql<string | null>`lead.tracking_id::text`.as('tracking_id'),
      'lead_event.event_id',
      sql<string | null>`lead_event.step_name`.as('step'),
      'lead_event.source',
      'lead_event.sent_from',
    ])
    .where('lead_event.issuer_id', '=', issuerId)
    .orderBy('lead_event.id', 'desc')
    .limit(RECEIVED_LIMIT)

const receipts = (db: Db, issuerId: number) =>
  db
    .selectFrom('event_receipt')
    .select([
      sql<string>`'r'`.as('kind'),
      'id',
      'created_at',
      'verdict',
      'code',
      'message',
      'is_test as test',
      'tracking_id',
      'event_id',
      'step',
      'source',
      'sent_from',
    ])
    .where('issuer_id', '=', issuerId)
    .orderBy('id', 'desc')
    .limit(RECEIVED_LIMIT)

/** A refused event may name anything, even another issuer's lead, of which nothing may be shown. */
async function findLeads(db: Db, issuerId: number, trackingIds: string[]) {
  const named = trackingIds.map(readTrackingId).filter((id) => id !== undefined)
  const leads = named.length
    ? await db
        .selectFrom('lead')
        .innerJoin('product', 'product.id', 'lead.product_id')
        .select(['lead.id', 'lead.tracking_id', 'lead.external_id', 'product.name as product_name'])
        .where('lead.tracking_id', 'in', named)
        .where('lead.issuer_id', '=', issuerId)
        .execute()
    : []
  return new Map(leads.map((lead) => [lead.tracking_id, lead]))
}

async function findTestedProducts(db: Db, issuerId: number, trackingIds: string[]) {
  const named = trackingIds.map(testProductOf).filter((id) => id !== undefined)
  const products = named.length
    ? await db
        .selectFrom('product')
        .select(['id', 'name as product_name'])
        .where('id', 'in', named)
        .where('issuer_id', '=', issuerId)
        .execute()
    : []
  return new Map(products.map((product) => [product.id, product]))
}

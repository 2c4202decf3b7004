import { sql } from 'kysely'
import type { AuditAction } from '#contract/audit-log.ts'
import { readOutsideId, readTrackingId } from '#contract/outside-ids.ts'
import {
  type Erased,
  FOUND_LIMIT,
  type FoundLead,
  type PrivacyCorrection,
  type PrivacyFile,
  type PrivacyGrounds,
} from '#contract/privacy.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { eraseTold, readTold } from '../deliveries/of-lead.ts'
import { notFound } from '../http/errors.ts'
import { looseData } from '../leads/wire.ts'
import { changeValues, holdResults } from '../results/fold.ts'
import type { Viewer } from '../viewer.ts'
import { eraseFileRows, findUnmatched, lockFilesOf, readFileRows } from './file-rows.ts'
import { isIdentifying } from './identifying.ts'
import { maskPersonal } from './mask.ts'

const leadsWithNames = (db: Db | Tx) =>
  db
    .selectFrom('lead')
    .innerJoin('product', 'product.id', 'lead.product_id')
    .innerJoin('issuer', 'issuer.id', 'lead.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'lead.affiliate_id')
    .select([
      'lead.id',
      'lead.tracking_id',
      'lead.external_id',
      'lead.utm_source',
      'lead.utm_medium',
      'lead.utm_campaign',
      'lead.utm_term',
      'lead.utm_content',
      'lead.created_at',
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'product.name as product_name',
    ])

/** Whole and exact, each by an index. */
export async function findLeads(db: Db, text: string): Promise<FoundLead[]> {
  const { rows } = await sql<{ tracking_id: string }>`
    select tracking_id from lead where tracking_id = ${readTrackingId(text) ?? null}::uuid
    union (select tracking_id from lead where external_id = any(${[text, readOutsideId(text) || text]}) order by tracking_id desc limit ${FOUND_LIMIT})
    union (select tracking_id from lead_event where idempotency_key = ${`i:${text}`} limit ${FOUND_LIMIT})`.execute(db)
  const ids = rows.map(({ tracking_id }) => tracking_id)
  return leadsWithNames(db)
    .where('lead.tracking_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('lead.tracking_id', 'desc')
    .limit(FOUND_LIMIT)
    .execute()
}

interface Known {
  id: number
  tracking_id: string
  external_id: string
  issuer_id: number
  product_id: number
}

const knownLead = (tx: Tx, id: number) =>
  tx.selectFrom('lead').select(['id', 'tracking_id', 'external_id', 'issuer_id', 'product_id']).where('id', '=', id)

const noLead = () => notFound('Lead')

/** Locked against events that come meanwhile: whoever stores one waits for the same row. */
const lockLead = (tx: Tx, id: number): Promise<Known> =>
  knownLead(tx, id).forNoKeyUpdate().executeTakeFirstOrThrow(noLead)

const unmatchedRowsOf = async (tx: Tx, id: number) =>
  findUnmatched(tx, await knownLead(tx, id).executeTakeFirstOrThrow(noLead))

/** As sent, in any spelling, by whichever issuer: few are kept of each. */
const receiptsOf = ({ tracking_id }: Known) =>
  sql<boolean>`lower(replace(event_receipt.tracking_id, '-', '')) = ${tracking_id.replaceAll('-', '')}`

/** What was done to which lead and why; never what it held. */
const trace = (
  tx: Tx,
  viewer: Viewer,
  action: AuditAction,
  lead: Known,
  { folio, reason }: PrivacyGrounds,
  did: Partial<Erased & { fields: string }> = {},
) => {
  const [safeFolio, safeReason] = [folio, reason].map((text) => maskPersonal(text, () => undefined))
  return audit(tx, viewer, {
    action,
    entity: 'lead',
    entityId: lead.id,
    label: lead.tracking_id,
    after: { folio: safeFolio, reason: safeReason, ...did },
  })
}

export const openFile = (db: Db, viewer: Viewer, id: number, grounds: PrivacyGrounds): Promise<PrivacyFile> =>
  db.transaction().execute(async (tx) => {
    const unmatched = await unmatchedRowsOf(tx, id)
    const known = await lockLead(tx, id)
    await trace(tx, viewer, 'privacy_access', known, grounds)
    const lead = await leadsWithNames(tx)
      .select('lead.lead_data')
      .where('lead.tracking_id', '=', known.tracking_id)
      .executeTakeFirstOrThrow()
    const events = await tx
      .selectFrom('lead_event')
      .select(['id', 'step_name', 'event_type_name', 'source', 'event_id', 'occurred_at', 'created_at', 'event_data'])
      .where('lead_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const receipts = await tx
      .selectFrom('event_receipt')
      .select(['id', 'code', 'event_id', 'step', 'source', 'created_at'])
      .where(receiptsOf(known))
      .orderBy('id')
      .execute()
    const rejected = await rejectedOf(tx, known).select(['id', 'code', 'body', 'created_at']).orderBy('id').execute()
    return {
      lead: { ...lead, lead_data: looseData(lead.lead_data) },
      events: events.map((event) => ({ ...event, event_data: looseData(event.event_data) })),
      receipts,
      rejected: rejected as PrivacyFile['rejected'],
      file_rows: await readFileRows(tx, known, unmatched),
      deliveries: await readTold(tx, known.tracking_id),
    }
  })

const rejectedOf = (tx: Tx, { tracking_id, issuer_id }: Known) =>
  tx.selectFrom('rejected_postback').where('issuer_id', '=', issuer_id).where('tracking_id', '=', tracking_id)

export const correctLead = (db: Db, viewer: Viewer, id: number, correction: PrivacyCorrection) =>
  db.transaction().execute(async (tx) => {
    const { folio, reason, id: _, ...fields } = correction
    await holdResults(tx)
    const lead = await lockLead(tx, id)
    const changes = Object.entries(fields).filter(([, value]) => value !== undefined)
    const set = Object.fromEntries(changes.map(([field, value]) => [field, maskPersonal(value, () => undefined)]))
    const correct = tx.updateTable('lead').set(set).where('tracking_id', '=', lead.tracking_id)
    await changeValues(tx, lead.tracking_id, () => correct.execute())
    const names = changes.map(([field]) => field).join(', ')
    await trace(tx, viewer, 'privacy_correct', lead, { folio, reason }, { fields: names })
    return null
  })

const NOTHING = { external_id: '', utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '' }

/** The files before the lead, as whoever works on one does: the two cannot deadlock. */
async function lockAll(tx: Tx, id: number): Promise<Known> {
  await lockFilesOf(tx, id)
  await holdResults(tx)
  return lockLead(tx, id)
}

/** Those kept for repeated calls may hold the file. */
const forgetAnswers = (tx: Tx) =>
  tx.deleteFrom('idempotency').where('endpoint', 'like', '%/api/v1/privacy/%').where('status', 'is not', null).execute()

/** Ids, moments, money and counters stay: a later event of this lead is stored and pays as ever. */
export const eraseLead = (db: Db, viewer: Viewer, id: number, grounds: PrivacyGrounds): Promise<Erased> =>
  db.transaction().execute(async (tx) => {
    const unmatched = await unmatchedRowsOf(tx, id)
    const lead = await lockAll(tx, id)
    // Before what names them is gone.
    const fileRows = await eraseFileRows(tx, lead, unmatched)
    const erase = tx
      .updateTable('lead')
      .set({ ...NOTHING, lead_data: null })
      .where('tracking_id', '=', lead.tracking_id)
    await changeValues(tx, lead.tracking_id, () => erase.execute())
    const events = await tx
      .updateTable('lead_event')
      .set({ event_data: null })
      .where('lead_id', '=', id)
      .where('event_data', 'is not', null)
      .executeTakeFirst()
    const receipts = await tx.deleteFrom('event_receipt').where(receiptsOf(lead)).executeTakeFirst()
    const rejected = await tx
      .deleteFrom('rejected_postback')
      .where('issuer_id', '=', lead.issuer_id)
      .where('tracking_id', '=', lead.tracking_id)
      .executeTakeFirst()
    const ids = await tx.selectFrom('lead_event').select('event_id').where('lead_id', '=', id).execute()
    await forgetAnswers(tx)
    const erased = {
      events: Number(events.numUpdatedRows),
      receipts: Number(receipts.numDeletedRows),
      rejected: Number(rejected.numDeletedRows),
      file_rows: fileRows,
      deliveries: await eraseTold(tx, lead.tracking_id),
      identifying_ids: ids.filter(({ event_id }) => isIdentifying(event_id ?? '', lead.external_id)).length,
    }
    await trace(tx, viewer, 'privacy_erase', lead, grounds, erased)
    return erased
  })

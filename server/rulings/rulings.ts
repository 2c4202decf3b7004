import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import { NO_REJECT_STEP, REASON_REQUIRED, type RejectForm, type RestoreForm } from '#contract/rulings.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { storeEvents } from '../events/events.ts'
import { AppError, conflict, invalid, notFound } from '../http/errors.ts'
import { visibleLeads } from '../leads/filters.ts'
import { lockLeads } from '../leads/lock.ts'
import { maskNote } from '../privacy/mask.ts'
import type { Viewer } from '../viewer.ts'
import { findRejection, findRejectStep } from './queries.ts'

/** An event like those of the issuer's systems, of the product's step for rejections. */
export async function rejectLead(db: Db, viewer: Viewer, id: number, { reason_code, ...form }: RejectForm) {
  const note = form.note && maskNote(form.note)
  await db.transaction().execute(async (tx) => {
    const lead = await lockLead(tx, viewer, id)
    if (await findRejection(tx, id)) throw conflict('El lead ya está rechazado', 'ALREADY_REJECTED')
    await expectReason(tx, reason_code)
    const step = await findRejectStep(tx, lead.product_id)
    if (!step) throw new AppError(422, 'NO_REJECT_STEP', NO_REJECT_STEP)
    const event = {
      tracking_id: lead.tracking_id,
      step_id: step.id,
      // Each decision of a person is a new one, whatever was sent before.
      event_id: `panel-${randomUUID()}`,
      source: 'panel',
      came: { by: 'panel' as const },
      reason_code,
      ...(note && { event_data: { note } }),
    }
    const [outcome] = await storeEvents(tx, lead.issuer_id, [event])
    if (!outcome || outcome instanceof Error) throw outcome ?? notFound('Lead')
    const after = { reason_code, ...(note && { note }) }
    await audit(tx, viewer, { action: 'reject', entity: 'lead', entityId: id, label: lead.tracking_id, after })
  })
  return undefined
}

/** Takes all rejections of a lead back that came until now; one that is sent again changes nothing. */
export async function restoreLead(db: Db, viewer: Viewer & { userId: number }, id: number, form: RestoreForm) {
  const note = maskNote(form.note)
  await db.transaction().execute(async (tx) => {
    const { tracking_id } = await lockLead(tx, viewer, id)
    if (!(await findRejection(tx, id))) throw conflict('El lead no está rechazado', 'NOT_REJECTED')
    await takeRejectionsBack(tx, [id], { note, author_id: viewer.userId })
    await audit(tx, viewer, { action: 'restore', entity: 'lead', entityId: id, label: tracking_id, after: { note } })
  })
  return undefined
}

interface Why {
  note: string
  author_id: number | null
  import_id?: number
}

/** Of leads that are rejected and locked, all rejections that came until now. Returns the id of the ruling of each lead. */
export async function takeRejectionsBack(tx: Tx, leads: readonly number[], { note, author_id, import_id }: Why) {
  const { rows } = await sql<{ id: number; lead_id: number }>`
    insert into lead_ruling (lead_id, tracking_id, kind, through_event_id, note, author_id, import_id)
    select lead_id, tracking_id, 'restore', max(id), ${note}, ${author_id}, ${import_id ?? null}
    from lead_event where lead_id = any(${leads}::bigint[]) and event_type_name = ${REJECTED}
    group by lead_id, tracking_id returning id, lead_id`.execute(tx)
  await sql`select settle_leads(${leads}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, lead_id }) => [lead_id, id]))
}

async function lockLead(tx: Tx, viewer: Viewer, id: number) {
  const lead = await visibleLeads(tx, viewer)
    .select(['tracking_id', 'issuer_id', 'product_id'])
    .where('lead.id', '=', id)
    .executeTakeFirst()
  if (!lead) throw notFound('Lead')
  await lockLeads(tx, lead.issuer_id, [lead.tracking_id])
  return lead
}

async function expectReason(tx: Tx, code: string): Promise<void> {
  const reason = await tx
    .selectFrom('reject_reason')
    .select('code')
    .where('code', '=', code)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!reason) throw invalid('reason_code', REASON_REQUIRED)
}

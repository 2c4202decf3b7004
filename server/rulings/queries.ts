import { sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import { NO_REASON, type Rejection, type RejectReason, type Ruling } from '#contract/rulings.ts'
import type { Db, Tx } from '#db/connect.ts'
import { nameFor } from '../parties.ts'
import type { Reader } from '../viewer.ts'
import { adviceFor, labelFor } from './reason-columns.ts'

/** Those that can be chosen. */
export const listReasons = (db: Db): Promise<RejectReason[]> =>
  db
    .selectFrom('reject_reason')
    .select(['code', 'label', 'group_label', 'advice', 'is_financial'])
    .where('archived_at', 'is', null)
    .orderBy('place')
    .execute()

/** The event of the rejection of a lead that stands. */
export async function findRejection(db: Db | Tx, leadId: number) {
  const { rows } = await sql<{ id: number }>`select id from rejection_of(${leadId})`.execute(db)
  return rows[0]
}

/** Of which step a person's rejection is an event: the first one, where a product has several. */
export const findRejectStep = (db: Db | Tx, productId: number) =>
  db
    .selectFrom('event_step')
    .innerJoin('event_type', 'event_type.id', 'event_type_id')
    .select('event_step.id')
    .where('product_id', '=', productId)
    .where('event_type.name', '=', REJECTED)
    .where('event_step.archived_at', 'is', null)
    .orderBy('step_order')
    .limit(1)
    .executeTakeFirst()

/** For a lead that the caller has found visible. */
export async function readRejection(db: Db, viewer: Reader, leadId: number): Promise<Rejection | null> {
  const isWhole = viewer.role !== 'affiliate'
  const { rows } = await sql<Rejection>`
    select event.created_at as at, case when ${isWhole} or not is_financial then code end as code,
      ${labelFor(viewer)} as label, ${adviceFor(viewer)} as advice
    from rejection_of(${leadId}) as rejection
    join lead_event as event on event.id = rejection.id
    join reject_reason on code = coalesce(rejection.reason_code, ${NO_REASON})`.execute(db)
  return rows[0] ?? null
}

/** For a lead that the caller has found visible; the oldest first. */
export async function listRulings(db: Db, viewer: Reader, leadId: number): Promise<Ruling[]> {
  const rows = await db
    .selectFrom('lead_ruling')
    .select(['id', 'created_at', 'note', nameFor(viewer, 'author_id').as('author_name')])
    .where('lead_id', '=', leadId)
    .where('kind', '=', 'restore')
    .where('is_voided', '=', false)
    .orderBy('id')
    .execute()
  return viewer.role === 'affiliate' ? rows.map((row) => ({ ...row, note: null })) : rows
}

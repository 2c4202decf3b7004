import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LeadState } from '#contract/leads.ts'
import type { Db } from '#db/connect.ts'
import type { Party } from '../parties.ts'
import { type Days, isClickedDuring, isOf } from '../totals/read.ts'

/** Leads of one transaction: some 100 ms of work. */
const BATCH_ROWS = 2_000
const PAUSE_MS = 1_000

/** Files the states of a batch of leads; returns how many rows told of them. Lists are right without it, but slower. */
export async function fileStatesOnce(db: Db, batchRows = BATCH_ROWS): Promise<number> {
  const { rows } = await sql<{ filed: number }>`select file_lead_states(${batchRows}) as filed`.execute(db)
  return rows[0]?.filed ?? 0
}

/** The pause before the next batch, in ms. */
export const fileStatesAndRest = async (db: Db): Promise<number> =>
  (await fileStatesOnce(db)) === BATCH_ROWS ? 0 : PAUSE_MS

/** The states that have rows. */
export type EventState = Exclude<LeadState, 'click'>

/** From a tracking id to before another, or to the last. */
export interface IdRange {
  first_id: string
  end_id: string | null
}

export const isInRange = (range: IdRange | undefined, id = sql`tracking_id`): RawBuilder<SqlBool> =>
  range
    ? sql`(${id} >= ${range.first_id} and ${range.end_id === null ? sql`true` : sql`${id} < ${range.end_id}`})`
    : sql`true`

interface Only {
  /** Those that may be among the first of an order. */
  first?: { direction: RawBuilder<unknown>; limit: number }
  range?: IdRange | undefined
}

/** A query for the tracking ids of the leads in a state. */
export function idsInState(state: EventState, parties: Party[], days: Days, only: Only = {}): RawBuilder<unknown> {
  const { first, range } = only
  const asked = sql`state = ${state} and ${isOf(parties)} and ${isClickedDuring(days)} and ${isInRange(range)}`
  // In here, since PostgreSQL sorts the whole of a union with a function.
  const ofFirst = first ? sql`order by tracking_id ${first.direction} limit ${first.limit}` : sql``
  return sql`(
    (select tracking_id from lead_state where ${asked} and tracking_id not in (select tracking_id from lead_state_due)
      ${ofFirst})
    union all
    select tracking_id from due_leads() where ${asked}
  )`
}

/** A condition on `lead`: its state is looked up. Joined, all of `lead_state` would be read for a page of clicks. */
export function hasState(state: LeadState): RawBuilder<SqlBool> {
  const filed = sql`(select state from lead_state where lead_state.tracking_id = lead.tracking_id)`
  const isDue = sql`lead.tracking_id in (select tracking_id from lead_state_due)`
  // As an array, which is read once: a subquery would be for each partition.
  const due = (which: RawBuilder<unknown>) => sql`array(select tracking_id from due_leads() where ${which})`
  // One that is due is a click unless it is due as something else: an array of many clicks would be searched for each lead.
  if (state === 'click')
    return sql`((${filed} is null or ${isDue}) and lead.tracking_id <> all(${due(sql`state <> 'click'`)}))`
  return sql`(${filed} = ${state} and not ${isDue}
    or lead.tracking_id = any(${due(sql`state = ${state}`)}))`
}

import { type RawBuilder, sql } from 'kysely'
import { CLICK_EVENT, type Lead, type LeadEvent } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Json } from '#db/tables.ts'
import type { Reader } from '../viewer.ts'

type LeadRow = Omit<Lead, 'lead_data' | 'events'> & { lead_data: Json | null }
type EventRow = Omit<LeadEvent, 'event_data'> & { event_data: Json | null }

/** More than a normal lead has; without a limit one sender's mistake would fill every page with its leads. */
export const SHOWN_EVENTS = 200

/** Bytes of what the newest events of a lead in a list say: more than a normal lead has, or a page could be of hundreds of MB. */
const LISTED_DATA = 32_768

/** An affiliate gets what it sent itself and the lead's progress, but no data of others (security 2.5). */
function dataFor({ role }: Reader, inList: boolean): RawBuilder<Json | null> {
  if (role === 'affiliate') return sql`null::jsonb`
  if (!inList) return sql`event.event_data`
  return sql`case when sum(octet_length(event.event_data::text)) over (
    partition by event.lead_id order by event.created_at desc, event.id desc) <= ${sql.lit(LISTED_DATA)} then event.event_data end`
}

/** The newest events of some leads that the caller has found visible, newest first. */
export async function listEvents(
  db: Db | Tx,
  viewer: Reader,
  leadIds: number[],
  { inList = false } = {},
): Promise<Map<number, EventRow[]>> {
  if (!leadIds.length) return new Map()
  const rows = await db
    .selectFrom(sql<{ id: number }>`unnest(${leadIds}::bigint[])`.as<'of_lead'>(sql`of_lead (id)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('lead_event')
          .select(['lead_id', 'id', 'step_name', 'event_type_name', 'source', 'created_at', 'event_data', 'is_voided'])
          .whereRef('lead_id', '=', 'of_lead.id')
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(SHOWN_EVENTS)
          .as('event'),
      (join) => join.onTrue(),
    )
    .select(['lead_id', 'event.id', 'step_name', 'event_type_name', 'source', 'created_at', 'is_voided'])
    .select(dataFor(viewer, inList).as('event_data'))
    .orderBy('event.created_at', 'desc')
    .orderBy('event.id', 'desc')
    .execute()
  const byLead = Map.groupBy(rows, (row) => row.lead_id)
  return new Map([...byLead].map(([id, events]) => [id, events.map(({ lead_id: _, ...event }) => event)]))
}

export function toLead(viewer: Reader, row: LeadRow, events: EventRow[] = []): Lead {
  const timeline = events.map((event) => ({ ...event, event_data: looseData(event.event_data) }))
  const click = { ...CLICK_EVENT, id: 0, created_at: row.created_at, event_data: null, is_voided: false }
  const lead_data = viewer.role === 'affiliate' ? ownParams(row.lead_data) : looseData(row.lead_data)
  return { ...row, lead_data, events: [...timeline, click] }
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function ownParams(data: Json | null): Fields | null {
  const params = isFields(data) ? data.params : undefined
  return isFields(params) && Object.keys(params).length ? { params } : null
}

/** An object where it is one or its text parses as one, else text (D60). */
export function looseData(data: Json | null): Fields | string | null {
  if (data === null || isFields(data)) return data
  if (typeof data !== 'string') return JSON.stringify(data)
  return readFields(data) ?? data
}

function readFields(text: string): Fields | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined // text that only looks like an object stays text
  }
}

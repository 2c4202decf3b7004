import { sql } from 'kysely'
import type { Attention } from '#contract/summary.ts'
import type { Db, Tx } from '#db/connect.ts'

/** A weekend without events is nothing to tell. */
const SILENT_DAYS_MIN = 3
/** As many times the days that usually pass from one day with events to the next. */
const SILENT_GAPS_MIN = 3
/** On fewer days nothing is usual yet. */
const EVENT_DAYS_MIN = 3
/** The last events of an issuer tell how often it sends them; a network with thousands of issuers reads no more. */
const EVENTS_READ_MAX = 100

/** Active issuers, or one, whose events stopped, by how often each sent them before; those that stopped last first. */
export async function listSilentIssuers(
  db: Db | Tx,
  issuerId: number | null,
  today: string,
): Promise<Attention['silent_issuers']> {
  const isAsked = issuerId === null ? sql`true` : sql`issuer.id = ${issuerId}`
  const { rows } = await sql<Attention['silent_issuers'][number]>`
    select issuer.id, company_name as name, last_day
    from issuer, lateral (
      select max(day) as last_day, min(day) as first_day, count(distinct day) as days from (
        select mexico_day(created_at) as day from lead_event
        where lead_event.issuer_id = issuer.id order by id desc limit ${EVENTS_READ_MAX}
      ) as latest
    ) as event
    where issuer.archived_at is null and user_status = 'active' and ${isAsked}
      and days >= ${EVENT_DAYS_MIN} and ${today}::date - last_day >= ${SILENT_DAYS_MIN}
      and (${today}::date - last_day) * (days - 1) >= ${SILENT_GAPS_MIN} * (last_day - first_day)
    order by last_day desc, issuer.id`.execute(db)
  return rows
}

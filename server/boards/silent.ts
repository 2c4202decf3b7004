import { sql } from 'kysely'
import type { Attention } from '#contract/summary.ts'
import type { Db, Tx } from '#db/connect.ts'
import { midnight } from '../midnight.ts'

/** A weekend without events is nothing to tell. */
const SILENT_DAYS_MIN = 3
/** As many times the days that usually pass from one day with events to the next. */
const SILENT_GAPS_MIN = 3
/** On fewer days nothing is usual yet. */
const EVENT_DAYS_MIN = 3
/** The last days with events tell what is usual now, not what was while it was set up. */
const EVENT_DAYS_MAX = 10
/** Three days with events, where they come once a month. */
const DAYS_LOOKED_BACK = 90

/** By its systems, as their index says it: what a person typed or a file brought does not tell that they still send. */
const isSent = sql`lead_event.issuer_id = issuer.id and source not in ('panel', 'conciliacion')`

/** Active issuers, or one, whose events stopped, by how often each sent them before; those that stopped last first. */
export async function listSilentIssuers(
  db: Db | Tx,
  issuerId: number | null,
  today: string,
): Promise<Attention['silent_issuers']> {
  const isAsked = issuerId === null ? sql`true` : sql`issuer.id = ${issuerId}`
  const { rows } = await sql<Attention['silent_issuers'][number]>`
    select issuer.id, company_name as name, last_day
    from issuer
    cross join lateral (select mexico_day(max(created_at)) as last_day from lead_event where ${isSent}) as latest
    cross join lateral (
      select min(day) as first_day, count(*) as days from (
        select last_day - ago as day from generate_series(0, ${sql.lit(DAYS_LOOKED_BACK - 1)}) as ago
        where exists (
          select from lead_event where ${isSent} and created_at >= ${midnight(sql`last_day - ago`)}
            and created_at < ${midnight(sql`last_day - ago + 1`)})
        order by ago limit ${EVENT_DAYS_MAX}
      ) as sent
    ) as usual
    where issuer.archived_at is null and user_status = 'active' and ${isAsked}
      and days >= ${EVENT_DAYS_MIN} and ${today}::date - last_day >= ${SILENT_DAYS_MIN}
      and (${today}::date - last_day) * (days - 1) >= ${SILENT_GAPS_MIN} * (last_day - first_day)
    order by last_day desc, issuer.id`.execute(db)
  return rows
}

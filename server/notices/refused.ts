import { sql } from 'kysely'
import { dateInMexico, dayFirst } from '#contract/time.ts'
import { wordName } from '#contract/words.ts'
import type { Db } from '#db/connect.ts'
import { announce } from '../deliveries/occurrences.ts'
import { midnight } from '../midnight.ts'

const REST_MS = 600_000
/** Fewer are read among what was received; of each issuer the last hundred receipts are kept. */
const REFUSED_MIN = 20
const REASONS_TOLD = 3
/** A whole tracking id may be a lead's, whose traces end with its data. */
const SHOWN_OF_ID = 12

interface Refused {
  issuer_id: number
  count: number
  reasons: { code: string; count: number }[]
  /** Of the most frequent reason. */
  message: string | null
  tracking_id: string | null
  step: string | null
}

/** Refusals of today that name no lead or no step, which the sender cannot mend by sending again. */
async function listRefused(db: Db, today: string): Promise<Refused[]> {
  const { rows } = await sql<Refused>`
    with reason as (
      select issuer_id, code, count(*)::int as count, max(id) as last_id from event_receipt
      where verdict = 'rejected' and not is_test and created_at >= ${midnight(sql`${today}::date`)}
        and code in ('UNKNOWN_TRACKING_ID', 'UNKNOWN_EVENT', 'AMBIGUOUS_EVENT', 'IDEMPOTENCY_MISMATCH', 'VALIDATION_ERROR')
      group by issuer_id, code
    ), refused as (
      select issuer_id, sum(count)::int as count,
        json_agg(json_build_object('code', code, 'count', count) order by count desc, code) as reasons,
        (array_agg(last_id order by count desc, code))[1] as last_id
      from reason group by issuer_id having sum(count) >= ${sql.lit(REFUSED_MIN)}
    )
    select refused.issuer_id, count, reasons, message, tracking_id, step
    from refused join event_receipt on event_receipt.id = last_id
    where not exists (select from refused_day where refused_day.issuer_id = refused.issuer_id and day = ${today})
    order by refused.issuer_id`.execute(db)
  return rows
}

/** '25 eventos rechazados el 28/11/2026: Tracking ID desconocido (20), … Ejemplo: …' */
function detailOf({ count, reasons, message, tracking_id, step }: Refused, today: string): string {
  const told = reasons.slice(0, REASONS_TOLD).map((reason) => `${wordName('code', reason.code)} (${reason.count})`)
  const shown = tracking_id === null ? '' : `, tracking_id ${[...tracking_id].slice(0, SHOWN_OF_ID).join('')}…`
  const named = step === null ? '' : `, paso «${step}»`
  return `${count} el ${dayFirst(today)}: ${told.join(', ')}. Ejemplo: ${message ?? ''}${shown}${named}`
}

/** Tells each issuer once a day, whichever copy of the server sees it first; returns the pause before the next call. */
export async function announceRefused(db: Db, today: string = dateInMexico()): Promise<number> {
  for (const refused of await listRefused(db, today))
    await db.transaction().execute(async (tx) => {
      const { issuer_id } = refused
      const { rows } = await sql`insert into refused_day (issuer_id, day) values (${issuer_id}, ${today})
        on conflict (issuer_id) do update set day = excluded.day where refused_day.day < excluded.day
        returning issuer_id`.execute(tx)
      if (rows.length) await announce(tx, 'events.refused', { issuer_id, detail: detailOf(refused, today) })
    })
  return REST_MS
}

import { sql } from 'kysely'
import { dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { listSilentIssuers } from '../boards/silent.ts'
import { announce } from '../deliveries/occurrences.ts'

const REST_MS = 3_600_000

/** Announces each silence once, whichever copy of the server sees it first; returns the pause before the next call. */
export async function announceSilence(db: Db, today: string = dateInMexico()): Promise<number> {
  for (const { id, last_day } of await listSilentIssuers(db, null, today))
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql`insert into silence (issuer_id, last_day) values (${id}, ${last_day})
        on conflict (issuer_id) do update set last_day = excluded.last_day where silence.last_day < excluded.last_day
        returning issuer_id`.execute(tx)
      if (rows.length) await announce(tx, 'issuer.silent', { issuer_id: id, detail: last_day })
    })
  return REST_MS
}

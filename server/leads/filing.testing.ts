import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { asOwner, type TestServer } from '../testing.ts'
import { fileSome } from './filing.ts'

/** Without the rest between two heaps, which only the owner of the tables may end. */
async function fileNext(db: Db, owner: Db, atMost?: number): Promise<void> {
  await sql`update lead_filing set rests_until = '-infinity'`.execute(owner)
  await fileSome(db, atMost)
}

/** One heap. */
export const fileNow = ({ db, databaseUrl }: TestServer) => asOwner(databaseUrl, (owner) => fileNext(db, owner))

/** Until nothing that is there now is left; the server itself may be about to file some of it. */
export const fileAll = ({ db, databaseUrl }: TestServer, atMost?: number) =>
  asOwner(databaseUrl, async (owner) => {
    for (let left = 1; left > 0; await wait(10)) {
      await fileNext(db, owner, atMost)
      const { rows } = await sql<{ left: number }>`select count(*) as left from unfiled_leads()`.execute(db)
      left = rows[0]?.left ?? 0
    }
  })

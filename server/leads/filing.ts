import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import type { Gate } from '../gate.ts'
import type { App } from '../http.ts'
import { Recurring } from '../recurring.ts'

/** The log of a greater heap is longer than a click should wait for its own. */
const AT_MOST = 200
const PAUSE_MS = 10_000

/** Enters new leads where they are searched; until then they are looked through one by one. */
export function fileLeads(app: App, db: Db, gate: Gate): void {
  const report = (err: unknown) => app.log.warn({ err }, 'new leads: not filed yet')
  const filing = new Recurring({ gate, run: async () => (await fileSome(db)) * 1000, pauseMs: PAUSE_MS, report })
  app.addHook('onClose', () => filing.close())
}

/** After how many seconds more can be filed. */
export async function fileSome(db: Db, atMost = AT_MOST): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select file_leads(${atMost}) as seconds`.execute(db)
  return rows[0]?.seconds ?? 1
}

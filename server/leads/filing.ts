import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import type { App } from '../http/http.ts'
import { Recurring } from '../recurring.ts'
import type { Gate } from '../start/gate.ts'

/** The log of a greater heap is longer than a click should wait for its own. */
const AT_MOST = 200
const PAUSE_MS = 10_000
const COMMON_MS = 600_000

/** Enters new leads where they are searched; until then they are looked through one by one. */
export function fileLeads(app: App, db: Db, gate: Gate): void {
  const report = (err: unknown) => app.log.warn({ err }, 'new leads: not filed yet')
  const filing = new Recurring({ gate, run: async () => (await fileSome(db)) * 1000, pauseMs: PAUSE_MS, report })
  const common = new Recurring({
    gate,
    run: async () => ((await keepCommonIds(db)) ? 0 : COMMON_MS),
    pauseMs: COMMON_MS,
    report: (err) => app.log.warn({ err }, 'external ids that many leads share: not counted yet'),
  })
  app.addHook('onClose', async () => {
    await Promise.all([filing.close(), common.close()])
  })
}

/** After how many seconds more can be filed. */
export async function fileSome(db: Db, atMost = AT_MOST): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select file_leads(${atMost}) as seconds`.execute(db)
  return rows[0]?.seconds ?? 1
}

/** Has some more external ids counted that many leads share; false when all are. Searches are right without it, and slower. */
export async function keepCommonIds(db: Db): Promise<boolean> {
  const { rows } = await sql<{ ids: number }>`select keep_common_ids() as ids`.execute(db)
  return Boolean(rows[0]?.ids)
}

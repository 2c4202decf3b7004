import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import type { Gate } from '../gate.ts'
import type { App } from '../http.ts'

/** The log of a greater heap is longer than a click should wait for its own. */
const AT_MOST = 200
/** After a failure. */
const PAUSE_S = 10

/** Enters new leads where they are searched; until then they are looked through one by one. */
export function fileLeads(app: App, db: Db, gate: Gate): void {
  const closing = new AbortController()
  let running: Promise<void> | undefined
  gate.whenOpen(() => {
    running ??= fileAll(db, closing.signal, (err) => app.log.warn({ err }, 'new leads: not filed yet'))
  })
  app.addHook('onClose', async () => {
    closing.abort()
    await running
  })
}

async function fileAll(db: Db, signal: AbortSignal, report: (error: unknown) => void): Promise<void> {
  let failed = false
  while (!signal.aborted) {
    let seconds = PAUSE_S
    try {
      seconds = await fileSome(db)
      failed = false
    } catch (error) {
      // Once for each outage: the next attempts say the same.
      if (!failed) report(error)
      failed = true
    }
    await wait(seconds * 1000, undefined, { signal, ref: false }).catch(() => undefined) // closing: the loop ends
  }
}

/** After how many seconds more can be filed. */
export async function fileSome(db: Db, atMost = AT_MOST): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select file_leads(${atMost}) as seconds`.execute(db)
  return rows[0]?.seconds ?? 1
}

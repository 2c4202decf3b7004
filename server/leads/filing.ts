import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import type { Gate } from '../gate.ts'
import type { App } from '../http.ts'

const EVERY_MS = 1_000
const AT_MOST = 10_000

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
    try {
      await fileSome(db)
      failed = false
    } catch (error) {
      // Once for each outage: the next attempts say the same.
      if (!failed) report(error)
      failed = true
    }
    await wait(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined) // closing: the loop ends
  }
}

/** How many of the leads that can be filed are left. */
export async function fileSome(db: Db, atMost = AT_MOST): Promise<number> {
  const { rows } = await sql<{ left: number }>`select file_leads(${atMost}) as left`.execute(db)
  return rows[0]?.left ?? 0
}

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import type { Gate } from '../gate.ts'

const EVERY_MS = 60_000

/** One month's sums of what is over; false when all are right. */
export async function keepMonth(db: Db): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`select keep_spans() as kept`.execute(db)
  return rows[0]?.kept ?? false
}

interface Needs {
  db: Db
  /** Nothing is asked while it is closed. */
  gate: Gate
  report: (error: unknown, what: string) => void
}

/** Sums up what is over, now and every minute. Boards are right without it, and slower. */
export class SpanKeeper {
  readonly #needs: Needs
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined
  #failed = false

  constructor(needs: Needs) {
    this.#needs = needs
    needs.gate.whenOpen(() => {
      if (!this.#closing.signal.aborted) this.#running = this.#run()
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#keepAll(signal)
      await wait(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined) // closing: the loop ends
    }
  }

  async #keepAll(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && (await keepMonth(this.#needs.db)));
      this.#failed = false
    } catch (error) {
      // Once for each outage: the next attempts say the same.
      if (!this.#failed) this.#needs.report(error, 'the sums of past months could not be kept')
      this.#failed = true
    }
  }
}

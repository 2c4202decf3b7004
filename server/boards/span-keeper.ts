import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { Recurring } from '../recurring.ts'
import type { Gate } from '../start/gate.ts'

const EVERY_MS = 60_000

/** One month's sums of what is over; false when all are right. */
export async function keepMonth(db: Db): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`select keep_spans() as kept`.execute(db)
  return rows[0]?.kept ?? false
}

/** Sums up what is over, now and every minute. Boards are right without it, and slower. */
export const keepSpans = (db: Db, gate: Gate, report: (error: unknown) => void): Recurring =>
  new Recurring({ gate, run: async () => ((await keepMonth(db)) ? 0 : EVERY_MS), pauseMs: EVERY_MS, report })

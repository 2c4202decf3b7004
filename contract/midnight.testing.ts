import { setTimeout as wait } from 'node:timers/promises'
import { addDays, dateInMexico, startOfDay } from './time.ts'

const NEAR_MS = 120_000

/** What a test calls today stays so until it ends. */
export async function untilMidnightIsOver(): Promise<void> {
  const leftMs = startOfDay(addDays(dateInMexico(), 1)) - Date.now()
  if (leftMs < NEAR_MS) await wait(leftMs + 1_000)
}

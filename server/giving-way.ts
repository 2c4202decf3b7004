import { setImmediate } from 'node:timers/promises'

/** Long enough that few rows pay for a turn of the loop, short enough that no click waits for it. */
const WORK_MS_MAX = 5

/**
 * Work on one row after another that lets everything else through in between: one process also answers clicks. Awaited
 * after each row.
 */
export function createGivingWay(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < WORK_MS_MAX) return
    await setImmediate()
    began = performance.now()
  }
}

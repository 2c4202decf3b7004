import { median, percentile } from '../measure.ts'
import { tableOf } from '../results.ts'
import { flushTimes } from './disk.ts'
import { loadOpen } from './load.ts'
import type { Served } from './processes.ts'
import { expectAll, mark, ms, quick, ROUNDS, say } from './run.ts'
import { clickOf, postOf, type World } from './world.ts'

const LATENESS = ['p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'worst ms', 'p99 by round']

/** Medians of the rounds, except the worst, which is of all rounds. */
function lateness(name: string, rounds: number[][]): string[] {
  const byRound = (share: number) => rounds.map((latencies) => percentile(latencies, share))
  const middle = [0.5, 0.9, 0.99, 0.999].map((share) => median(byRound(share)))
  return [name, ...[...middle, Math.max(...byRound(1))].map(ms), byRound(0.99).map(ms).join(', ')]
}

const LATENESS_SECONDS = quick ? 3 : 12

async function lateClicks(world: World, { port }: Served, perSecond: number): Promise<number[]> {
  const next = clickOf(world, mark())
  return expectAll(await loadOpen({ port, seconds: LATENESS_SECONDS, next }, perSecond), '302').latencies
}

/**
 * (b) and (d): clicks at a fixed rate, alone and during password guessing. In rounds, since a shared disk stalls at
 * times, alternating with measurements of that disk. The guesses come from another network each time, or all would be
 * refused.
 */
export async function measureLateness(world: World, served: Served): Promise<string> {
  const seconds = LATENESS_SECONDS
  const clicks = (perSecond: number) => lateClicks(world, served, perSecond)
  const guess = (number: number) =>
    postOf('/api/v1/auth/login/', { email: `nadie${number}@pruebas.mx`, password: 'no es esta clave' })
  const disk: number[][] = []
  const alone: number[][] = []
  const beside: number[][] = []
  const answered = new Map<string, number>()
  await clicks(200)
  for (let round = 1; round <= ROUNDS; round += 1) {
    disk.push(await flushTimes(seconds / 3))
    alone.push(await clicks(1000))
    const [late, guesses] = await Promise.all([
      clicks(500),
      loadOpen({ port: served.port, seconds, next: guess, from: `127.0.${round}.1` }, 100),
    ])
    beside.push(late)
    for (const [status, count] of Object.entries(guesses.statuses))
      answered.set(status, (answered.get(status) ?? 0) + count)
  }
  const rows = [
    lateness('the disk alone: a page written and flushed', disk),
    lateness('1,000 clicks a second', alone),
    lateness('500 clicks a second beside 100 sign-ins a second', beside),
  ]
  say(rows.map((row) => row.join(' ')).join('\n'))
  const statuses = [...answered].map(([status, count]) => `${count} × ${status}`)
  return `### Lateness at a fixed rate (medians of ${ROUNDS} rounds of ${seconds} s each, in turns, timed from when each click should have left)\n\n${tableOf(['', ...LATENESS], rows)}\n\nThe sign-ins were answered ${statuses.join(', ')}.`
}

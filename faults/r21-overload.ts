import { setTimeout as wait } from 'node:timers/promises'
import { Connection, statusOf } from '#bench/clicks/load.ts'
import { type Links, postOf } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { percentile } from '#bench/measure.ts'
import { tracking } from '#contract/tracking.ts'
import { connect } from '#db/connect.ts'
import { type Crowd, joined, sendCrowd, type Tally } from './crowd.ts'
import type { Fault } from './fault.ts'
import { inWorld } from './world.ts'

const TIMES = 3
const LONG = { warmSeconds: 10, capacitySeconds: 10, overSeconds: 60, afterSeconds: 15 }
const SHORT = { warmSeconds: 5, capacitySeconds: 5, overSeconds: 12, afterSeconds: 8 }
const GOODPUT = 0.8
const ACCEPTED_P99_MS = 500
const BACK_WITHIN_S = 5
const BACK_P99_MS = 50
const HEALTH_MS = 1_000
const BATCH = 500

/** Asks again and again over one connection, as a balancer does, until stopped; returns the longest wait in ms. */
function keepAsking(port: number, text: string, pauseMs: number) {
  let [worst, count, stopped] = [0, 0, false]
  const statuses: Record<string, number> = {}
  const run = async () => {
    let connection = new Connection(port)
    while (!stopped) {
      const since = performance.now()
      const status = statusOf(await connection.ask(text)) || 'broken'
      worst = Math.max(worst, performance.now() - since)
      statuses[status] = (statuses[status] ?? 0) + 1
      count += 1
      if (connection.broken) connection = new Connection(port)
      await wait(pauseMs)
    }
    connection.end()
  }
  const running = run()
  return async () => {
    stopped = true
    await running
    return { worst: Math.round(worst), count, statuses }
  }
}

const getOf = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`

/** Batches of one issuer about leads that do not exist: each is looked up. */
function batchOf({ key, stepId }: Links): string {
  const events = Array.from({ length: BATCH }, (_, number) => ({
    tracking_id: crypto.randomUUID(),
    step_id: stepId,
    event_id: `b${number}`,
  }))
  return postOf(tracking.storeBatch.path, { events }, { 'x-api-key': key })
}

/** Of visitors who were told to come back, so many leads. */
async function storedOf(databaseUrl: string, ids: Set<string>): Promise<number> {
  const db = connect(databaseUrl, { max: 1, statementTimeoutMs: 60_000 })
  const rows = await db.selectFrom('lead').select('external_id').where('external_id', 'like', 'over-%').execute()
  await db.destroy()
  return rows.filter(({ external_id }) => ids.has(external_id)).length
}

export const fault: Fault = {
  id: 'R21',
  title: 'three times as many visitors as the server can take',
  run: ({ short, say }) =>
    inWorld({ small: short, eventLeads: 0 }, async (world) => {
      const { warmSeconds, capacitySeconds, overSeconds, afterSeconds } = short ? SHORT : LONG
      const server = await world.start()
      const crowd = (mark: string, seconds: number): Crowd => ({ port: server.port, links: world.links, mark, seconds })
      await sendCrowd(crowd('warm', warmSeconds))
      const alone = joined(await sendCrowd(crowd('alone', capacitySeconds)))
      const capacity = Math.round(alone.latencies.length / alone.seconds)
      say(`capacity ${capacity} visitors a second`)
      const health = keepAsking(server.port, getOf('/healthz'), 100)
      const batches = keepAsking(server.port, batchOf(world.links), 500)
      const over = joined(await sendCrowd(crowd('over', overSeconds), TIMES * capacity))
      const goodput = Math.round(over.latencies.length / over.seconds)
      const [asked, sent] = [await health(), await batches()]
      say(`goodput ${goodput} a second; ${JSON.stringify(over.others)}; health ${JSON.stringify(asked)}`)
      const seconds = await sendCrowd(crowd('after', afterSeconds), Math.round(0.3 * capacity))
      const after = joined(seconds.slice(BACK_WITHIN_S))
      const figures: Figures = {
        'capacity a second': capacity,
        'goodput a second': goodput,
        'came, times the capacity': (over.came / over.seconds / capacity).toFixed(1),
        'led on, share of capacity': (goodput / capacity).toFixed(2),
        'p50 ms of the accepted': Math.round(percentile(over.latencies, 0.5)),
        'p99 ms of the accepted': Math.round(percentile(over.latencies, 0.99)),
        refused: JSON.stringify(over.others),
        'healthz worst ms': asked.worst,
        'batches answered': JSON.stringify(sent.statuses),
        [`p99 ms from ${BACK_WITHIN_S} s after`]: Math.round(percentile(after.latencies, 0.99)),
        'refused then': JSON.stringify(after.others),
        'stored though refused': await storedOf(world.databaseUrl(), over.refused),
      }
      promise(server.starts === 1, 'The server ended', figures)
      promise(figures['stored though refused'] === 0, 'Leads of refused visitors are stored', figures)
      promise(!over.others['500'], 'Something failed otherwise than by a refusal', figures)
      promise(asked.worst < HEALTH_MS, 'The health check waited too long', figures)
      if (!short) expectUseful({ capacity, goodput, over, after }, figures)
      return figures
    }),
}

interface Measured {
  capacity: number
  goodput: number
  over: Tally
  after: Tally
}

function expectUseful({ capacity, goodput, over, after }: Measured, figures: Figures): void {
  promise(goodput >= GOODPUT * capacity, 'Too few were led on', figures)
  promise(percentile(over.latencies, 0.99) <= ACCEPTED_P99_MS, 'Those led on waited too long', figures)
  promise(percentile(after.latencies, 0.99) <= BACK_P99_MS, 'It has not recovered', figures)
}

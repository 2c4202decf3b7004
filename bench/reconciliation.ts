// npm run bench -- reconciliation [--rows 1000000] [--clicks 500]: a file of so many rows is uploaded, simulated, applied and
// undone over HTTP while clicks come in. Figures in bench/RESULTS.md.
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { loadOpen } from './clicks/load.ts'
import { residentMegabytes, type Served } from './clicks/processes.ts'
import { clickOf, makeWorld, SECRET } from './clicks/world.ts'
import { FileClient, linesOf, MAPPING, makeReconciled } from './files.ts'
import { circumstances, percentile, whole } from './measure.ts'
import { keepSection, tableOf } from './results.ts'
import { bearerOf } from './stage.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, clicks: { type: 'string', default: '500' } },
})
const [rows, clicksPerSecond] = [Number(values.rows), Number(values.clicks)]
/** Clicks alone, first: by then V8 has collected the garbage of most of its memory once. */
const ALONE_S = 120

/** As the product leaves them: every partition but the open one is closed. */
async function untilClosed(db: Db): Promise<void> {
  for (;;) {
    const { rows: found } = await sql<{ left: boolean }>`select
      exists (select from lead_partition where leads is null and end_id is not null)
        or (select count(*) from lead where tracking_id >= first_uncounted_id()) > 50000 as left`.execute(db)
    if (!found[0]?.left) return
    await wait(1_000)
  }
}

interface Stage {
  name: string
  seconds: number
  megabytes: number
  target: string
  /** Milliseconds of the clicks that came meanwhile, if a round of them ended. */
  p99: number | undefined
}

interface Run {
  stages: Stage[]
  served: Served
  clicks: number[]
}

/** The most memory that the server has while something runs, and what came of that. */
async function watched<T>(pid: number, run: () => Promise<T>): Promise<{ result: T; megabytes: number }> {
  let megabytes = 0
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(pid))
  }, 100)
  const result = await run().finally(() => clearInterval(sampling))
  return { result, megabytes }
}

/** How long it takes, and the most memory that the server has meanwhile. */
async function timed<T>({ stages, served, clicks }: Run, name: string, target: string, run: () => Promise<T>) {
  const from = clicks.length
  const began = performance.now()
  const { result, megabytes } = await watched(served.pid, run)
  const seconds = (performance.now() - began) / 1000
  const meanwhile = clicks.slice(from)
  const p99 = meanwhile.length ? percentile(meanwhile, 0.99) : undefined
  stages.push({ name, target, seconds, megabytes, p99 })
  console.log(stages.at(-1))
  return result
}

const description = circumstances()
const world = await makeWorld()
try {
  console.log(`filling ${whole(rows)} leads`)
  const { ids, email } = await makeReconciled(world.db, world, rows)
  const served = await world.startAfluente()
  await untilClosed(world.db)
  const client = new FileClient(served.port, () => bearerOf(world.db, email, SECRET))
  const { result: quiet, megabytes: before } = await watched(served.pid, () =>
    loadOpen({ port: served.port, seconds: ALONE_S, next: clickOf(world, 'before') }, clicksPerSecond),
  )
  const ended = new AbortController()
  const clicks: number[] = []
  let failed = 0
  const clicking = (async () => {
    for (let round = 0; !ended.signal.aborted; round += 1) {
      const load = await loadOpen({ port: served.port, seconds: 2, next: clickOf(world, `r${round}`) }, clicksPerSecond)
      clicks.push(...load.latencies)
      failed += load.failed + load.answers - (load.statuses['302'] ?? 0)
    }
  })()
  const stages: Stage[] = []
  const step = <T>(name: string, target: string, run: () => Promise<T>) =>
    timed({ stages, served, clicks }, name, target, run)
  const { id } = await step('upload', '60 s', () => client.send('POST', '?name=marzo.csv', Readable.from(linesOf(ids))))
  await client.send('PUT', `${id}/mapping/`, MAPPING)
  const simulated = await step('dry run', '180 s', async () => {
    await client.send('POST', `${id}/simulate/`)
    return client.whenDone(id)
  })
  const applied = await step('apply', '1,500 rows/s', async () => {
    await client.send('POST', `${id}/apply/`, { simulated_at: simulated.simulated_at })
    return client.whenDone(id)
  })
  const previewed = await step('dry run of undoing', '', async () => {
    await client.send('POST', `${id}/undo-preview/`)
    return client.whenDone(id)
  })
  await step('undo', '', async () => {
    await client.send('POST', `${id}/undo/`, { reason: 'Otro archivo', previewed_at: previewed.previewed_at })
    return client.whenDone(id)
  })
  ended.abort()
  await clicking
  const p99 = (latencies: number[]) => percentile(latencies, 0.99).toFixed(1)
  const changed = applied.results.reduce((sum, { rows: some }) => sum + some, 0)
  const text = [
    '## Reconciliation',
    `${description}. A CSV of ${whole(rows)} rows, ${whole(changed)} of which change something, beside ${clicksPerSecond} clicks a second. With clicks alone, for ${ALONE_S} s before, the server had ${whole(before)} MB at most.`,
    tableOf(
      ['', 'seconds', 'rows a second', 'target', 'memory at most MB', 'clicks p99 ms'],
      stages.map(({ name, seconds, target, megabytes, p99: meanwhile }) => [
        name,
        seconds.toFixed(1),
        whole((['apply', 'undo'].includes(name) ? changed : rows) / seconds),
        target,
        whole(megabytes),
        meanwhile?.toFixed(1) ?? '',
      ]),
    ),
    `Clicks: p99 ${p99(clicks)} ms (before the file ${p99(quiet.latencies)} ms), ${whole(failed)} of ${whole(clicks.length)} not led on.`,
  ].join('\n\n')
  console.log(text)
  keepSection('reconciliation', text)
  await served.stop()
} finally {
  await world.stop()
}

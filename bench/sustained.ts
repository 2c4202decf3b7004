// npm run bench -- sustained [--rate 4000] [--minutes 10] [--leads 10000000]: clicks at a rate that is held, events and
// people who read lists beside them, and how much work is left when the clicks end. Figures in bench/RESULTS.md.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { makeWorld } from './clicks/world.ts'
import { circumstances, percentile, whole } from './measure.ts'
import { keepSection, tableOf } from './results.ts'
import { AGENTS, EVENTS_PER_SECOND, fillWith, LINKS, READERS, runTraffic } from './traffic.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '4000' },
    minutes: { type: 'string', default: '10' },
    leads: { type: 'string', default: '10000000' },
  },
})
const [rate, seconds, filled] = [Number(values.rate), Number(values.minutes) * 60, Number(values.leads)]

/** R24: after so long no work is left. */
const AFTER_MS = 10_000

const PATHS = [
  '/api/v1/leads/',
  '/api/v1/leads/?page=50',
  '/api/v1/leads/?page_size=100&ordering=created_at',
  '/api/v1/leads/?utm_campaign=campana-12',
]

interface Left {
  /** Leads in no total yet. */
  leads: number
  /** Partitions that have ended and are not closed. */
  ended: number
  /** What waits to be added up. */
  deltas: number
}

/** What the filling left is not the work of the clicks. Not counted, which would slow it. */
async function untilFolded(db: Db): Promise<void> {
  const isLeft = async () => {
    const { rows } = await sql<{ left: boolean }>`select exists (select from total_delta)
      or exists (select from result_delta) or exists (select from result_change) as left`.execute(db)
    return rows[0]?.left
  }
  while (await isLeft()) await wait(1_000)
}

/** A store that is at its limit may not answer at once. */
async function readLeftAtLast(db: Db): Promise<Left> {
  for (let tries = 0; tries < 30; tries += 1) {
    const left = await readLeft(db).catch(() => undefined)
    if (left) return left
  }
  throw new Error('The database does not answer after the load')
}

async function readLeft(db: Db): Promise<Left> {
  const { rows } = await sql<Left>`select
    (select count(*) from lead where tracking_id >= first_uncounted_id()) as leads,
    (select count(*) from lead_partition where leads is null and end_id is not null) as ended,
    (select count(*) from total_delta) + (select count(*) from result_delta) + (select count(*) from result_change)
      as deltas`.execute(db)
  return rows[0] as Left
}

const row = (name: string, times: number[], note = '') => [
  name,
  whole(times.length),
  ...[0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1)),
  note,
]

const description = circumstances()
const world = await makeWorld((url) => fillWith(url, filled))
try {
  const { db } = world
  const served = await world.startAfluente()
  await untilFolded(db)
  const samples: number[] = []
  const sample = async () => samples.push((await readLeft(db)).leads)
  const sampling = setInterval(() => void sample().catch(() => samples.push(Number.NaN)), 10_000)
  const paths = { admin: PATHS, issuer: PATHS, affiliate: PATHS }
  const { clicks, events, asked } = await runTraffic(world, {
    ...{ port: served.port, seconds, clicksPerSecond: rate, paths },
  })
  clearInterval(sampling)
  await wait(AFTER_MS)
  const left = await readLeftAtLast(db)
  const failures = [clicks, events].map(({ statuses, failed }) => `${JSON.stringify(statuses)}, ${failed} failed`)
  const text = [
    '## Sustained rate',
    `${description}. ${whole(filled)} leads before; ${whole(rate)} clicks a second for ${seconds / 60} minutes over ${LINKS} links with ${whole(AGENTS)} user agents and random ids, ${EVENTS_PER_SECOND} events a second and ${READERS} readers of lists who each ask once a second.`,
    tableOf(
      ['', 'answers', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms', ''],
      [
        row('clicks', clicks.latencies, failures[0]),
        row('events', events.latencies, failures[1]),
        ...[...Map.groupBy(asked, ({ reader }) => reader)].map(([reader, answers]) =>
          row(
            `lists, ${reader}`,
            answers.map(({ ms }) => ms),
            `${answers.filter(({ status }) => status !== 200).length} not answered`,
          ),
        ),
      ],
    ),
    `Leads in open partitions, every ten seconds: ${samples.map(whole).join(', ')}. Ten seconds after the load: ${whole(left.leads)} leads in the open partition, ${left.ended} partitions to close, ${left.deltas} rows to fold.`,
  ].join('\n\n')
  console.log(text)
  keepSection('sustained', text)
  await served.stop()
} finally {
  await world.stop()
}

// npm run bench -- sustained [--rate 4000] [--minutes 10] [--leads 10000000]: clicks at a rate that is held, events and
// people who read lists beside them, and how much work is left when the clicks end. Figures in bench/RESULTS.md.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { tracking } from '#contract/tracking.ts'
import { connect, type Db } from '#db/connect.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { type Load, loadOpen } from './clicks/load.ts'
import { makeLeads, makeWorld, postOf, SECRET, type World } from './clicks/world.ts'
import { loadLeads } from './leads/load.ts'
import { circumstances, percentile } from './measure.ts'
import { keepSection, tableOf } from './results.ts'
import { bearerOf, type Reader, readers } from './stage.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '4000' },
    minutes: { type: 'string', default: '10' },
    leads: { type: 'string', default: '10000000' },
  },
})
const [rate, seconds, filled] = [Number(values.rate), Number(values.minutes) * 60, Number(values.leads)]

const LINKS = 2_000
const AGENTS = 20_000
const EVENTS_PER_SECOND = 50
const READERS = 10
/** R24: after so long no work is left. */
const AFTER_MS = 10_000

const whole = (number: number) => Math.round(number).toLocaleString('en')
const ms = (number: number) => number.toFixed(1)

interface Link {
  relationship_id: number
  product_id: number
}

async function listLinks(db: Db): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select relationship.id as relationship_id, product.id as product_id
    from relationship join product using (issuer_id)
    where relationship_status = 'active' and product_status = 'active'
      and relationship.archived_at is null and product.archived_at is null
    order by relationship.id, product.id limit ${LINKS}`.execute(db)
  return rows
}

const agents = Array.from(
  { length: AGENTS },
  (_, number) =>
    `Mozilla/5.0 (Linux; Android ${9 + (number % 7)}; SM-A${number}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (number % 45)}.0.${number}.0 Mobile Safari/537.36`,
)

/** No two alike: other links, agents, ids, and a click id in utm_content of one in five. */
const clickOf = (links: Link[]) => (number: number) => {
  const { relationship_id, product_id } = links[(number * 7919) % links.length] as Link
  const id = randomBytes(6).toString('hex')
  const content = number % 5 ? `banner-${number % 40}` : `clk${id}`
  return `GET /api/v1/leads/redirect/${relationship_id}/?product_id=${product_id}&external_id=v-${id}&utm_source=facebook&utm_campaign=campana-${number % 300}&utm_content=${content} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${agents[(number * 31) % AGENTS]}\r\naccept: text/html\r\naccept-language: es-MX,es;q=0.9\r\nreferer: https://blog.example.mx/tarjetas\r\n\r\n`
}

const PATHS = [
  '/api/v1/leads/',
  '/api/v1/leads/?page=50',
  '/api/v1/leads/?page_size=100&ordering=created_at',
  '/api/v1/leads/?utm_campaign=campana-12',
]

/** Each asks once a second; milliseconds by reader. */
async function readLists(db: Db, port: number, until: AbortSignal) {
  const times = new Map<Reader, number[]>()
  let failed = 0
  const roles = Object.keys(readers) as Reader[]
  const run = async (number: number) => {
    const reader = roles[number % roles.length] as Reader
    const bearer = await bearerOf(db, readers[reader], SECRET)
    await wait(number * 100)
    for (let turn = number; !until.aborted; turn += 1) {
      const began = performance.now()
      const path = PATHS[turn % PATHS.length]
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${bearer}` } })
      await answer.text()
      if (answer.status !== 200) failed += 1
      times.set(reader, [...(times.get(reader) ?? []), performance.now() - began])
      await wait(Math.max(0, 1000 - (performance.now() - began)), undefined, { signal: until }).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: READERS }, (_, number) => run(number)))
  return { times, failed }
}

interface Left {
  /** Leads in no total yet. */
  leads: number
  /** Partitions that have ended and are not closed. */
  ended: number
  deltas: number
}

async function readLeft(db: Db): Promise<Left> {
  const { rows } = await sql<Left>`select
    (select count(*) from lead where tracking_id >= (select min(first_id::text)::uuid from lead_partition where leads is null))
      as leads,
    (select count(*) from lead_partition where leads is null and end_id is not null) as ended,
    (select count(*) from total_delta) as deltas`.execute(db)
  return rows[0] as Left
}

async function sendEvents(world: World, port: number): Promise<Load> {
  const leads = await makeLeads(world.db, world, Math.ceil(EVENTS_PER_SECOND * seconds) + 100)
  const next = (number: number) =>
    postOf(
      tracking.storeEvent.path,
      { tracking_id: leads[number], step_id: world.stepId, event_id: `s-${number}` },
      { 'x-api-key': world.key },
    )
  return loadOpen({ port, seconds, next }, EVENTS_PER_SECOND)
}

const row = (name: string, times: number[], note = '') => [
  name,
  whole(times.length),
  ...[0.5, 0.95, 0.99, 1].map((share) => ms(percentile(times, share))),
  note,
]

/** The demonstration, and so many leads beside it. */
async function fill(url: string): Promise<void> {
  console.log(`filling ${whole(filled)} leads`)
  const owner = connect(url, { max: 1, applicationName: 'bench' })
  await seedDemo(owner, { secret: SECRET })
  await owner.destroy()
  const quiet = { onProgress: () => undefined, expectWanted: () => undefined }
  await loadLeads(url, { leads: filled, seed: 1, secret: SECRET, ...quiet })
}

const description = circumstances()
const world = await makeWorld(fill)
try {
  const { db } = world
  const served = await world.startAfluente()
  const links = await listLinks(db)
  const ended = new AbortController()
  const samples: number[] = []
  const sampling = setInterval(async () => samples.push((await readLeft(db)).leads), 10_000)
  const lists = readLists(db, served.port, ended.signal)
  const [clicks, events] = await Promise.all([
    loadOpen({ port: served.port, seconds, next: clickOf(links) }, rate),
    sendEvents(world, served.port),
  ])
  clearInterval(sampling)
  ended.abort()
  const read = await lists
  await wait(AFTER_MS)
  const left = await readLeft(db)
  const failures = [clicks, events].map(({ statuses, failed }) => `${JSON.stringify(statuses)}, ${failed} failed`)
  const text = [
    '## Sustained rate',
    `${description}. ${whole(filled)} leads before; ${whole(rate)} clicks a second for ${seconds / 60} minutes over ${links.length} links with ${whole(AGENTS)} user agents and random ids, ${EVENTS_PER_SECOND} events a second and ${READERS} readers of lists who each ask once a second.`,
    tableOf(
      ['', 'answers', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms', ''],
      [
        row('clicks', clicks.latencies, failures[0]),
        row('events', events.latencies, failures[1]),
        ...[...read.times].map(([reader, times]) => row(`lists, ${reader}`, times)),
      ],
    ),
    `${read.failed} lists were not answered. Leads in open partitions, every ten seconds: ${samples.map(whole).join(', ')}. Ten seconds after the load: ${whole(left.leads)} leads in the open partition, ${left.ended} partitions to close, ${left.deltas} rows to fold.`,
  ].join('\n\n')
  console.log(text)
  keepSection('sustained', text)
  await served.stop()
} finally {
  await world.stop()
}

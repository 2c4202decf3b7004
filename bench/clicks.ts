// npm run bench -- clicks: how many clicks are stored and answered per second, the highest latencies, and the cost of
// concurrent postbacks and sign-ins. Everything is compared within one run, on one machine.
import { sql } from 'kysely'
import { tracking } from '#contract/tracking.ts'
import { measureLateness } from './clicks/lateness.ts'
import { loadClosed, loadOpen } from './clicks/load.ts'
import { processorSeconds, residentMegabytes, type Served, startServer } from './clicks/processes.ts'
import { expectAll, mark, ms, quantile, quick, ROUNDS, say, values } from './clicks/run.ts'
import { clickOf, makeLeads, makeWorld, postOf, type World } from './clicks/world.ts'
import { circumstances, median, whole } from './measure.ts'
import { keepSection, tableOf } from './results.ts'

const SECONDS = quick ? 3 : 8
/** Seconds until V8 runs the measured code at its final speed. */
const WARM_UP = quick ? 1 : 5
const CONNECTIONS = 64

interface Rate {
  perSecond: number
  p50: number
  p99: number
  /** Microseconds of processor time per answer. */
  server: number
  database: number
}

async function rateOf(world: World, served: Served, seconds: number): Promise<Rate> {
  await loadClosed({ port: served.port, seconds: WARM_UP, next: clickOf(world, mark()) }, CONNECTIONS)
  const [server, database] = [processorSeconds(served.pid), world.databaseSeconds()]
  const next = clickOf(world, mark())
  const load = expectAll(await loadClosed({ port: served.port, seconds, next }, CONNECTIONS), '302')
  const each = (spent: number) => (spent * 1e6) / load.answers
  return {
    perSecond: load.answers / load.seconds,
    p50: quantile(load, 0.5),
    p99: quantile(load, 0.99),
    server: each(processorSeconds(served.pid) - server),
    database: each(world.databaseSeconds() - database),
  }
}

const LONE = 'one INSERT per click'
const LONE_INDEXED = 'one INSERT per click, with the indexes of a list'

const startObvious = ({ databaseUrl }: World, table: string): Promise<Served> =>
  startServer('/', {
    script: 'bench/clicks/insert-per-click.ts',
    env: { DATABASE_URL: databaseUrl, TABLE: table },
  })

/** Without partitions indexed later, pages of a list in its four usual orders need at least these. */
async function makeIndexedTable({ db }: World): Promise<void> {
  await sql`create table lead_indexed (like lead including all)`.execute(db)
  for (const party of ['issuer_id', 'affiliate_id', 'product_id'])
    await sql`create index on lead_indexed (${sql.ref(party)}, tracking_id)`.execute(db)
  await sql`create index on lead_indexed (external_id, tracking_id)`.execute(db)
}

const contenders = (world: World): [name: string, start: () => Promise<Served>][] => [
  [
    'bare Fastify 302',
    () => startServer('/api/v1/leads/redirect/1/', { script: 'bench/clicks/bare-redirect.ts', env: {} }),
  ],
  [LONE, () => startObvious(world, 'lead')],
  [LONE_INDEXED, () => startObvious(world, 'lead_indexed')],
  ['Afluente', () => world.startAfluente()],
]

const RATES = [
  '',
  'per second',
  'of bare',
  'times one INSERT',
  'times one with indexes',
  'p50 ms',
  'p99 ms',
  'server µs',
  'PostgreSQL µs',
]

/** (a) Every contender once per round, in the same order, alone on the machine with its PostgreSQL. */
async function measureRates(world: World): Promise<string> {
  const rates = new Map<string, Rate[]>()
  await makeIndexedTable(world)
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, start] of contenders(world)) {
      const served = await start()
      const rate = await rateOf(world, served, SECONDS)
      await served.stop()
      rates.set(name, [...(rates.get(name) ?? []), rate])
      say(`round ${round}: ${name}: ${whole(rate.perSecond)} a second, p99 ${ms(rate.p99)} ms`)
    }
  }
  const middle = (name: string, what: keyof Rate) => median((rates.get(name) ?? []).map((rate) => rate[what]))
  const bare = middle('bare Fastify 302', 'perSecond')
  const [lone, indexed] = [LONE, LONE_INDEXED].map((name) => middle(name, 'perSecond'))
  const rows = [...rates.keys()].map((name) => {
    const perSecond = middle(name, 'perSecond')
    const times = [middle(name, 'p50'), middle(name, 'p99')].map(ms)
    const costs = [middle(name, 'server'), middle(name, 'database')].map(whole)
    const ratios = [
      (perSecond / bare).toFixed(2),
      ...[lone, indexed].map((rate) => (perSecond / (rate ?? 0)).toFixed(1)),
    ]
    return [name, whole(perSecond), ...ratios, ...times, ...costs]
  })
  return `### Durable redirects, ${CONNECTIONS} connections (medians of ${ROUNDS} rounds of ${SECONDS} s, each after ${WARM_UP} s that do not count)\n\n${tableOf(RATES, rows)}`
}

/** (c) Events of existing leads, each of another lead, with the issuer's key. */
async function measurePostbacks(world: World, served: Served): Promise<string> {
  const leads = await makeLeads(world.db, world, 60_000)
  let used = 0
  const event = () => {
    const tracking_id = leads[used]
    if (!tracking_id) throw new Error('The world has too few leads for this many events')
    used += 1
    return { tracking_id, step_id: world.stepId, event_id: `e-${used}` }
  }
  const headers = { 'x-api-key': world.key }
  const seconds = quick ? 2 : 8
  const single = () => postOf(tracking.storeEvent.path, event(), headers)
  const batch = () => postOf(tracking.storeBatch.path, { events: Array.from({ length: 100 }, event) }, headers)
  const one = expectAll(await loadClosed({ port: served.port, seconds, next: single }, 16), '201')
  const many = expectAll(await loadClosed({ port: served.port, seconds: seconds / 2, next: batch }, 2), '200')
  const rows = [
    [
      'one event a request, 16 connections',
      whole(one.answers / one.seconds),
      ms(quantile(one, 0.5)),
      ms(quantile(one, 0.99)),
    ],
    [
      'a hundred a request, 2 connections',
      whole((many.answers * 100) / many.seconds),
      ms(quantile(many, 0.5)),
      ms(quantile(many, 0.99)),
    ],
  ]
  say(rows.map((row) => row.join(' ')).join('\n'))
  return `### Events that pay a commission\n\n${tableOf(['', 'events a second', 'p50 ms', 'p99 ms'], rows)}`
}

/** (e) */
async function measureMemory(world: World, served: Served): Promise<string> {
  const minutes = quick ? 0.2 : Number(values.minutes)
  const samples: number[] = []
  const timer = setInterval(() => samples.push(residentMegabytes(served.pid)), (minutes * 60_000) / 20)
  await loadOpen({ port: served.port, seconds: minutes * 60, next: clickOf(world, mark()) }, 1000)
  clearInterval(timer)
  const [begin, end] = [samples.slice(2, 7), samples.slice(-5)].map(median)
  const text = `After the first tenth ${begin?.toFixed(0)} MB, at the end ${end?.toFixed(0)} MB, most ${Math.max(...samples).toFixed(0)} MB.`
  say(text)
  return `### Memory over ${minutes} minutes of 1,000 clicks a second\n\n${text}`
}

const description = circumstances()
const world = await makeWorld()
try {
  const first = await world.startAfluente()
  const steady = [
    await measureLateness(world, first),
    await measurePostbacks(world, first),
    await measureMemory(world, first),
  ]
  await first.stop()
  const rates = await measureRates(world)
  const parts = [...steady, rates]
  const { rows } = await sql<{ leads: number }>`select count(*) as leads from lead`.execute(world.db)
  const text = `## Clicks\n\n${description}. ${whole(rows[0]?.leads ?? 0)} leads at the end.\n\n${parts.join('\n\n')}`
  if (!quick) keepSection('clicks', text)
  else say(text)
} finally {
  await world.stop()
}

// npm run bench -- deliveries [--seconds 60] [--events 20]: a thousand receivers that hang, refuse or answer 500 beside one
// that takes everything, while events come in. Figures in bench/RESULTS.md.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { makeAffiliate, makeReceiver, makeRelationship, makeUser } from '#db/factories.ts'
import { ReceiverSecrets } from '#server/deliveries/secrets.ts'
import { loadOpen } from './clicks/load.ts'
import { residentMegabytes, type Served } from './clicks/processes.ts'
import { eventOf, makeWorld, SECRET, type World } from './clicks/world.ts'
import { circumstances, percentile, whole } from './measure.ts'
import { keepSection, tableOf } from './results.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, events: { type: 'string', default: '20' } },
})
const [seconds, eventsPerSecond] = [Number(values.seconds), Number(values.events)]
const AFFILIATES = 200
const EACH = 5
/** What is on its way when the events end. */
const AFTER_MS = 20_000

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}

const refusing = await listen(() => undefined)
refusing.close()
const hanging = await listen(() => undefined)
const failing = await listen((_, response) => void response.writeHead(500).end())
const dead = [hanging, refusing, failing].map(({ url }) => url)

/** By tracking id: when the event was sent, and when the good receiver had it. */
const sent = new Map<string, number>()
const taken = new Map<string, number>()
const good = await listen(async (request, response) => {
  const body = JSON.parse(await text(request))
  if (!taken.has(body.data.tracking_id)) taken.set(body.data.tracking_id, performance.now())
  response.end()
})

interface Owner {
  affiliate_id: number | null
  issuer_id: number | null
}

/** One good receiver of the issuer, which is told of every event; the others are of many affiliates, five each. */
async function makeReceivers({ db, relationships: [first] }: World): Promise<number[]> {
  const issuer_id = first?.issuer_id ?? 0
  const secrets = new ReceiverSecrets(SECRET)
  const { id: created_by } = await makeUser(db, { role: 'admin' })
  const add = (owner: Owner, url: string, per_second: number) =>
    makeReceiver(db, {
      ...{ ...owner, url, per_second, created_by },
      ...{ secret: secrets.create(owner).sealed, kek_id: secrets.keyId },
    })
  const pairs: number[] = []
  for (let affiliate = 0; affiliate < AFFILIATES; affiliate += 1) {
    const { id: affiliate_id } = await makeAffiliate(db)
    pairs.push((await makeRelationship(db, { affiliate_id, issuer_id })).id)
    for (let number = 0; number < EACH; number += 1)
      await add({ affiliate_id, issuer_id: null }, dead[(affiliate + number) % dead.length] as string, 10)
  }
  await add({ affiliate_id: null, issuer_id }, good.url, 50)
  return pairs
}

/** Leads of all those affiliates in turn. */
async function makeLeads({ db, relationships: [first] }: World, pairs: number[], count: number): Promise<string[]> {
  const { rows } = await sql<{ tracking_id: string }>`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id)
    select uuidv7(), relationship.id, affiliate_id, issuer_id, ${first?.product_id}::bigint
    from generate_series(0, ${count - 1}::int) as number
    join relationship on relationship.id = (${pairs}::bigint[])[1 + number % ${pairs.length}::int]
    order by number returning tracking_id`.execute(db)
  return rows.map(({ tracking_id }) => tracking_id)
}

/** How it stands with those of the dead. */
async function setDead({ db }: World, what: 'away' | 'new' | 'good before'): Promise<void> {
  await sql`delete from delivery where state = 'waiting'`.execute(db)
  await sql`update receiver set state = 'active', failures = 0, failing_since = null, rest_until = now(),
      last_ok_at = case when issuer_id is not null or ${what} = 'good before' then now() end,
      archived_at = case when issuer_id is null and ${what} = 'away' then now() end`.execute(db)
}

interface Stage {
  name: string
  missing: number
  delivery: number[]
  event: number[]
  megabytes: number
  connections: number
}

/** Everything that the server has open: connections to receivers are what grows. */
const openFiles = (served: Served): number => readdirSync(`/proc/${served.pid}/fd`).length

async function runStage(world: World, served: Served, pairs: number[], name: string): Promise<Stage> {
  const count = Math.ceil(seconds * eventsPerSecond)
  const leads = await makeLeads(world, pairs, count)
  const before = openFiles(served)
  let [megabytes, connections] = [0, 0]
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(served.pid))
    connections = Math.max(connections, openFiles(served) - before)
  }, 100)
  const next = (number: number) => {
    const id = leads[number - 1] as string
    sent.set(id, performance.now())
    return eventOf(world, id, `e-${id}`)
  }
  const load = await loadOpen({ port: served.port, seconds, next }, eventsPerSecond)
  if (load.statuses['201'] !== count) throw new Error(`Events failed: ${JSON.stringify(load.statuses)}`)
  for (const end = Date.now() + AFTER_MS; leads.some((id) => !taken.has(id)) && Date.now() < end; ) await wait(100)
  clearInterval(sampling)
  const missing = leads.filter((id) => !taken.has(id)).length
  const delivery = leads.map((id) => ((taken.get(id) ?? Infinity) - (sent.get(id) ?? 0)) / 1000)
  const stage = { name, delivery, missing, event: load.latencies, megabytes, connections }
  console.log(rowOf(stage).join(' | '))
  return stage
}

const rowOf = ({ name, delivery, missing, event, megabytes, connections }: Stage) => [
  name,
  ...[0.5, 0.95, 1].map((share) => percentile(delivery, share).toFixed(2).replace('Infinity', 'never')),
  whole(missing),
  ...[0.5, 0.99].map((share) => percentile(event, share).toFixed(1)),
  whole(connections),
  whole(megabytes),
]

const description = circumstances()
const world = await makeWorld()
let served: Served | undefined
try {
  const pairs = await makeReceivers(world)
  served = await world.startAfluente({ DELIVER_TO_LOOPBACK: '1' })
  const stages: Stage[] = []
  for (const [what, name] of [
    ['away', 'the good one alone'],
    ['new', 'beside 1,000 that never answered well'],
    ['good before', 'beside 1,000 that answered well until then'],
  ] as const) {
    await setDead(world, what)
    stages.push(await runStage(world, served, pairs, name))
  }
  const share = `a third of the dead hang, a third refuse the connection, a third answer 500`
  const text = [
    '## Deliveries beside dead receivers',
    `${description}. ${eventsPerSecond} events a second for ${seconds} seconds, each for one good receiver (50 a second) and five of ${whole(AFFILIATES * EACH)} dead ones; ${share}. From the sending of an event to the good one's request; asked: within 2 s.`,
    tableOf(
      [
        '',
        ...['delivered p50 s', 'p95 s', 'worst s', 'not within 20 s', 'event p50 ms', 'event p99 ms'],
        ...['connections more, at most', 'memory at most MB'],
      ],
      stages.map(rowOf),
    ),
  ].join('\n\n')
  console.log(text)
  keepSection('deliveries', text)
} finally {
  await served?.stop()
  await world.stop()
  for (const server of [hanging, failing, good]) server.close()
}

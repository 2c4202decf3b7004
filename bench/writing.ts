// npm run bench -- writing: what each way of storing a batch of clicks costs, one connection, one batch after another,
// into the real table with its indexes and totals, committed to the disk. All ways take turns within one run.
import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { insertLeads, type LeadRecord } from '#server/tracking/lead-rows.ts'
import { makeWorld, type World } from './clicks/world.ts'
import { machine, median } from './measure.ts'
import { keepSection, tableOf } from './results.ts'

const SIZES = [1, 20, 100]
const ROUNDS = 5
const SECONDS = 0.6

type Store = (client: pg.Client, leads: LeadRecord[]) => Promise<unknown>

const columns = {
  tracking_id: 'uuid',
  relationship_id: 'bigint',
  affiliate_id: 'bigint',
  issuer_id: 'bigint',
  product_id: 'bigint',
  external_id: 'text',
  utm_source: 'text',
  utm_medium: 'text',
  utm_campaign: 'text',
  utm_term: 'text',
  utm_content: 'text',
  lead_data: 'jsonb',
} as const
type Column = keyof typeof columns
const names = Object.keys(columns) as Column[]
const list = names.join(', ')
const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
const AGAIN = 'on conflict (tracking_id) do nothing'

const cellOf = (lead: LeadRecord, name: Column) => (name === 'lead_data' ? JSON.stringify(lead[name]) : lead[name])

const json: Store = (client, leads) => insertLeads(client, leads, { timeoutMs: 10_000, again: false })

const jsonb: Store = (client, leads) =>
  client.query({
    name: 'jsonb',
    text: `insert into lead (${list}) select ${list} from jsonb_to_recordset($1::jsonb) as click (${typed.join(', ')}) ${AGAIN}`,
    values: [JSON.stringify(leads)],
  })

const positions = names.map((name, at) =>
  name === 'lead_data' ? `(row -> ${at})::jsonb` : `(row ->> ${at})::${columns[name]}`,
)
const jsonArrays: Store = (client, leads) =>
  client.query({
    name: 'json-arrays',
    text: `insert into lead (${list}) select ${positions.join(', ')} from json_array_elements($1::json) as row ${AGAIN}`,
    values: [JSON.stringify(leads.map((lead) => names.map((name) => lead[name])))],
  })

const unnest: Store = (client, leads) =>
  client.query({
    name: 'unnest',
    text: `insert into lead (${list}) select * from unnest(${names.map((name, at) => `$${at + 1}::${columns[name]}[]`)}) ${AGAIN}`,
    values: names.map((name) => leads.map((lead) => cellOf(lead, name))),
  })

const manyValues: Store = (client, leads) => {
  const rows = leads.map(
    (_, row) => `(${names.map((name, at) => `$${row * names.length + at + 1}::${columns[name]}`)})`,
  )
  return client.query({
    name: `values-${leads.length}`,
    text: `insert into lead (${list}) values ${rows} ${AGAIN}`,
    values: leads.flatMap((lead) => names.map((name) => cellOf(lead, name))),
  })
}

const escaped = (text: string) => text.replace(/[\\\t\n\r]/g, (letter) => `\\${letter}`)
const lineOf = (lead: LeadRecord) => names.map((name) => escaped(String(cellOf(lead, name)))).join('\t')

function copyTo(client: pg.Client, table: string, leads: LeadRecord[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stream = client.query(from(`copy ${table} (${list}) from stdin`))
  stream.on('finish', resolve).on('error', reject)
  stream.end(`${leads.map(lineOf).join('\n')}\n`)
  return promise
}

/** Not safe to repeat, since COPY knows no ON CONFLICT: here for the figure alone. */
const copy: Store = (client, leads) => copyTo(client, 'lead', leads)

const copyAside: Store = async (client, leads) => {
  await client.query('begin')
  await copyTo(client, 'pg_temp.aside', leads)
  await client.query({ name: 'aside', text: `insert into lead (${list}) select ${list} from pg_temp.aside ${AGAIN}` })
  await client.query('truncate pg_temp.aside; commit')
}

const oneByOne: Store = async (client, leads) => {
  await client.query('begin')
  for (const lead of leads) await manyValues(client, [lead])
  await client.query('commit')
}

const ways: Record<string, Store> = {
  'json_to_recordset, objects (the product)': json,
  'jsonb_to_recordset, objects': jsonb,
  'json_array_elements, arrays': jsonArrays,
  'unnest, an array a column': unnest,
  'VALUES, a parameter a value': manyValues,
  'one INSERT a lead, one COMMIT': oneByOne,
  'COPY, without ON CONFLICT': copy,
  'COPY aside, then INSERT': copyAside,
}

interface Cost {
  /** Microseconds for each lead: by the clock, of this process, of PostgreSQL. */
  clock: number
  here: number
  database: number
}

let clicks = 0
function leadsOf(world: World, size: number): LeadRecord[] {
  return Array.from({ length: size }, () => {
    clicks += 1
    const pair = world.relationships[clicks % world.relationships.length]
    if (!pair) throw new Error('A world has links')
    return {
      ...{ tracking_id: randomUUIDv7(), external_id: `post-${clicks}` },
      ...{ utm_source: 'facebook', utm_medium: '', utm_campaign: 'buen-fin', utm_term: '', utm_content: '' },
      ...pair,
      lead_data: { params: {}, ip_trunc: '127.0.0.0/24', ua_family: 'Chrome Android', referer_host: 'blog.example.mx' },
    }
  })
}

async function costOf(world: World, client: pg.Client, store: Store, size: number): Promise<Cost> {
  for (let each = 0; each < 10; each += 1) await store(client, leadsOf(world, size))
  let stored = 0
  let made = 0
  const [database, cpu, began] = [world.databaseSeconds(), process.cpuUsage(), performance.now()]
  while (performance.now() - began < SECONDS * 1000) {
    const before = process.cpuUsage()
    const leads = leadsOf(world, size)
    const spent = process.cpuUsage(before)
    made += spent.user + spent.system
    await store(client, leads)
    stored += size
  }
  const clock = (performance.now() - began) * 1000 - made
  const own = process.cpuUsage(cpu)
  return {
    clock: clock / stored,
    here: (own.user + own.system - made) / stored,
    database: ((world.databaseSeconds() - database) * 1e6) / stored,
  }
}

const world = await makeWorld()
const client = new pg.Client({ connectionString: world.databaseUrl })
try {
  await client.connect()
  await client.query('create temp table aside as select * from lead limit 0')
  const costs = new Map<string, Cost[]>()
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const size of SIZES)
      for (const [name, store] of Object.entries(ways)) {
        const key = `${name} ${size}`
        costs.set(key, [...(costs.get(key) ?? []), await costOf(world, client, store, size)])
      }
  const of = (name: string, size: number, what: keyof Cost) =>
    median((costs.get(`${name} ${size}`) ?? []).map((cost) => cost[what])).toFixed(0)
  const rows = Object.keys(ways).map((name) => [
    name,
    ...SIZES.map((size) => `${of(name, size, 'clock')} (${of(name, size, 'here')} + ${of(name, size, 'database')})`),
  ])
  const head = ['microseconds a lead', ...SIZES.map((size) => `batches of ${size}`)]
  const text =
    `## Ways of writing\n\n${machine()}, ${new Date().toISOString().slice(0, 10)}. One connection, one batch after another, ` +
    'each committed to the disk; medians. In brackets the processor time of the writing process and of PostgreSQL.\n\n' +
    tableOf(head, rows)
  console.log(text)
  keepSection('writing', text)
} finally {
  await client.end()
  await world.stop()
}

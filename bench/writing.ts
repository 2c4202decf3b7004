// npm run bench -- writing: what each way of storing a batch of clicks costs, one connection, one batch after another,
// into the real table with its indexes and totals, committed to the disk. All ways take turns within one run.
import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { copyLeads, insertLeads, type LeadRecord, rowOf } from '#server/spool/lead-rows.ts'
import { makeWorld, type World } from './clicks/world.ts'
import { machine, median } from './measure.ts'
import { keepSection, tableOf } from './results.ts'

const SIZES = [1, 20, 50]
const ROUNDS = 5
const SECONDS = 0.6

type Store = (pool: pg.Pool, leads: LeadRecord[]) => Promise<unknown>

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

const product: Store = (pool, leads) => copyLeads(pool, leads, 10_000)
const repeated: Store = (pool, leads) => insertLeads(pool, leads, 10_000)

const json: Store = (pool, leads) =>
  pool.query({
    name: 'json',
    text: `insert into lead (${list}) select ${list} from json_to_recordset($1::json) as click (${typed.join(', ')})`,
    values: [JSON.stringify(leads)],
  })

const jsonb: Store = (pool, leads) =>
  pool.query({
    name: 'jsonb',
    text: `insert into lead (${list}) select ${list} from jsonb_to_recordset($1::jsonb) as click (${typed.join(', ')})`,
    values: [JSON.stringify(leads)],
  })

const positions = names.map((name, at) =>
  name === 'lead_data' ? `(row -> ${at})::jsonb` : `(row ->> ${at})::${columns[name]}`,
)
const jsonArrays: Store = (pool, leads) =>
  pool.query({
    name: 'json-arrays',
    text: `insert into lead (${list}) select ${positions.join(', ')} from json_array_elements($1::json) as row`,
    values: [JSON.stringify(leads.map((lead) => names.map((name) => lead[name])))],
  })

const unnest: Store = (pool, leads) =>
  pool.query({
    name: 'unnest',
    text: `insert into lead (${list}) select * from unnest(${names.map((name, at) => `$${at + 1}::${columns[name]}[]`)})`,
    values: names.map((name) => leads.map((lead) => cellOf(lead, name))),
  })

const manyValues: Store = (pool, leads) => {
  const rows = leads.map(
    (_, row) => `(${names.map((name, at) => `$${row * names.length + at + 1}::${columns[name]}`)})`,
  )
  return pool.query({
    name: `values-${leads.length}`,
    text: `insert into lead (${list}) values ${rows}`,
    values: leads.flatMap((lead) => names.map((name) => cellOf(lead, name))),
  })
}

/** As pg-copy-streams does it: the rows leave when PostgreSQL has invited them. */
async function streamTo(client: pg.ClientBase, table: string, leads: LeadRecord[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stream = client.query(from(`copy ${table} (${list}) from stdin`))
  stream.on('finish', resolve).on('error', reject)
  stream.end(leads.map(rowOf).join(''))
  return promise
}

const withClient = async (pool: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> => {
  const client = await pool.connect()
  try {
    await work(client)
  } finally {
    client.release()
  }
}

const stream: Store = (pool, leads) => withClient(pool, (client) => streamTo(client, 'lead', leads))

const copyAside: Store = (pool, leads) =>
  withClient(pool, async (client) => {
    await client.query('begin')
    await streamTo(client, 'pg_temp.aside', leads)
    await client.query({ name: 'aside', text: `insert into lead (${list}) select ${list} from pg_temp.aside ${AGAIN}` })
    await client.query('truncate pg_temp.aside; commit')
  })

const oneByOne: Store = async (pool, leads) => {
  for (const lead of leads) await manyValues(pool, [lead])
}

const ways: Record<string, Store> = {
  'COPY, rows and all at once (the product)': product,
  'COPY as a stream': stream,
  'COPY aside, then INSERT': copyAside,
  'json_to_recordset, objects': json,
  'the same ON CONFLICT DO NOTHING (the product, when it repeats)': repeated,
  'jsonb_to_recordset, objects': jsonb,
  'json_array_elements, arrays': jsonArrays,
  'unnest, an array a column': unnest,
  'VALUES, a parameter a value': manyValues,
  'one INSERT a lead, one COMMIT each': oneByOne,
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

async function costOf(world: World, pool: pg.Pool, store: Store, size: number): Promise<Cost> {
  for (let each = 0; each < 10; each += 1) await store(pool, leadsOf(world, size))
  let stored = 0
  let made = 0
  const [database, cpu, began] = [world.databaseSeconds(), process.cpuUsage(), performance.now()]
  while (performance.now() - began < SECONDS * 1000) {
    const before = process.cpuUsage()
    const leads = leadsOf(world, size)
    const spent = process.cpuUsage(before)
    made += spent.user + spent.system
    await store(pool, leads)
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
const pool = new pg.Pool({ connectionString: world.databaseUrl, max: 1, idleTimeoutMillis: 0 })
try {
  await pool.query('create temp table aside as select * from lead limit 0')
  const costs = new Map<string, Cost[]>()
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const size of SIZES)
      for (const [name, store] of Object.entries(ways)) {
        const key = `${name} ${size}`
        costs.set(key, [...(costs.get(key) ?? []), await costOf(world, pool, store, size)])
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
  await pool.end()
  await world.stop()
}

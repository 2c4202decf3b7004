import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Cluster, startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { type DatabaseProxy, startProxy } from '#server/tracking/database-proxy.testing.ts'
import { clickOf, type Links, makeLinks, postOf, SECRET } from '../clicks/world.ts'
import { checkStored } from './check.ts'
import { type Ask, Client, type Needs } from './client.ts'
import type { Figures } from './fault.ts'
import { Journal } from './journal.ts'
import { Supervised } from './supervised.ts'

/** How many events a run may send: each is of a lead of its own, and earns a commission. */
const EVENT_LEADS = 20_000
const EVENTS_PATH = '/api/v1/events/lead-events/'

interface Rates extends Pick<Needs, 'patienceMs' | 'insist'> {
  /** A second. */
  clicks: number
  events?: number
}

export interface Load {
  client: Client
  journal: Journal
  /** Ends it and compares what it knows with the database. */
  check: () => Promise<Figures>
}

export interface FaultWorld {
  links: Links
  /** Tracking ids of leads that nobody has told anything about. */
  eventLeads: string[]
  folder: string
  /** The data folder of the server. */
  dataDir: string
  /** PostgreSQL's own folder. */
  postgresFolder: string
  /** As the owner; the embedded database may move when its server starts again. */
  databaseUrl: () => string
  /** Returns when it is ready for everything, or as soon as it listens. */
  start: (env?: Record<string, string>, until?: 'ready' | 'listening') => Promise<Supervised>
  load: (server: Supervised, rates: Rates) => Promise<Load>
  /** Every client and every server. */
  stop: () => Promise<void>
  remove: () => Promise<void>
}

export async function prepare(db: Db, eventLeads: number): Promise<{ links: Links; leads: string[] }> {
  const links = await makeLinks(db)
  const [first] = links.relationships
  const { rows } = await sql<{ tracking_id: string }>`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id)
    select uuidv7(), relationship.id, affiliate_id, issuer_id, ${first?.product_id}::bigint
    from relationship, generate_series(1, ${eventLeads}::int)
    where relationship.id = ${first?.relationship_id} returning tracking_id`.execute(db)
  return { links, leads: rows.map(({ tracking_id }) => tracking_id) }
}

/** Of the PostgreSQL that a server keeps in its folder. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  const port = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3]
  return `postgres://afluente:${password}@127.0.0.1:${port}/afluente`
}

async function fill(cluster: Cluster, eventLeads: number) {
  await migrate(cluster.url)
  const db = connect(cluster.url, { max: 2 })
  try {
    return await prepare(db, eventLeads)
  } finally {
    await db.destroy()
  }
}

/** Clicks and events in one row, so that the rates hold for each kind. */
function mixOf(links: Links, eventLeads: string[], clicks: number, events: number) {
  const click = clickOf(links, 'c')
  let told = 0
  const event = (): Ask => {
    const id = `e-${told}`
    const body = { tracking_id: eventLeads[told], step_id: links.stepId, event_id: id }
    if (!body.tracking_id) throw new Error('The world has too few leads for this many events')
    told += 1
    return { kind: 'event', id, text: postOf(EVENTS_PATH, body, { 'x-api-key': links.key }) }
  }
  const every = events ? (clicks + events) / events : Number.POSITIVE_INFINITY
  return (number: number): Ask => {
    const isEvent = Math.floor(number / every) > Math.floor((number - 1) / every)
    return isEvent ? event() : { kind: 'click', id: `c-${number}`, text: click(number) }
  }
}

export interface WorldOptions {
  /** The server keeps its own PostgreSQL; else it is given the address of one that we keep, or of what stands between. */
  embedded?: boolean
  between?: (databaseUrl: string) => Promise<string>
  eventLeads?: number
}

/** A PostgreSQL that keeps what it acknowledges, links, and leads to tell about. */
export async function openWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const { embedded = false, between = async (url) => url, eventLeads = EVENT_LEADS } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'afluente-faults-')))
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'server')
  const clusterDir = embedded ? dataDir : join(folder, 'cluster')
  const cluster = await startCluster({ dataDir: clusterDir, log: () => undefined })
  const { links, leads } = await fill(cluster, eventLeads)
  const given: Record<string, string> = embedded ? {} : { DATABASE_URL: await between(cluster.url) }
  if (embedded) await cluster.stop()
  const databaseUrl = () => (embedded ? embeddedUrl(dataDir) : cluster.url)
  const crew = new Crew(folder)
  return {
    links,
    eventLeads: leads,
    folder,
    dataDir,
    postgresFolder: join(clusterDir, 'postgres'),
    databaseUrl,
    start: (env = {}, until = 'ready') => crew.start({ ...given, DATA_DIR: dataDir, SECRET, DEMO: '0', ...env }, until),
    load: async ({ port }, { clicks, events = 0, ...rest }) => {
      const next = mixOf(links, leads, clicks, events)
      return crew.load({ port, next, perSecond: clicks + events, ...rest }, databaseUrl)
    },
    stop: () => crew.stop(),
    remove: async () => {
      await crew.stop()
      if (!embedded) await cluster.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The servers and the clients of a world. */
class Crew {
  readonly #folder: string
  readonly #servers: Supervised[] = []
  readonly #clients: Client[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  async start(env: Record<string, string>, until: 'ready' | 'listening'): Promise<Supervised> {
    const server = await Supervised.start(env, join(this.#folder, 'server.log'), until)
    this.#servers.push(server)
    return server
  }

  async load(
    needs: Omit<ConstructorParameters<typeof Client>[0], 'journal'>,
    databaseUrl: () => string,
  ): Promise<Load> {
    const journal = await Journal.open(join(this.#folder, `journal-${this.#clients.length}`))
    const client = new Client({ ...needs, journal }).start()
    this.#clients.push(client)
    const check = async () => {
      await client.stop()
      await journal.close()
      return checkStored(databaseUrl(), journal.path)
    }
    return { journal, client, check }
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.stop()
    for (const server of this.#servers) await server.stop()
  }
}

export async function inWorld<T>(options: WorldOptions, run: (world: FaultWorld) => Promise<T>): Promise<T> {
  const world = await openWorld(options)
  try {
    return await run(world)
  } finally {
    await world.remove()
  }
}

/** With something between the server and its PostgreSQL that misbehaves when told to. */
export async function behindProxy<T>(
  options: WorldOptions,
  run: (world: FaultWorld, proxy: DatabaseProxy) => Promise<T>,
): Promise<T> {
  const made = Promise.withResolvers<DatabaseProxy>()
  const between = async (url: string) => {
    made.resolve(await startProxy(url))
    return (await made.promise).url
  }
  return inWorld({ ...options, between }, async (world) => {
    const proxy = await made.promise
    return run(world, proxy).finally(() => proxy.close())
  })
}

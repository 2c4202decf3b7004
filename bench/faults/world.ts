import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { type DatabaseProxy, startProxy } from '#server/tracking/database-proxy.testing.ts'
import { embeddedUrl } from '#server/tracking/embedded-url.testing.ts'
import { clickOf, type Links, makeLinks, postOf, SECRET } from '../clicks/world.ts'
import { checkStored } from './check.ts'
import { type Ask, Client, type Needs } from './client.ts'
import type { Figures } from './fault.ts'
import { Journal } from './journal.ts'
import { Supervised, type Until } from './supervised.ts'

/** How many events a run may send: each is of a lead of its own, and earns a commission. */
const EVENT_LEADS = 20_000
const FEW_LEADS = 500
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
  /** Between the server and its PostgreSQL, where there is one. */
  proxy: DatabaseProxy | undefined
  /** Returns when it is ready for everything, or as soon as it listens. */
  start: (env?: Record<string, string>, until?: Until) => Promise<Supervised>
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

async function fill(databaseUrl: string, eventLeads: number) {
  await migrate(databaseUrl)
  const db = connect(databaseUrl, { max: 2 })
  try {
    return await prepare(db, eventLeads)
  } finally {
    await db.destroy()
  }
}

type NextAsk = (number: number) => Ask

/** For each load clicks and events with ids of its own, mixed so that the rates hold for each kind. */
function asker(links: Links, eventLeads: string[]) {
  let told = 0
  const event = (mark: string): Ask => {
    const body = { tracking_id: eventLeads[told], step_id: links.stepId, event_id: `${mark}-${told}` }
    if (!body.tracking_id) throw new Error('The world has too few leads for this many events')
    told += 1
    return { kind: 'event', id: body.event_id, text: postOf(EVENTS_PATH, body, { 'x-api-key': links.key }) }
  }
  return (mark: string, clicks: number, events: number): NextAsk => {
    const click = clickOf(links, mark)
    const every = events ? (clicks + events) / events : Number.POSITIVE_INFINITY
    return (number) => {
      const isEvent = Math.floor(number / every) > Math.floor((number - 1) / every)
      return isEvent ? event(mark) : { kind: 'click', id: `${mark}-${number}`, text: click(number) }
    }
  }
}

export interface WorldOptions {
  /** The server keeps its own PostgreSQL; else it is given the address of another one, or of the proxy before it. */
  embedded?: boolean
  proxied?: boolean
  /** For a short run. */
  small?: boolean
  eventLeads?: number
  /** Of the owner of an empty database: to be used instead of a PostgreSQL of our own. */
  databaseUrl?: string
}

/** Where the data is, and how a server finds it. */
interface Ground {
  folder: string
  dataDir: string
  clusterDir: string
  databaseUrl: () => string
  proxy: DatabaseProxy | undefined
  env: Record<string, string>
  links: Links
  leads: string[]
  clear: () => Promise<void>
}

async function prepareGround(options: WorldOptions): Promise<Ground> {
  const { embedded = false, proxied = false, small = false, eventLeads = small ? FEW_LEADS : EVENT_LEADS } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'afluente-faults-')))
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'server')
  const clusterDir = embedded ? dataDir : join(folder, 'cluster')
  const cluster = options.databaseUrl ? undefined : await startCluster({ dataDir: clusterDir, log: () => undefined })
  const url = options.databaseUrl ?? cluster?.url ?? ''
  const { links, leads } = await fill(url, eventLeads)
  if (embedded) await cluster?.stop()
  const proxy = proxied ? await startProxy(url) : undefined
  return {
    ...{ folder, dataDir, clusterDir, proxy, links, leads },
    databaseUrl: () => (embedded ? embeddedUrl(dataDir) : url),
    env: { ...(!embedded && { DATABASE_URL: proxy?.url ?? url }), ...(small && { SPOOL_MB: '4' }) },
    clear: async () => {
      proxy?.close()
      if (!embedded) await cluster?.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function startLoad(
  { folder, databaseUrl, ask }: Pick<Ground, 'folder' | 'databaseUrl'> & { ask: ReturnType<typeof asker> },
  { port }: Supervised,
  { clicks, events = 0, ...rest }: Rates,
  mark: string,
): Promise<Load> {
  const journal = await Journal.open(join(folder, `journal-${mark}`))
  const next = ask(mark, clicks, events)
  const client = new Client({ port, journal, next, perSecond: clicks + events, ...rest }).start()
  const check = async () => {
    await client.stop()
    await journal.close()
    const held: Figures = client.stalledMs ? { 'client held up ms': Math.round(client.stalledMs) } : {}
    return { ...(await checkStored(databaseUrl(), journal.path, `${mark}-`)), ...held }
  }
  return { journal, client, check }
}

/** A PostgreSQL that keeps what it acknowledges, links, and leads to tell about. */
export async function openWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const {
    folder,
    dataDir,
    clusterDir,
    databaseUrl,
    proxy,
    env: found,
    links,
    leads,
    clear,
  } = await prepareGround(options)
  const running: Supervised[] = []
  const clients: Client[] = []
  const ask = asker(links, leads)
  const stop = async () => {
    for (const client of clients) await client.stop()
    proxy?.reset()
    for (const server of running) await server.stop()
  }
  return {
    ...{ folder, dataDir, databaseUrl, links, proxy, stop, eventLeads: leads },
    postgresFolder: join(clusterDir, 'postgres'),
    start: async (env = {}, until = 'ready') => {
      const settings = { ...found, DATA_DIR: dataDir, SECRET, DEMO: '0', ...env }
      const server = await Supervised.start(settings, join(folder, 'server.log'), until)
      running.push(server)
      return server
    },
    load: async (server, rates) => {
      const load = await startLoad({ folder, databaseUrl, ask }, server, rates, `n${clients.length}`)
      clients.push(load.client)
      return load
    },
    remove: () => stop().then(clear),
  }
}

type Wanted = WorldOptions & {
  /** To be used instead of one of its own. */
  world?: FaultWorld | undefined
}

export async function inWorld<T>(
  { world: given, ...options }: Wanted,
  run: (world: FaultWorld) => Promise<T>,
): Promise<T> {
  const world = given ?? (await openWorld(options))
  try {
    return await run(world)
  } finally {
    await (given ? world.stop() : world.remove())
  }
}

/** With something between the server and its PostgreSQL that misbehaves when told to. */
export const behindProxy = <T>(wanted: Wanted, run: (world: FaultWorld, proxy: DatabaseProxy) => Promise<T>) =>
  inWorld({ ...wanted, proxied: true }, (world) => {
    if (!world.proxy) throw new Error('This world has no proxy')
    return run(world, world.proxy)
  })

import { join } from 'node:path'
import { type Links, makeFolder, makeLeads, makeLinks, removeFolder, SECRET } from '#bench/clicks/world.ts'
import { ADMIN } from '#bench/copies/world.ts'
import type { Client } from '#bench/journal/client.ts'
import { asker, type Load, type Rates, startLoad } from '#bench/journal/load.ts'
import { startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { embeddedUrl } from '#db/embedded-url.ts'
import { migrate } from '#db/migrate.ts'
import { type DatabaseProxy, startProxy } from '#server/spool/database-proxy.testing.ts'
import { Supervised, type Until } from './supervised.ts'

/** How many events a run may send: each has a lead of its own, and earns a commission. */
const EVENT_LEADS = 20_000
const FEW_LEADS = 3_000

export interface FaultWorld {
  links: Links
  /** Tracking ids of leads without events. */
  eventLeads: string[]
  folder: string
  /** The data folder of the server. */
  dataDir: string
  /** PostgreSQL's own folder. */
  postgresFolder: string
  /** Connects as the owner; the port of an embedded database may change when its server restarts. */
  databaseUrl: () => string
  /** As the owner, on a connection of its own. */
  ask: <T>(question: (db: Db) => Promise<T>) => Promise<T>
  /** Between the server and its PostgreSQL, if any. */
  proxy: DatabaseProxy | undefined
  /** Returns when it is ready, or as soon as it listens. */
  start: (env?: Record<string, string>, until?: Until) => Promise<Supervised>
  load: (server: Pick<Supervised, 'port'>, rates: Rates) => Promise<Load>
  /** Stops every client and every server. */
  stop: () => Promise<void>
  remove: () => Promise<void>
}

async function fill(databaseUrl: string, eventLeads: number) {
  await migrate(databaseUrl)
  const db = connect(databaseUrl, { max: 2 })
  try {
    const links = await makeLinks(db)
    return { links, leads: await makeLeads(db, links, eventLeads) }
  } finally {
    await db.destroy()
  }
}

interface WorldOptions {
  /** The server runs its own PostgreSQL; else it gets the URL of another one, or of the proxy before it. */
  embedded?: boolean
  proxied?: boolean
  /** For a short run. */
  small?: boolean
  eventLeads?: number
  /** The owner's URL of an empty database, to be used instead of a PostgreSQL of our own. */
  databaseUrl?: string
}

/** The folder of the data, and the server's settings for it. */
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
  const folder = makeFolder()
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
      removeFolder(folder)
    },
  }
}

function asOwner<T>(url: string, question: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(url, { max: 2 })
  return question(db).finally(() => db.destroy())
}

/** A durable PostgreSQL, links, and leads for events. */
export async function openWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const ground = await prepareGround(options)
  const { folder, dataDir, clusterDir, databaseUrl, proxy, links, leads, clear } = ground
  const running: Supervised[] = []
  const clients: Client[] = []
  const asks = asker(links, leads)
  const stop = async () => {
    try {
      for (const client of clients) await client.stop()
    } finally {
      proxy?.reset()
      for (const server of running) await server.stop()
    }
  }
  return {
    ...{ folder, dataDir, databaseUrl, links, proxy, stop, eventLeads: leads },
    postgresFolder: join(clusterDir, 'postgres'),
    ask: (question) => asOwner(databaseUrl(), question),
    start: async (env = {}, until = 'ready') => {
      const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
      const settings = { ...ground.env, ...admin, DATA_DIR: dataDir, SECRET, DEMO: '0', ...env }
      const server = await Supervised.start(settings, join(folder, 'server.log'), until)
      running.push(server)
      return server
    },
    load: async (server, rates) => {
      const relationship = links.relationships[0]?.relationship_id ?? 0
      const of = { folder, databaseUrl, ask: asks, relationship }
      const load = await startLoad(of, server.port, rates, `n${clients.length}`)
      clients.push(load.client)
      return load
    },
    remove: () => stop().finally(clear),
  }
}

type Wanted = WorldOptions & {
  /** To be used instead of a world of its own. */
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

/** With a proxy between the server and its PostgreSQL that misbehaves on request. */
export const behindProxy = <T>(wanted: Wanted, run: (world: FaultWorld, proxy: DatabaseProxy) => Promise<T>) =>
  inWorld({ ...wanted, proxied: true }, (world) => {
    if (!world.proxy) throw new Error('This world has no proxy')
    return run(world, world.proxy)
  })

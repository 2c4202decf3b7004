import { randomUUIDv7 } from 'node:crypto'
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { tracking } from '#contract/tracking.ts'
import { startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { type Ids, makeCommission, makePair, makeStep } from '#db/factories.ts'
import { migrate } from '#db/migrate.ts'
import { postgresOf } from '#db/processes.ts'
import { ApiKeys } from '#server/companies/api-keys.ts'
import { processorSeconds, type Served, startServer } from './processes.ts'

export const SECRET = 'bench-5f0c1d9a7be34c2d8f6071e2ab94c3d5'
export const AGENT =
  'Mozilla/5.0 (Linux; Android 14; SM-A546E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36'

export interface Links {
  key: string
  stepId: number
  relationships: Ids[]
}

export interface World extends Links {
  db: Db
  databaseUrl: string
  /** The product as an operator starts it. */
  startAfluente: (settings?: Record<string, string>) => Promise<Served>
  /** Processor time of all PostgreSQL processes, in seconds. */
  databaseSeconds: () => number
  stop: () => Promise<void>
}

/** Eight links, of which the first leads to a product with a step that pays, and the key of its issuer. */
export async function makeLinks(db: Db): Promise<Links> {
  const first = await makePair(db)
  const pairs = [first]
  while (pairs.length < 8) pairs.push(await makePair(db))
  await makeCommission(db, first.ids)
  const step = await makeStep(db, { product_id: first.product.id, is_payout_event: true, event_type_id: 3 })
  const key = await new ApiKeys(db, SECRET).create(db, { issuerId: first.issuer.id }, 'api')
  return { key, stepId: step.id, relationships: pairs.map(({ ids }) => ids) }
}

/** Tracking ids of `count` leads of the first link, without events. */
export async function makeLeads(db: Db, { relationships: [first] }: Links, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUIDv7())
  await sql`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id)
    select tracking_id, relationship.id, affiliate_id, issuer_id, ${first?.product_id}::bigint
    from relationship, unnest(${ids}::uuid[]) as tracking_id where relationship.id = ${first?.relationship_id}`.execute(
    db,
  )
  return ids
}

/** A folder that PostgreSQL may enter as another user. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'afluente-bench-')))
  chmodSync(folder, 0o711)
  return folder
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** A PostgreSQL with the settings of the product, every commit flushed, optionally filled, and links. */
export async function makeWorld(fill = async (_url: string) => {}): Promise<World> {
  const folder = makeFolder()
  const cluster = await startCluster({ dataDir: join(folder, 'data'), log: () => undefined })
  await migrate(cluster.url)
  await fill(cluster.url)
  const db = connect(cluster.url, { max: 4 })
  const links = await makeLinks(db)
  const postgresFolder = join(folder, 'data/postgres')
  let servers = 0
  return {
    db,
    databaseUrl: cluster.url,
    ...links,
    startAfluente: (settings = {}) => {
      servers += 1
      const env = {
        DATABASE_URL: cluster.url,
        DATA_DIR: join(folder, `server-${servers}`),
        SECRET,
        DEMO: '0',
        REQUESTS_PER_SECOND: '100000',
        ...settings,
      }
      return startServer('/readyz', { env })
    },
    databaseSeconds: () => postgresOf(postgresFolder, undefined).reduce((sum, pid) => sum + processorSeconds(pid), 0),
    stop: async () => {
      await db.destroy()
      await cluster.stop()
      removeFolder(folder)
    },
  }
}

/** A unique click, so that none counts as a double tap. */
export const clickOf =
  ({ relationships }: Links, mark: string) =>
  (number: number): string => {
    const { relationship_id, product_id } = relationships[number % relationships.length] ?? {
      relationship_id: 0,
      product_id: 0,
    }
    return `GET /api/v1/leads/redirect/${relationship_id}/?product_id=${product_id}&external_id=${mark}-${number}&utm_source=facebook&utm_campaign=buen-fin HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${AGENT}\r\naccept: text/html\r\naccept-language: es-MX,es;q=0.9\r\nreferer: https://blog.example.mx/tarjetas\r\n\r\n`
  }

export const postOf = (path: string, body: unknown, headers: Record<string, string> = {}): string => {
  const text = JSON.stringify(body)
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** An event of the paying step. */
export const eventOf = ({ key, stepId }: Links, trackingId: string, eventId: string): string => {
  const body = { tracking_id: trackingId, step_id: stepId, event_id: eventId }
  return postOf(tracking.storeEvent.path, body, { 'x-api-key': key })
}

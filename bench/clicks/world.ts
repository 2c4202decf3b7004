import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { type Ids, makeCommission, makePair, makeStep } from '#db/factories.ts'
import { migrate } from '#db/migrate.ts'
import { postgresOf } from '#db/processes.ts'
import { ApiKeys } from '#server/api-keys.ts'
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
  startAfluente: (flags?: string[]) => Promise<Served>
  /** Processor time of PostgreSQL, all its processes together, in seconds. */
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

/** A PostgreSQL with the settings of the product, so that every commit is on the disk, and links. */
export async function makeWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-bench-'))
  chmodSync(folder, 0o711)
  const cluster = await startCluster({ dataDir: join(folder, 'data'), log: () => undefined })
  await migrate(cluster.url)
  const db = connect(cluster.url, { max: 4 })
  const links = await makeLinks(db)
  const postgresFolder = join(realpathSync(folder), 'data/postgres')
  let servers = 0
  return {
    db,
    databaseUrl: cluster.url,
    ...links,
    startAfluente: (flags) => {
      servers += 1
      const env = {
        DATABASE_URL: cluster.url,
        DATA_DIR: join(folder, `server-${servers}`),
        SECRET,
        DEMO: '0',
        REQUESTS_PER_SECOND: '100000',
      }
      return startServer('server/main.ts', env, '/readyz', flags)
    },
    databaseSeconds: () => postgresOf(postgresFolder, undefined).reduce((sum, pid) => sum + processorSeconds(pid), 0),
    stop: async () => {
      await db.destroy()
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A click that no other is like, so that none counts as the second tap of another. */
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

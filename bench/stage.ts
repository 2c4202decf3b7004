import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect, type Db } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { startTemporaryCluster, type TemporaryCluster } from '#db/test-cluster.ts'
import { buildApp } from '#server/app.ts'
import { AccessTokens } from '#server/auth/tokens.ts'
import { readConfig } from '#server/config.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { loadLeads } from './leads/load.ts'

const SECRET = '7d1f20c9b64e83a5f07b2d9c11e6a84450c3f98e2b7d61a0'
const SETTINGS = { LOG_LEVEL: 'silent', SECRET, SPOOL_MB: '1', REQUESTS_PER_SECOND: '100000' }

export type Reader = 'admin' | 'issuer' | 'affiliate'
/** The demonstration's accounts: the last two belong to the largest company of their kind. */
export const readers: Record<Reader, string> = {
  admin: 'admin@demo.afluente.mx',
  issuer: 'emisor@demo.afluente.mx',
  affiliate: 'afiliado@demo.afluente.mx',
}

export interface Stage {
  db: Db
  databaseUrl: string
  leads: number
  /** What PostgreSQL keeps of its files, as it writes it. */
  sharedBuffers: string
  /** Milliseconds from the request to the last byte. */
  get: (reader: Reader, path: string) => Promise<number>
  read: (reader: Reader, path: string) => Promise<unknown>
  /** Access tokens live ten minutes. */
  signIn: () => Promise<void>
  stop: () => Promise<void>
}

export interface Database {
  url: string
  stop: () => Promise<void>
}

/** One of its own with so many leads, or the one at an address. */
export const openDatabase = (leadsOrUrl: number | string): Promise<Database> =>
  typeof leadsOrUrl === 'number' ? fillCluster(leadsOrUrl) : openFilled(leadsOrUrl)

/** A cluster of its own with the demonstration and so many leads beside it, with all that the server would have kept. */
async function fillCluster(leads: number): Promise<TemporaryCluster> {
  const cluster = await startTemporaryCluster()
  await migrate(cluster.url)
  const owner = connect(cluster.url, { max: 1, applicationName: 'bench' })
  await seedDemo(owner, { secret: SECRET })
  const quiet = { onProgress: () => undefined, expectWanted: () => undefined }
  await loadLeads(cluster.url, { leads, seed: 1, secret: SECRET, ...quiet })
  await owner.destroy()
  return cluster
}

/** One that exists already, filled by demo:leads; it gets nothing but sessions of its readers. */
async function openFilled(url: string): Promise<Database> {
  await migrate(url)
  return { url, stop: async () => undefined }
}

/** The whole product over HTTP, on the database at an address. */
export async function openStage(databaseUrl: string): Promise<Stage> {
  const db = connect(databaseUrl, { max: 20, role: 'afluente_app', statementTimeoutMs: 120_000 })
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-bench-'))
  // One reader asks as fast as it is answered, which is more than a person may.
  const settings = { ...SETTINGS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const app = await buildApp({ db, config: readConfig(settings), databaseUrl })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const bearers = new Map<Reader, string>()
  const signIn = async () => {
    for (const reader of Object.keys(readers) as Reader[]) bearers.set(reader, await bearerOf(db, readers[reader]))
  }
  await signIn()
  const ask = async (reader: Reader, path: string) => {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${bearers.get(reader)}` } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${reader} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text
  }
  return {
    db,
    databaseUrl,
    leads: await countLeads(db),
    sharedBuffers: await readSharedBuffers(db),
    signIn,
    get: async (reader, path) => {
      const started = performance.now()
      await ask(reader, path)
      return performance.now() - started
    },
    read: async (reader, path) => (JSON.parse(await ask(reader, path)) as { data: unknown }).data,
    stop: async () => {
      await app.close()
      await db.destroy()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function countLeads(db: Db): Promise<number> {
  const { leads } = await db
    .selectFrom('total')
    .where('grain', '=', 'month')
    .where('affiliate_id', '=', 0)
    .where('issuer_id', '=', 0)
    .where('product_id', '=', 0)
    .select((eb) => eb.fn.sum<string>('leads').as('leads'))
    .executeTakeFirstOrThrow()
  return Number(leads)
}

async function readSharedBuffers(db: Db): Promise<string> {
  const { rows } = await sql<{ shared_buffers: string }>`show shared_buffers`.execute(db)
  return rows[0]?.shared_buffers ?? ''
}

export async function bearerOf(db: Db, email: string, secret = SECRET): Promise<string> {
  const user = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const session = await db
    .insertInto('session')
    .values({
      user_id: user.id,
      refresh_hash: Buffer.from(hash('sha256', `bench ${email} ${performance.now()}`), 'hex'),
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      address: '127.0.0.1',
      user_agent: 'bench',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return new AccessTokens(secret).sign({ id: session.id, userId: user.id })
}

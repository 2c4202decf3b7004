import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { connect } from '#db/connect.ts'
import { type Actor, makeUser, unique } from '#db/factories.ts'
import { temporaryFolder } from '#db/test-cluster.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { buildApp, type Dependencies } from './app.ts'
import { AccessTokens } from './auth/tokens.ts'
import { readConfig } from './config.ts'

export type { Actor } from '#db/factories.ts'
export {
  makeAffiliate,
  makeCommission,
  makeDefault,
  makeIssuer,
  makeLead,
  makePair,
  makePayingStep,
  makeProduct,
  makeRelationship,
  makeStep,
  makeUser,
  unique,
} from '#db/factories.ts'

export const TEST_SECRET = '1f0c7e5b9a3d48629be4c0d7f63a58217c94e6ab0d352f81'

/** An answer, already read; `json()` gives the envelope. */
export interface TestAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  json: () => any
}

type Options = { body?: unknown; headers?: Record<string, string>; rawBody?: BodyInit; signal?: AbortSignal }

export class TestClient {
  readonly #origin: string
  readonly #headers: Record<string, string>

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = origin
    this.#headers = headers
  }

  /** The raw answer, for tests that read its bytes. */
  send = (method: string, path: string, { body, headers, rawBody, signal }: Options = {}): Promise<Response> =>
    fetch(this.#origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.#headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...((body !== undefined || rawBody !== undefined) && { body: rawBody ?? JSON.stringify(body) }),
      ...(signal && { signal }),
      duplex: 'half',
    } as RequestInit)

  async request(method: string, path: string, options?: Options): Promise<TestAnswer> {
    const answer = await this.send(method, path, options)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) }
  }

  get = (path: string, options?: Options) => this.request('GET', path, options)
  post = (path: string, body?: unknown, options?: Options) => this.request('POST', path, { body, ...options })
  put = (path: string, body?: unknown, options?: Options) => this.request('PUT', path, { body, ...options })
  delete = (path: string, options?: Options) => this.request('DELETE', path, options)
}

export interface TestServer {
  /** The owner's, to make worlds of any past; the server has its own. */
  db: Db
  /** The server's own, for tests that call its parts directly. */
  appDb: Db
  origin: string
  /** The owner's. */
  databaseUrl: string
  anonymous: TestClient
  /** A client whose bearer is a user made for this call. */
  as: (actor: Actor) => Promise<TestClient>
  stop: () => Promise<void>
}

/** The work on files of issuers, which looks for them four times a second. */
export const FILES = 'files of issuers: not worked on'
/** What tests call themselves and do not wait for: for a hundred servers it is a good part of all that a run takes. */
const BY_HAND = [
  FILES,
  'retention: not applied',
  'silent issuers: not looked for',
  'faulty links: not told',
  'refused events: not told',
  'head of the audit chain: not read',
  'sequences: not looked at',
]

/**
 * The whole product on a database of its own, called over HTTP. The limit of requests per user is higher than in
 * production, since tests are quicker than people.
 */
export async function startServer(
  env: Record<string, string> = {},
  {
    database: given,
    works = [],
    ...parts
  }: Pick<Dependencies, 'answerWithinMs' | 'exportPatience' | 'measures'> & {
    database?: TestDatabase
    /** Background work that is not done unless a test names it here. */
    works?: string[]
  } = {},
): Promise<TestServer> {
  const database = given ?? (await createTestDatabase())
  const [owner, db] = [
    connect(database.url, { max: 5, connectionTimeoutMs: 60_000, statementTimeoutMs: 120_000 }),
    connect(database.serverUrl, { max: 10, statementTimeoutMs: 120_000, role: 'afluente_app' }),
  ]
  const dataDir = mkdtempSync(join(temporaryFolder(), 'afluente-'))
  const settings = { LOG_LEVEL: 'silent', DATABASE_URL: database.url, SECRET: TEST_SECRET }
  const config = readConfig({ ...settings, DATA_DIR: dataDir, SPOOL_MB: '1', REQUESTS_PER_SECOND: '100000', ...env })
  const undone = BY_HAND.filter((what) => !works.includes(what))
  const app = await buildApp({ db, config, databaseUrl: database.serverUrl, checkAnswers: true, undone, ...parts })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    db: owner,
    appDb: db,
    origin,
    databaseUrl: database.url,
    anonymous: new TestClient(origin),
    as: async (actor) => new TestClient(origin, { authorization: `Bearer ${await makeBearer(owner, actor)}` }),
    stop: async () => {
      await app.close()
      await Promise.all([db.destroy(), owner.destroy()])
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** With the rights of the tables' owner, which the server does not have. */
export async function asOwner(databaseUrl: string, run: (owner: Db) => Promise<void>): Promise<void> {
  const owner = connect(databaseUrl, { max: 1 })
  try {
    await run(owner)
  } finally {
    await owner.destroy()
  }
}

/** An access token of a new user with this role. */
export async function makeBearer(db: Db, actor: Actor): Promise<string> {
  const user = await makeUser(db, actor)
  const session = await db
    .insertInto('session')
    .values({
      user_id: user.id,
      refresh_hash: Buffer.from(hash('sha256', `test ${unique()} ${Math.random()}`), 'hex'),
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      elevated_until: new Date(Date.now() + 3_600_000).toISOString(),
      address: '127.0.0.1',
      user_agent: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return new AccessTokens(TEST_SECRET).sign({ id: session.id, userId: user.id })
}

/**
 * Works until these tables are empty. The server's own job may have its turn: `work` then finds nothing to do before that
 * turn is committed.
 */
export async function workOff(
  { db }: Pick<TestServer, 'db'>,
  tables: ('lead_state_due' | 'result_change' | 'result_delta' | 'total_delta')[],
  work: () => Promise<unknown>,
): Promise<void> {
  const isLeft = async () => {
    for (const table of tables) if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return true
    return false
  }
  while (await isLeft()) await work()
}

/** Resolves when a connection to this database waits for another one's lock. */
export async function untilLockWait(db: Db): Promise<void> {
  for (;;) {
    const waiting = await sql`select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(db)
    if (waiting.rows.length > 0) return
    await wait(10)
  }
}

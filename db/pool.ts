import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

const OID = { int8: 20, date: 1082, timestamptz: 1184, numeric: 1700 } as const
const ARRAY_OID = { int8: 1016, date: 1182, timestamptz: 1185, numeric: 1231 } as const
const TEXT_ARRAY_OID: number = 1009

const parseMoment = pg.types.getTypeParser(OID.timestamptz)
const parseTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY_OID)

const readers = {
  int8: Number,
  numeric: (text: string) => text,
  date: (text: string) => text,
  timestamptz: (text: string) => {
    const moment: unknown = parseMoment(text)
    return moment instanceof Date ? moment.toISOString() : text // 'infinity' has no ISO form
  },
}

const byOid = new Map<number, (text: string) => unknown>()
for (const name of Object.keys(readers) as (keyof typeof readers)[]) {
  const read: (text: string) => unknown = readers[name]
  byOid.set(OID[name], read)
  byOid.set(ARRAY_OID[name], (text) => parseTexts(text).map((entry) => (entry === null ? null : read(entry))))
}

/** Rows leave the driver in wire shape. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && byOid.get(oid)) || pg.types.getTypeParser(oid, format as 'text' | undefined),
}

// Timestamps are parsed as ISO; a server with another default must not change that.
const SESSION = ['-c TimeZone=UTC', '-c DateStyle=ISO']
/** The options of a session of the server. */
export const AS_SERVER = [...SESSION, '-c role=afluente_app'].join(' ')
// A cached plan may date from when its tables were empty and cheap to scan.
const BY_INDEX = '-c enable_seqscan=off'

export type ConnectOptions = {
  max?: number
  /** Connections that stay open when idle. */
  min?: number
  /** Every statement runs as this database role. */
  role?: string
  statementTimeoutMs?: number
  connectionTimeoutMs?: number
  applicationName?: string
  /** For a Db with few statements, always the same, that find rows by index: planned once per connection. */
  prepared?: boolean
  onError?: (error: Error) => void
}

const END_MS = 1_000

/** Ends a connection without waiting for a server that vanished. */
export async function endClient(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined) // it may be broken already
  await Promise.race([ended, wait(END_MS, undefined, { ref: false })])
}

/** A connection outside every pool. */
export const newClient = (url: string, applicationName: string, options: pg.ClientConfig = {}): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    ...options,
  })

export type Call = (text: string, values: unknown[]) => Promise<pg.QueryResult>

interface Alone {
  /** Ends the connection at once. */
  signal?: AbortSignal | undefined
  /** How long an answer may take. */
  deadlineMs: number
}

/**
 * A connection for work that may take minutes, as the application's role. For what is simply done again when it is lost:
 * its commits wait for no standby, since PostgreSQL would keep all their locks while none answers.
 */
export async function callAlone<T>(
  url: string,
  applicationName: string,
  run: (call: Call) => Promise<T>,
  { signal, deadlineMs }: Alone,
): Promise<T> {
  const client = newClient(url, applicationName, {
    options: `${AS_SERVER} -c synchronous_commit=local`,
    query_timeout: deadlineMs,
    // Else the system asks after two hours whether a silent machine is still there.
    keepAliveInitialDelayMillis: 10_000,
  })
  client.on('error', () => undefined) // the running query reports the loss
  const end = () => void endClient(client)
  signal?.addEventListener('abort', end)
  try {
    await client.connect()
    return await run((text, values) => client.query(text, values))
  } finally {
    signal?.removeEventListener('abort', end)
    await endClient(client)
  }
}

const connectErrors = new WeakSet<Error>()

/** No connection could be opened, whatever the reason: a wrong password, no such role, no descriptor left. */
export const isConnectError = (error: unknown): boolean => error instanceof Error && connectErrors.has(error)

type OnConnect = Parameters<pg.Client['connect']>[0]

/** The pool connects with a callback. */
class PoolClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: OnConnect): void
  override connect(callback?: OnConnect): Promise<pg.Client> | undefined {
    if (!callback) return super.connect()
    super.connect((error: Error) => {
      if (error) connectErrors.add(error)
      ;(callback as (error: Error) => void)(error)
    })
    return undefined
  }
}

const warn = (error: Error) => process.emitWarning(`PostgreSQL: ${error.message}`)

/** Every pool of this process that is open, by its name. */
const pools = new Map<pg.Pool, { name: string; max: number }>()

export const poolUse = () =>
  [...pools].map(([{ totalCount: total, idleCount: idle, waitingCount: waiting }, { name, max }]) => ({
    ...{ name, max, total, idle, waiting },
  }))

export function openPool(url: string, options: ConnectOptions = {}): pg.Pool {
  const onError = options.onError ?? warn
  const statementTimeout = options.statementTimeoutMs ?? 15_000
  const [name, max] = [options.applicationName ?? 'afluente', options.max ?? 10]
  const pool = new pg.Pool({
    Client: PoolClient,
    connectionString: url,
    max,
    // A quiet server would open a connection for nearly every click.
    min: options.min ?? 0,
    types,
    keepAlive: true,
    application_name: name,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout, // COMMIT has no time limit, and deferred constraints wait there for rows of others
    query_timeout: statementTimeout + 5_000, // a server that vanished never answers
    idle_in_transaction_session_timeout: 30_000,
    options: [
      ...SESSION,
      ...(options.role ? [`-c role=${options.role}`] : []),
      ...(options.prepared ? [BY_INDEX] : []),
    ].join(' '),
  })
  // A lost connection is an event of its own, idle or in use; without a listener it would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', onError)
  })
  pools.set(pool, { name, max })
  return pool
}

export function endPool(pool: pg.Pool): Promise<void> {
  pools.delete(pool)
  return pool.end()
}

import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { codeOf } from '#db/operator-error.ts'
import type { Config } from './config.ts'
import { apiHeaders } from './http/errors.ts'
import type { App } from './http/http.ts'
import type { Readiness } from './readiness.ts'
import type { Spool } from './spool/spool.ts'

type Reason =
  | 'starting'
  | 'database'
  | 'database disk'
  | 'read only'
  | 'durability'
  | 'synchronous standby'
  | 'restored'
  | 'spool full'
  | 'spool disk'

/**
 * For balancers and supervisors (D66). `/healthz`: the process lives. `/readyz`: it has started, the database answers, has
 * room and is durable, and the spool would take clicks in its place. Both are public, so reasons name parts only.
 */
export function healthRoutes(app: App, db: Db, spool: Spool, readiness: Readiness, config: Config): void {
  const findDiskFault = diskWatch(db, readiness, config)
  app.get('/healthz', (_request, reply) => reply.headers(apiHeaders).send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const database = await findDatabaseFault(db, config).catch((error): Reason => {
      // Before it has started, the database is not expected to answer, and each question would write a stack.
      if (readiness.isReady) request.log.warn({ err: error }, 'not ready')
      return 'database'
    })
    const reasons: Reason[] = readiness.isReady ? [] : ['starting']
    if (database) reasons.push(database)
    if (await findDiskFault()) reasons.push('database disk')
    if (spool.historyChanged) reasons.push('restored')
    if (spool.fault) reasons.push(`spool ${spool.fault}`)
    return reply
      .code(reasons.length ? 503 : 200)
      .headers(apiHeaders)
      .send(reasons.length ? { status: 'unavailable', reasons } : { status: 'ok' })
  })
}

interface Found {
  readOnly: boolean
  durable: boolean
  apart: boolean
}

// Of the two words for an answer from another machine's disk; the others wait for less.
const APART = sql<boolean>`current_setting('synchronous_commit') in ('on', 'remote_apply') and has_synchronous_standby()`

export async function findDatabaseFault(db: Db, { requireSync }: Pick<Config, 'requireSync'>) {
  const { rows } = await sql<Found>`
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "readOnly",
      current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
      and current_setting('synchronous_commit') <> 'off' as durable,
      ${requireSync ? APART : sql`true`} as apart`.execute(db)
  const [found] = rows
  if (found?.readOnly) return 'read only' satisfies Reason
  if (!found?.durable) return 'durability' satisfies Reason
  return found.apart ? undefined : ('synchronous standby' satisfies Reason)
}

/** The disk is checked at most once in this time. */
const CHECK_MS = 5_000
/** Two WAL segments of the embedded database, which may stop for good at any moment with less. */
const ROOM_BYTES = 32 * 1_048_576

/** Whether the database has no room: reads work on a full disk for hours. */
function diskWatch(db: Db, readiness: Readiness, { databaseUrl, dataDir }: Config): () => Promise<boolean> {
  let looked = Number.NEGATIVE_INFINITY
  let found: Promise<boolean> = Promise.resolve(false)
  const look = async () =>
    (databaseUrl === undefined && (await isNarrow(join(dataDir, 'postgres')))) ||
    (readiness.isReady && (await isFull(db)))
  return () => {
    if (performance.now() - looked > CHECK_MS) {
      looked = performance.now()
      found = look()
    }
    return found
  }
}

/** The WAL may be on a disk of its own. */
async function isNarrow(folder: string): Promise<boolean> {
  for (const place of [folder, join(folder, 'pg_wal')]) {
    const room = await statfs(place).catch(() => undefined) // not made yet, or not readable for us
    if (room && room.bavail * room.bsize < ROOM_BYTES) return true
  }
  return false
}

const DISK_FULL = '53100'

/** Writes a little to the WAL and, beyond its work_mem, to the disk of the tables; stores nothing. */
async function isFull(db: Db): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      // An absent standby would make us wait, and says nothing of the room here.
      await sql`set local synchronous_commit = local`.execute(tx)
      await sql`set local work_mem = '64kB'`.execute(tx)
      await sql`select pg_logical_emit_message(true, 'afluente', ''), count(*) from generate_series(1, 20000)`.execute(
        tx,
      )
    })
    return false
  } catch (error) {
    // Other errors are reported by other queries.
    return codeOf(error) === DISK_FULL
  }
}

import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { codeOf } from '#db/operator-error.ts'
import type { Config } from './config.ts'
import { apiHeaders } from './http/errors.ts'
import type { App } from './http/http.ts'
import type { Spool } from './spool/spool.ts'
import type { Gate } from './start/gate.ts'

type Reason = 'starting' | 'database' | 'database disk' | 'durability' | 'spool full' | 'spool disk'

/**
 * For balancers and supervisors (D66): the process lives; it has finished starting, the database answers, has room and
 * keeps what it acknowledges, and the spool would take clicks in its place. The reasons name parts, nothing else:
 * everybody may ask.
 */
export function healthRoutes(app: App, db: Db, spool: Spool, gate: Gate, config: Config): void {
  const findDiskFault = diskWatch(db, gate, config)
  app.get('/healthz', (_request, reply) => reply.headers(apiHeaders).send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const database = await findDatabaseFault(db).catch((error): Reason => {
      request.log.warn({ err: error }, 'not ready')
      return 'database'
    })
    const reasons: Reason[] = gate.isOpen ? [] : ['starting']
    if (database) reasons.push(database)
    if (await findDiskFault()) reasons.push('database disk')
    if (spool.fault) reasons.push(`spool ${spool.fault}`)
    return reply
      .code(reasons.length ? 503 : 200)
      .headers(apiHeaders)
      .send(reasons.length ? { status: 'unavailable', reasons } : { status: 'ok' })
  })
}

async function findDatabaseFault(db: Db): Promise<Reason | undefined> {
  const { rows } = await sql<{ durable: boolean }>`
    select current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
      and current_setting('synchronous_commit') <> 'off' as durable`.execute(db)
  return rows[0]?.durable ? undefined : 'durability'
}

/** However many ask, the disk is looked at once in so long. */
const LOOK_MS = 5_000
/** Of the embedded database: two pieces of its log, below which it stops for good at any moment. */
const ROOM_BYTES = 32 * 1_048_576

/** Whether the database has no room: reading works on a full disk for hours. */
function diskWatch(db: Db, gate: Gate, { databaseUrl, dataDir }: Config): () => Promise<boolean> {
  let looked = Number.NEGATIVE_INFINITY
  let found: Promise<boolean> = Promise.resolve(false)
  const look = async () =>
    (databaseUrl === undefined && (await isNarrow(join(dataDir, 'postgres')))) || (gate.isOpen && (await isFull(db)))
  return () => {
    if (performance.now() - looked > LOOK_MS) {
      looked = performance.now()
      found = look()
    }
    return found
  }
}

/** Its log may be on a disk of its own. */
async function isNarrow(folder: string): Promise<boolean> {
  for (const place of [folder, join(folder, 'pg_wal')]) {
    const room = await statfs(place).catch(() => undefined) // not made yet, or not ours to look at
    if (room && room.bavail * room.bsize < ROOM_BYTES) return true
  }
  return false
}

const DISK_FULL = '53100'

/** Writes a little to the log and, past the memory that it may use, to the disk of the tables; keeps nothing. */
async function isFull(db: Db): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      // A standby that is away would keep us waiting, and says nothing of the room here.
      await sql`set local synchronous_commit = local`.execute(tx)
      await sql`set local work_mem = '64kB'`.execute(tx)
      await sql`select pg_logical_emit_message(true, 'afluente', ''), count(*) from generate_series(1, 20000)`.execute(
        tx,
      )
    })
    return false
  } catch (error) {
    // Anything else is told by those who ask the database for more.
    return codeOf(error) === DISK_FULL
  }
}

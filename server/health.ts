import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { apiHeaders } from './errors.ts'
import type { Gate } from './gate.ts'
import type { App } from './http.ts'
import type { Spool } from './tracking/spool.ts'

type Reason = 'starting' | 'database' | 'durability' | 'spool full' | 'spool disk'

/**
 * For balancers and supervisors (D66): the process lives; it has finished starting, the database answers and keeps what
 * it acknowledges, and the spool would take clicks in its place. The reasons name parts, nothing else: everybody may ask.
 */
export function healthRoutes(app: App, db: Db, spool: Spool, gate: Gate): void {
  app.get('/healthz', (_request, reply) => reply.headers(apiHeaders).send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const database = await findDatabaseFault(db).catch((error): Reason => {
      request.log.warn({ err: error }, 'not ready')
      return 'database'
    })
    const reasons: Reason[] = gate.isOpen ? [] : ['starting']
    if (database) reasons.push(database)
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

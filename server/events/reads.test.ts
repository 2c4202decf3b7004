import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { startServer, type TestServer } from '../testing.ts'
import { storeEvents } from './events.ts'
import { EVENTS_POOL } from './store.ts'
import { makeFunnel } from './testing.ts'

const LEADS = 3_000
/** Of one transaction. */
const TOGETHER = 100

let server: TestServer
let db: Db
/** As PostgreSQL plans among many partitions of leads: anew for each event. */
let unprepared: Db
beforeAll(async () => {
  server = await startServer()
  db = connect(server.databaseUrl, { ...EVENTS_POOL, role: 'afluente_app' })
  unprepared = connect(server.databaseUrl, { max: 1, role: 'afluente_app' })
})
afterAll(async () => {
  await unprepared?.destroy()
  await db?.destroy()
  await server?.stop()
})

async function makeLeads({ ids }: Awaited<ReturnType<typeof makeFunnel>>): Promise<string[]> {
  const trackingIds = Array.from({ length: LEADS }, () => randomUUIDv7())
  await sql`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id)
    select tracking_id, ${ids.relationship_id}, ${ids.affiliate_id}, ${ids.issuer_id}, ${ids.product_id}
    from unnest(${trackingIds}::uuid[]) as tracking_id`.execute(server.db)
  return trackingIds
}

async function readSoFar(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
    where relname in ('lead_event', 'commission_entry')`.execute(db)
  return rows[0]?.rows ?? 0
}

/** What these events made PostgreSQL read of events and entries. */
const rowsRead = (issuerId: number, events: Parameters<typeof storeEvents>[2], through = db): Promise<number> =>
  through.transaction().execute(async (trx) => {
    // The counts of the session, of which the server takes some away between transactions.
    const before = await readSoFar(trx)
    await storeEvents(trx, issuerId, events)
    return (await readSoFar(trx)) - before
  })

test('what an event reads does not grow with the events and entries of other leads', async () => {
  const funnel = await makeFunnel(server)
  const trackingIds = await makeLeads(funnel)
  const eventsOf = (step_id: number, leads: string[]) =>
    leads.map((tracking_id) => ({ tracking_id, step_id, event_id: `${step_id} ${tracking_id}`, source: 'api' }))
  const { aprobado, entregado } = funnel.steps
  const reads: number[] = []
  for (let start = 0; start < LEADS; start += TOGETHER) {
    reads.push(await rowsRead(funnel.issuer.id, eventsOf(aprobado.id, trackingIds.slice(start, start + TOGETHER))))
    // From then on the tables grow past what PostgreSQL knows of them, as they do between two rounds of autovacuum.
    if (start === 0) await sql`analyze lead_event, commission_entry`.execute(server.db)
  }
  reads.push(await rowsRead(funnel.issuer.id, eventsOf(entregado.id, trackingIds.slice(0, TOGETHER))))
  const { count } = await server.db
    .selectFrom('commission_entry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('issuer_id', '=', funnel.issuer.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(LEADS + TOGETHER)
  expect(Math.max(...reads)).toBeLessThan(10 * TOGETHER)
})

/** Makes the index of keys the more expensive one of two that find a row. */
const LONG = 'id'.padEnd(200, '-')

test('nor with the events of its own issuer, of which PostgreSQL may not know yet', async () => {
  for (const isKnown of [true, false]) {
    const funnel = await makeFunnel(server)
    const [last = '', ...trackingIds] = await makeLeads(funnel)
    const store = (ids: string[], through: Db) => {
      const step_id = funnel.steps.aprobado.id
      const events = ids.map((id) => ({ tracking_id: id, step_id, event_id: `${LONG}${id}`, source: 'api' }))
      return rowsRead(funnel.issuer.id, events, through)
    }
    for (let start = 0; start < LEADS; start += TOGETHER) await store(trackingIds.slice(start, start + TOGETHER), db)
    if (isKnown) await sql`analyze lead_event, commission_entry`.execute(server.db)
    else expect(await store([last], unprepared)).toBeLessThan(10)
  }
})

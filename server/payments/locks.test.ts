import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Tx } from '#db/connect.ts'
import { makeEntry } from '#db/factories.ts'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { entriesIn, paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const APRIL = { period_start: '2025-04-01', period_end: '2025-04-30' }

/** A payment of March with one commission; an older one is of April. */
async function makeBooks() {
  const pair = await makePair(server.db)
  const earn = (day: string) => makeEntry(server.db, pair.ids, { earned_at: `2025-${day}T18:00:00Z` })
  const [april, march] = [await earn('04-02'), await earn('03-02')]
  const form = paymentForm(pair.relationship.id)
  const { id } = (await admin.post('/api/v1/payments/', form)).json().data
  expect(await entriesIn(server.db, id)).toMatchObject([{ id: march.id }])
  return { ...pair, april, march, id, toApril: () => admin.put(`/api/v1/payments/${id}/`, { ...form, ...APRIL }) }
}

const lock = (tx: Tx, entry: { id: number }) =>
  tx.selectFrom('commission_entry').select('id').where('id', '=', entry.id).forUpdate().execute()

const isWaiting = async (db: Db): Promise<boolean> =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query ~ 'commission_entry|"payment"'`.execute(db)
  ).rows.length > 0

test('a payment that moves locks its entries in the order in which a rejection locks them', async () => {
  const { april, march, id, toApril } = await makeBooks()
  // As a rejection of the lead that earned both.
  const { moving } = await server.db.transaction().execute(async (tx) => {
    await lock(tx, april)
    const moving = toApril()
    await expect.poll(() => isWaiting(server.db)).toBe(true)
    await lock(tx, march)
    return { moving }
  })
  expect((await moving).status).toBe(200)
  expect(await entriesIn(server.db, id)).toMatchObject([{ id: april.id }])
})

test('a payment that moves waits for the place of another before it takes entries', async () => {
  const { april, ids, relationship, toApril } = await makeBooks()
  const { affiliate_id, issuer_id } = ids
  const nothing = { total_leads: 0, total_conversions: 0, total_amount: '0.00', calculated_amount: '0.00' }
  const { moving } = await server.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('payment')
      .values({ relationship_id: relationship.id, affiliate_id, issuer_id, ...APRIL, ...nothing })
      .execute()
    const moving = toApril()
    await expect.poll(() => isWaiting(server.db)).toBe(true)
    await lock(tx, april)
    return { moving }
  })
  const answer = await moving
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'DUPLICATE_PAYMENT'])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '#db/connect.ts'
import { makeAccount, openSession } from './auth/testing.ts'
import {
  FILES,
  makeAffiliate,
  makeCommission,
  makePair,
  makePayingStep,
  makeRelationship,
  makeUser,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
} from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const waiting = async (): Promise<number> =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.db,
    )
  ).rows.length

/** Both begin, one after the other, while a lock of ours keeps each of them where it could stand in the other's way. */
async function together(hold: (tx: Tx) => Promise<unknown>, first: () => Promise<TestAnswer>, second: typeof first) {
  const { answers } = await server.db.transaction().execute(async (tx) => {
    await hold(tx)
    const answers = [first()]
    await expect.poll(waiting).toBe(1)
    answers.push(second())
    await expect.poll(waiting).toBe(2)
    return { answers }
  })
  return (await Promise.all(answers)).map(({ status }) => status)
}

const lock = (table: 'product' | 'relationship' | 'affiliate', id: number) => (tx: Tx) =>
  tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute()

test('a product that is deleted while its commission is copied', async () => {
  const { product, issuer, ids } = await makePair(server.db)
  await makePayingStep(server.db, { product_id: product.id })
  const commission = await makeCommission(server.db, ids)
  const other = await makeAffiliate(server.db)
  await makeRelationship(server.db, { affiliate_id: other.id, issuer_id: issuer.id })
  const remove = () => admin.delete(`/api/v1/products/${product.id}/`)
  const copy = () => admin.post(`/api/v1/payouts/${commission.id}/copy/`, { affiliate_ids: [other.id] })
  expect(await together(lock('product', product.id), remove, copy)).toEqual([204, 422])
})

test('an issuer that is deleted while a commission is made', async () => {
  const { issuer, product, affiliate, relationship } = await makePair(server.db)
  const form = { affiliate_id: affiliate.id, product_id: product.id, name: 'Alta', description: '', payout: '500' }
  const remove = () => admin.delete(`/api/v1/issuers/${issuer.id}/`)
  const create = () => admin.post('/api/v1/payouts/', form)
  expect(await together(lock('relationship', relationship.id), remove, create)).toEqual([204, 422])
})

test('a company that is deleted while a person of it is changed', async () => {
  const affiliate = await makeAffiliate(server.db)
  const user = await makeUser(server.db, { role: 'affiliate', affiliateId: affiliate.id })
  const remove = () => admin.delete(`/api/v1/affiliates/${affiliate.id}/`)
  const save = () => admin.put(`/api/v1/auth/users/${user.id}/`, { first_name: 'Otra' })
  expect(await together(lock('affiliate', affiliate.id), remove, save)).toEqual([204, 200])
})

test('two administrators who give each other a link', async () => {
  const [ana, eva] = [await makeAccount(server), await makeAccount(server)]
  const give = async (by: typeof ana, to: typeof ana) => {
    const { client } = await openSession(server, by.email)
    return () => client.post('/api/v1/auth/invitations/', { user_id: to.id })
  }
  const [toEva, toAna] = [await give(ana, eva), await give(eva, ana)]
  expect([(await toEva()).status, (await toAna()).status]).toEqual([201, 201])
  const holdLinks = (tx: Tx) =>
    tx.selectFrom('access_link').select('id').where('user_id', 'in', [ana.id, eva.id]).forUpdate().execute()
  expect(await together(holdLinks, toEva, toAna)).toEqual([201, 201])
})

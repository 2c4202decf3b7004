import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { asOwner, makeAffiliate, makeIssuer, TEST_SECRET } from '../testing.ts'
import { ApiKeys } from './api-keys.ts'
import { type KeyOwner, prefixOf } from './key-text.ts'

let database: TestDatabase
let db: Db
let keys: ApiKeys
beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.serverUrl, { role: 'afluente_app' })
  keys = new ApiKeys(db, TEST_SECRET)
})
afterAll(async () => {
  await keys.settle()
  await db.destroy()
  await database.drop()
})

const rotate = (owner: KeyOwner, kind: 'api' | 'postback' = 'api') =>
  db.transaction().execute((tx) => keys.rotate(tx, owner, kind))
const rowsOf = (issuerId: number) =>
  db.selectFrom('api_key').selectAll().where('issuer_id', '=', issuerId).orderBy('id').execute()

test('a key shows its type, and nothing readable of it is stored', async () => {
  const [issuerId, affiliateId] = [(await makeIssuer(db)).id, (await makeAffiliate(db)).id]
  const api = await keys.create(db, { issuerId }, 'api')
  expect(api).toMatch(/^iss_[0-9A-Za-z]{4}_[0-9A-Za-z]{42}$/)
  expect(await keys.create(db, { issuerId }, 'postback')).toMatch(/^pbt_/)
  expect(await keys.create(db, { affiliateId }, 'api')).toMatch(/^aff_/)
  const [row] = await rowsOf(issuerId)
  expect(row?.prefix).toBe(prefixOf(api))
  expect(JSON.stringify(row)).not.toContain(api)
  expect(row?.key_ciphertext.includes(api.slice(9))).toBe(false)
})

test('the owner reads back what was created; a row moved to another owner cannot be read', async () => {
  const [mine, other] = [(await makeIssuer(db)).id, (await makeIssuer(db)).id]
  const key = await keys.create(db, { issuerId: mine }, 'api')
  expect(await keys.reveal(db, { issuerId: mine }, 'api')).toBe(key)
  expect(await keys.reveal(db, { issuerId: mine }, 'postback')).toBeUndefined()
  await asOwner(database.url, async (owner) => {
    await owner.updateTable('api_key').set({ issuer_id: other }).where('issuer_id', '=', mine).execute()
  })
  expect(await keys.reveal(db, { issuerId: other }, 'api')).toBeUndefined()
})

test('another secret neither reads a key nor knows it', async () => {
  const issuerId = (await makeIssuer(db)).id
  const key = await keys.create(db, { issuerId }, 'api')
  const others = new ApiKeys(db, `${TEST_SECRET}-another`)
  expect(await others.reveal(db, { issuerId }, 'api')).toBeUndefined()
  expect(await others.findIssuer('api', key)).toBeUndefined()
})

test('a key is found under its own kind only', async () => {
  const issuerId = (await makeIssuer(db)).id
  const [api, postback] = [await keys.create(db, { issuerId }, 'api'), await keys.create(db, { issuerId }, 'postback')]
  expect(await keys.findIssuer('api', api)).toMatchObject({ issuerId })
  expect(await keys.findIssuer('postback', postback)).toMatchObject({ issuerId })
  expect(await keys.findIssuer('postback', api)).toBeUndefined()
  expect(await keys.findIssuer('api', postback)).toBeUndefined()
})

test.each(['', 'iss_', 'x'.repeat(5000), `iss_abcd_${'0'.repeat(42)}`, "iss_' or 1=1"])('%j is nobody', async (key) => {
  expect(await keys.findIssuer('api', key)).toBeUndefined()
})

test("an affiliate's key is not an issuer's", async () => {
  const key = await keys.create(db, { affiliateId: (await makeAffiliate(db)).id }, 'api')
  expect(await keys.findIssuer('api', key)).toBeUndefined()
})

test('after a rotation the old key works for a day, then no longer', async () => {
  const issuerId = (await makeIssuer(db)).id
  const old = await keys.create(db, { issuerId }, 'api')
  const fresh = await rotate({ issuerId })
  expect(await keys.reveal(db, { issuerId }, 'api')).toBe(fresh)
  expect(await keys.findIssuer('api', old)).toMatchObject({ issuerId })
  expect(await keys.findIssuer('api', fresh)).toMatchObject({ issuerId })
  const [row] = await rowsOf(issuerId)
  const hours = (Date.parse(row?.expires_at ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24)
  await db
    .updateTable('api_key')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', row?.id ?? 0)
    .execute()
  keys.clear()
  expect(await keys.findIssuer('api', old)).toBeUndefined()
})

test('ten rotations at once leave one key in force', async () => {
  const issuerId = (await makeIssuer(db)).id
  await keys.create(db, { issuerId }, 'api')
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => rotate({ issuerId })))
  expect(results.some((result) => result.status === 'fulfilled')).toBe(true)
  expect((await rowsOf(issuerId)).filter((row) => row.expires_at === null)).toHaveLength(1)
})

test('revoking ends every key, also the one that a rotation left', async () => {
  const issuerId = (await makeIssuer(db)).id
  const all = [
    await keys.create(db, { issuerId }, 'api'),
    await rotate({ issuerId }),
    await rotate({ issuerId }, 'postback'),
  ]
  await db.transaction().execute((tx) => keys.revokeAll(tx, { issuerId }))
  for (const key of all) {
    expect(await keys.findIssuer('api', key)).toBeUndefined()
    expect(await keys.findIssuer('postback', key)).toBeUndefined()
  }
  expect(await keys.reveal(db, { issuerId }, 'api')).toBeUndefined()
})

test('an archived issuer is nobody, at the latest five seconds later, whatever the clock is set to', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const issuerId = (await makeIssuer(db)).id
  const key = await keys.create(db, { issuerId }, 'api')
  expect(await keys.findIssuer('api', key)).toMatchObject({ issuerId })
  await db.updateTable('issuer').set({ archived_at: new Date() }).where('id', '=', issuerId).execute()
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(5_001)
  expect(await keys.findIssuer('api', key)).toBeUndefined()
})

test('use is noted once a minute', async () => {
  const issuerId = (await makeIssuer(db)).id
  const key = await keys.create(db, { issuerId }, 'api')
  await Promise.all(Array.from({ length: 10 }, () => keys.findIssuer('api', key, '203.0.113.0/24')))
  await keys.settle()
  const [{ last_used_at: first, last_used_from } = {}] = await rowsOf(issuerId)
  expect(last_used_from).toBe('203.0.113.0/24')
  expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 10_000)
  await keys.findIssuer('api', key)
  await keys.settle()
  expect((await rowsOf(issuerId))[0]?.last_used_at).toBe(first)
})

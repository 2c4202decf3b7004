import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makeLead, makePair } from '#db/factories.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { tendPartitions } from './leads/partitions.ts'
import { tendSequences } from './sequences.ts'

// Without a server, which would mend it itself.
let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, { max: 2, role: 'afluente_app' })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const setBack = async (sequence: string) => {
  const owner = connect(database.url, { max: 1 })
  await sql`select setval(${sequence}, 1)`.execute(owner)
  await owner.destroy()
}

test('a sequence that was set back gives no id twice, and is taken past those in use', async () => {
  const owner = connect(database.url, { max: 1 })
  const { ids } = await makePair(owner)
  const store = async (created_at = Date.now()) => (await makeLead(owner, { ...ids, created_at })).id
  const given = [await store(), await store(), await store()]
  await setBack('lead_id_seq')
  await expect(store()).rejects.toThrow('lead_0_id_idx')
  const moved: string[][] = []
  await tendSequences(db, (names) => moved.push(names))
  await tendSequences(db, (names) => moved.push(names))
  expect(moved).toEqual([['lead_id_seq']])
  given.push(await store())
  // In the next partition, too.
  await tendPartitions(db, { databaseUrl: database.url, cutLeads: 1 })
  const later = Date.now() + 60_000
  given.push(await store(later))
  await setBack('lead_id_seq')
  await expect(store(later)).rejects.toThrow('id_follows')
  await tendSequences(db, () => undefined)
  given.push(await store(later))
  expect(new Set(given).size).toBe(given.length)
  await owner.destroy()
})

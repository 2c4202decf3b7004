import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import type { Fault } from './fault.ts'
import { fault as ambiguousCommit } from './r04-ambiguous-commit.ts'
import { fault as tornSpool } from './r15-torn-spool.ts'
import { type FaultWorld, openWorld } from './world.ts'

let database: TestDatabase
let world: FaultWorld
beforeAll(async () => {
  database = await createTestDatabase()
  world = await openWorld({ databaseUrl: database.url, proxied: true, small: true })
})
afterAll(async () => {
  await world.remove()
  await database.drop()
})

const nameOf = ({ id, title }: Fault) => `${title}: what was acknowledged is stored once (${id})`

test.each([ambiguousCommit, tornSpool].map((fault) => [nameOf(fault), fault] as const))('%s', async (_name, fault) => {
  const figures = await fault.run({ short: true, say: () => undefined, world })
  expect(figures).toMatchObject({ lost: 0, doubled: 0 })
})

import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePair, startServer, type TestServer } from '../testing.ts'
import { Targets } from './targets.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

function countingTargets() {
  let queries = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { targets: new Targets(server.db.withPlugin(counter)), queries: () => queries }
}

test('a thousand clicks that come at once ask the database once', async () => {
  const { ids } = await makePair(server.db)
  const { targets, queries } = countingTargets()
  const find = () => targets.find(ids.relationship_id, ids.product_id)
  const found = await Promise.all(Array.from({ length: 1000 }, find))
  expect(found.every((target) => target?.live)).toBe(true)
  expect(queries()).toBe(1)
  targets.clear()
  await find()
  expect(queries()).toBe(2)
})

test('a pair that does not exist is remembered too', async () => {
  const { targets, queries } = countingTargets()
  for (let time = 0; time < 3; time += 1) expect(await targets.find(999_999, 1)).toBeUndefined()
  expect(queries()).toBe(1)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const MISSING = 999_999_999

test.each(['products', 'relationships'] as const)('%s are deactivated and activated, each by itself', async (noun) => {
  const [one, other] = [await makePair(server.db), await makePair(server.db)]
  const idOf = ({ product, relationship }: typeof one) => (noun === 'products' ? product.id : relationship.id)
  const [first, second] = [idOf(one), idOf(other)]
  const set = async (status: string, ids: number[]) =>
    (await admin.post(`/api/v1/${noun}/status/`, { ids, status }))
      .json()
      .data.map(({ id, outcome }: { id: number; outcome: string }) => [id, outcome])
  const click = () =>
    server.anonymous.get(`/api/v1/leads/redirect/${one.relationship.id}/?product_id=${one.product.id}`)
  expect((await click()).status).toBe(302)
  expect(await set('inactive', [first, MISSING])).toEqual([
    [first, 'updated'],
    [MISSING, 'not_found'],
  ])
  await expect.poll(async () => (await click()).status).toBe(410)
  expect(await set('inactive', [first, second])).toEqual([
    [first, 'already'],
    [second, 'updated'],
  ])
  expect(await set('active', [first, second])).toEqual([
    [first, 'updated'],
    [second, 'updated'],
  ])
  const trail = await server.db
    .selectFrom('audit_entry')
    .select('id')
    .where('entity', '=', noun.slice(0, -1))
    .where('entity_id', '=', first)
    .where('action', '=', 'update')
    .execute()
  expect(trail).toHaveLength(2)
})

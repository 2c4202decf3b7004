import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateChange } from '#contract/rates.ts'
import { makePair, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'

const PATH = '/api/v1/payouts'
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const changes = (answer: TestAnswer): RateChange[] => answer.json().data
const amounts = (answer: TestAnswer) => changes(answer).map(({ from, to }) => [from, to])

/** A commission that its issuer configured for 500 pesos. */
async function configure() {
  const pair = await makePair(server.db)
  const issuer = await server.as({ role: 'issuer', issuerId: pair.issuer.id })
  const { affiliate_id, product_id } = pair.ids
  const form = { affiliate_id, product_id, name: 'Alta de tarjeta', payout: '500' }
  const { id } = (await issuer.post(PATH, form)).json().data
  return { issuer, pair, path: `${PATH}/${id}/` }
}

test('every amount is listed from the creation on, the latest first, with its author', async () => {
  const { issuer, path } = await configure()
  expect((await admin.put(path, { payout: '612.5' })).status).toBe(200)
  expect((await issuer.put(path, { payout: '0' })).status).toBe(200)
  const history = await admin.get(`${path}history/`)
  expect(history.json()).toMatchObject({
    success: true,
    data: [
      { from: '612.50', to: '0.00', actor_role: 'issuer', actor_name: 'Ana Prueba' },
      { from: '500.00', to: '612.50', actor_role: 'admin', actor_name: 'Ana Prueba' },
      { from: null, to: '500.00', actor_role: 'issuer', actor_name: 'Ana Prueba' },
    ],
  })
  const moments = changes(history).map(({ changed_at }) => Date.parse(changed_at))
  expect(moments).toEqual(moments.toSorted((a, b) => b - a))
  expect(amounts(await admin.get(`${path}history?page=2&page_size=2`))).toEqual([[null, '500.00']])
})

test('what leaves the amount as it was is no change of it', async () => {
  const { issuer, path } = await configure()
  await issuer.put(path, { name: 'Otro nombre', description: 'Otra descripción', payout: '500.00' })
  expect((await issuer.put(path, { payout: 'abc' })).status).toBe(422)
  expect(amounts(await issuer.get(`${path}history/`))).toEqual([[null, '500.00']])
})

test('the issuer reads the names of its own people and not those of administrators', async () => {
  const { issuer, path } = await configure()
  await admin.put(path, { payout: '600' })
  const history = await issuer.get(`${path}history/`)
  expect(changes(history).map(({ actor_role, actor_name }) => [actor_role, actor_name])).toEqual([
    ['admin', ''],
    ['issuer', 'Ana Prueba'],
  ])
})

test('ten changes at once are one chain', async () => {
  const { issuer, path } = await configure()
  await Promise.all(Array.from({ length: 10 }, (_, index) => issuer.put(path, { payout: `${index + 1}` })))
  const listed = amounts(await issuer.get(`${path}history/`)).toReversed()
  expect(listed).toHaveLength(11)
  expect(listed.slice(1).map(([from]) => from)).toEqual(listed.slice(0, -1).map(([, to]) => to))
  expect(listed.at(-1)?.[1]).toBe((await issuer.get(path)).json().data.payout)
})

test('a commission that was deleted and made anew hides neither its gap nor what was before', async () => {
  const { issuer, pair, path } = await configure()
  await issuer.delete(path)
  const { affiliate_id, product_id } = pair.ids
  const again = await issuer.post(PATH, { affiliate_id, product_id, name: 'De nuevo', payout: '450' })
  const history = await issuer.get(`${PATH}/${again.json().data.id}/history/`)
  expect(history.json().data).toMatchObject([
    { from: null, to: '450.00', actor_name: 'Ana Prueba' },
    { from: '500.00', to: null, actor_name: 'Ana Prueba' },
    { from: null, to: '500.00', actor_name: 'Ana Prueba' },
  ])
})

test('it is the issuer’s and the administrator’s, for as long as the commission stands', async () => {
  const { issuer, pair, path } = await configure()
  const { issuer: stranger } = await configure()
  const affiliate = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
  const statusFor = async (client: TestClient) => (await client.get(`${path}history/`)).status
  expect(await Promise.all([issuer, admin, stranger, affiliate, server.anonymous].map(statusFor))).toEqual([
    ...[200, 200, 404, 403, 401],
  ])
  await issuer.delete(path)
  expect(await statusFor(issuer)).toBe(404)
})

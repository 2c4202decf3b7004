import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Commission } from '#contract/commissions.ts'
import {
  makeAffiliate,
  makeCommission,
  makePair,
  makePayingStep,
  makeRelationship,
  startServer,
  type TestServer,
} from '../testing.ts'

const PATH = '/api/v1/payouts/'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** A commission of one affiliate, and others who promote the product without one. */
async function makeTerms(others = 3) {
  const pair = await makePair(server.db)
  await makePayingStep(server.db, { product_id: pair.product.id })
  const commission = await makeCommission(server.db, { ...pair.ids, description: 'Primera tarjeta', payout: '620.50' })
  const issuer = await server.as({ role: 'issuer', issuerId: pair.issuer.id })
  const affiliates = await Promise.all(Array.from({ length: others }, () => makeAffiliate(server.db)))
  for (const { id } of affiliates) await makeRelationship(server.db, { affiliate_id: id, issuer_id: pair.issuer.id })
  const copy = (affiliate_ids: unknown, client = issuer) =>
    client.post(`${PATH}${commission.id}/copy/`, { affiliate_ids })
  const listed = async (): Promise<Commission[]> =>
    (await issuer.get(`${PATH}?product_id=${pair.product.id}`)).json().data
  return { pair, commission, issuer, ids: affiliates.map(({ id }) => id), copy, listed }
}

test('a commission is copied to the others who promote the product, each with its own entry of the trail', async () => {
  const { commission, ids, copy, listed } = await makeTerms()
  const answer = await copy(ids.slice(0, 2))
  expect([answer.status, answer.json().message]).toEqual([201, 'Comisiones creadas exitosamente'])
  const made: Commission[] = answer.json().data
  expect(made.map(({ affiliate }) => affiliate)).toEqual(ids.slice(0, 2))
  for (const one of made)
    expect(one).toMatchObject({ name: commission.name, description: 'Primera tarjeta', payout: '620.50', next: null })
  expect((await listed()).map(({ affiliate }) => affiliate)).toEqual([commission.affiliate_id, ...ids.slice(0, 2)])
  const trail = await server.db
    .selectFrom('audit_entry')
    .select('entity_id')
    .where('entity', '=', 'commission')
    .where('action', '=', 'create')
    .where(
      'entity_id',
      'in',
      made.map(({ id }) => id),
    )
    .execute()
  expect(trail).toHaveLength(2)
})

test('one that cannot have it stops all of them', async () => {
  const { pair, ids, copy, listed } = await makeTerms()
  const stranger = await makeAffiliate(server.db)
  const refused = 'Algún afiliado ya tiene comisión por este producto o ya no lo promueve. Revisa la lista.'
  for (const bad of [stranger.id, pair.affiliate.id, 999_999_999])
    expect((await copy([...ids, bad])).json().meta.field_errors).toEqual({ affiliate_ids: [refused] })
  expect((await copy([])).json().meta.field_errors).toEqual({ affiliate_ids: ['Selecciona al menos un afiliado'] })
  expect((await copy([ids[0], ids[0]])).status).toBe(422)
  expect(await listed()).toHaveLength(1)
})

test('copied twice at once, each affiliate has one commission', async () => {
  const { ids, copy, listed } = await makeTerms()
  const answers = await Promise.all([1, 2, 3].map(() => copy(ids.toReversed())))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
  expect(await listed()).toHaveLength(4)
})

test('what another issuer pays is copied by administrators and its own people alone', async () => {
  const { ids, copy } = await makeTerms(2)
  const stranger = await makeTerms(1)
  expect((await copy(ids, stranger.issuer)).status).toBe(404)
  expect((await copy(ids, await server.as({ role: 'affiliate', affiliateId: ids[0] ?? 0 }))).status).toBe(403)
  expect((await copy(ids, await server.as({ role: 'admin' }))).status).toBe(201)
})

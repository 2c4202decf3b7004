import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Commission } from '#contract/commissions.ts'
import {
  makeAffiliate,
  makeCommission,
  makePair,
  makeProduct,
  makeRelationship,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
  untilLockWait,
} from '../testing.ts'

const PATH = '/api/v1/payouts'
const DUPLICATE = 'Ya existe una configuración para este producto y afiliado'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

type Pair = Awaited<ReturnType<typeof makePair>>

const form = ({ ids }: Pair) => ({
  affiliate_id: ids.affiliate_id,
  product_id: ids.product_id,
  relationship_id: ids.relationship_id,
  name: 'Alta de tarjeta',
  description: 'Por tarjeta aprobada',
  payout: '500',
})
const ids = (answer: TestAnswer): number[] => answer.json().data.map((commission: Commission) => commission.id)
const issuerOf = ({ issuer }: Pair) => server.as({ role: 'issuer', issuerId: issuer.id })
const trailOf = (id: number) =>
  server.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_role', 'changes'])
    .where('entity', '=', 'commission')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()

test('an issuer configures, changes and removes a commission, and the audit log keeps every amount', async () => {
  const pair = await makePair(server.db)
  const issuer = await issuerOf(pair)
  const created = await issuer.post(PATH, form(pair))
  expect(created.status).toBe(201)
  const { id } = created.json().data
  expect(created.json()).toMatchObject({
    message: 'Comisión creada exitosamente',
    data: {
      name: 'Alta de tarjeta',
      product: pair.product.id,
      affiliate: pair.affiliate.id,
      relationship_id: pair.relationship.id,
      payout: '500.00',
      product_name: pair.product.name,
      affiliate_name: pair.affiliate.company_name,
      issuer_name: pair.issuer.company_name,
    },
  })
  const changed = await issuer.put(`${PATH}/${id}/`, { ...form(pair), id, payout: '612.5' })
  expect(changed.json()).toMatchObject({ message: 'Comisión actualizada exitosamente', data: { payout: '612.50' } })
  expect((await issuer.get(`${PATH}/${id}`)).json().data).toEqual(changed.json().data)
  expect((await issuer.delete(`${PATH}/${id}/`)).status).toBe(204)
  expect((await issuer.delete(`${PATH}/${id}/`)).status).toBe(404)
  expect(ids(await issuer.get(PATH))).toEqual([])
  expect(await trailOf(id)).toMatchObject([
    { action: 'create', actor_role: 'issuer', changes: { payout: [null, '500.00'] } },
    { action: 'update', actor_role: 'issuer', changes: { payout: ['500.00', '612.50'] } },
    { action: 'delete', actor_role: 'issuer' },
  ])
})

test('the list answers with and without the closing slash, narrows and searches', async () => {
  const pair = await makePair(server.db)
  const issuer = await issuerOf(pair)
  const second = await makeProduct(server.db, { issuer_id: pair.issuer.id, name: 'Nómina Única' })
  const one = await makeCommission(server.db, { ...pair.ids, name: 'Depósito 100%' })
  const two = await makeCommission(server.db, { ...pair.ids, product_id: second.id })
  expect(ids(await issuer.get(PATH))).toEqual([one.id, two.id])
  expect(ids(await issuer.get(`${PATH}/`))).toEqual([one.id, two.id])
  expect(ids(await issuer.get(`${PATH}?product_id=${second.id}`))).toEqual([two.id])
  expect(ids(await issuer.get(`${PATH}?affiliate_id=${pair.affiliate.id}`))).toEqual([one.id, two.id])
  const other = await makePair(server.db)
  const theirs = await makeCommission(server.db, other.ids)
  expect(ids(await admin.get(`${PATH}?issuer_id=${other.issuer.id}`))).toEqual([theirs.id])
  expect(ids(await issuer.get(`${PATH}?issuer_id=${other.issuer.id}`))).toEqual([])
  expect(ids(await issuer.get(`${PATH}?search=deposito`))).toEqual([one.id])
  expect(ids(await issuer.get(`${PATH}?search=unica%20portal`))).toEqual([two.id])
  expect(ids(await issuer.get(`${PATH}?search=%25`))).toEqual([one.id])
  expect((await issuer.get(`${PATH}?product_id=1&product_id=2`)).status).toBe(400)
})

describe('the pair', () => {
  test('is configured once', async () => {
    const pair = await makePair(server.db)
    await admin.post(PATH, form(pair))
    const again = await admin.post(PATH, form(pair))
    expect(again.status).toBe(409)
    expect(again.json()).toMatchObject({ message: DUPLICATE, meta: { code: 'DUPLICATE_COMMISSION' } })
  })

  test('is configured once when ten try', async () => {
    const pair = await makePair(server.db)
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(PATH, form(pair))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect(ids(await admin.get(`${PATH}?product_id=${pair.product.id}`))).toHaveLength(1)
  })

  test('is free again when its commission is removed', async () => {
    const pair = await makePair(server.db)
    const { id } = (await admin.post(PATH, form(pair))).json().data
    await admin.delete(`${PATH}/${id}/`)
    expect((await admin.post(PATH, form(pair))).status).toBe(201)
  })

  test('needs an active relationship, today', async () => {
    const pair = await makePair(server.db)
    const issuer = await issuerOf(pair)
    const stranger = await makeAffiliate(server.db)
    const unrelated = await issuer.post(PATH, { ...form(pair), affiliate_id: stranger.id, relationship_id: null })
    expect([unrelated.status, unrelated.json().message]).toEqual([422, 'Selecciona un afiliado válido'])
    const { id, relationship_active } = (await issuer.post(PATH, form(pair))).json().data
    expect(relationship_active).toBe(true)
    await server.db
      .updateTable('relationship')
      .set({ relationship_status: 'inactive' })
      .where('id', '=', pair.relationship.id)
      .execute()
    const second = await makeProduct(server.db, { issuer_id: pair.issuer.id })
    expect((await issuer.post(PATH, { ...form(pair), product_id: second.id })).status).toBe(422)
    expect((await issuer.put(`${PATH}/${id}/`, { payout: '1' })).status).toBe(422)
    expect((await issuer.get(PATH)).json().data).toMatchObject([{ id, relationship_active: false }])
    expect((await issuer.delete(`${PATH}/${id}/`)).status).toBe(204)
  })

  test('has the relationship that the body names, or the body is refused', async () => {
    const [pair, other] = [await makePair(server.db), await makePair(server.db)]
    const foreign = await admin.post(PATH, { ...form(pair), relationship_id: other.relationship.id })
    expect(foreign.status).toBe(422)
    expect(foreign.json().meta.field_errors).toEqual({
      relationship_id: ['La relación no corresponde al producto y al afiliado'],
    })
    const { relationship_id: _, ...withoutIt } = form(pair)
    const created = await admin.post(PATH, withoutIt)
    expect(created.json().data.relationship_id).toBe(pair.relationship.id)
    const path = `${PATH}/${created.json().data.id}/`
    expect((await admin.put(path, { relationship_id: other.relationship.id })).status).toBe(422)
  })

  test('does not change afterwards', async () => {
    const pair = await makePair(server.db)
    const second = await makeProduct(server.db, { issuer_id: pair.issuer.id })
    const partner = await makeAffiliate(server.db)
    await makeRelationship(server.db, { affiliate_id: partner.id, issuer_id: pair.issuer.id })
    const { id } = await makeCommission(server.db, pair.ids)
    for (const body of [{ product_id: second.id }, { affiliate_id: partner.id }]) {
      const answer = await admin.put(`${PATH}/${id}/`, body)
      expect(answer.status).toBe(422)
      expect(answer.json().message).toBe('El producto y el afiliado de una comisión no se pueden cambiar')
    }
    const same = { product_id: pair.product.id, affiliate_id: pair.affiliate.id }
    expect((await admin.put(`${PATH}/${id}/`, same)).status).toBe(200)
  })
})

describe('what the form refuses', () => {
  test.each([
    ['name', '', 'El nombre debe tener al menos 3 caracteres'],
    ['name', ' ab ', 'El nombre debe tener al menos 3 caracteres'],
    ['name', 'a'.repeat(101), 'El nombre no puede exceder 100 caracteres'],
    ['product_id', undefined, 'Selecciona un producto'],
    ['product_id', 0, 'Selecciona un producto'],
    ['product_id', 999_999_999, 'Selecciona un producto'],
    ['affiliate_id', undefined, 'Selecciona un afiliado'],
    ['affiliate_id', -1, 'Selecciona un afiliado'],
    ['payout', undefined, 'El payout es requerido'],
    ['payout', '  ', 'El payout es requerido'],
    ['payout', 500, 'El payout es requerido'],
    ['payout', 'abc', 'Formato de monto inválido'],
    ['payout', '-1', 'Formato de monto inválido'],
    ['payout', '1e3', 'Formato de monto inválido'],
    ['payout', '1.005', 'Formato de monto inválido'],
    ['payout', '12345678901', 'Formato de monto inválido'],
    ['payout', '10000000.01', 'El payout no puede exceder $10,000,000.00'],
    ['description', 'a'.repeat(1001), 'La descripción no puede exceder 1000 caracteres'],
  ])('%s %j: %s', async (field, value, message) => {
    const answer = await admin.post(PATH, { ...form(await makePair(server.db)), [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.json().errors).toContain(message)
    expect(answer.json().meta.field_errors[field]).toContain(message)
  })

  test.each([
    ['0', '0.00'],
    ['007.5', '7.50'],
    ['10.55', '10.55'],
    ['10000000', '10000000.00'],
  ])('a payout of %s is %s', async (typed, kept) => {
    const created = await admin.post(PATH, { ...form(await makePair(server.db)), payout: typed, description: null })
    expect(created.json().data).toMatchObject({ payout: kept, description: '' })
  })

  test('the shortest and the longest name fit', async () => {
    for (const name of ['abc', 'ñ'.repeat(100)])
      expect((await admin.post(PATH, { ...form(await makePair(server.db)), name })).status).toBe(201)
  })
})

describe('who may', () => {
  test('an issuer neither sees nor touches what is not its own', async () => {
    const [mine, other] = [await makePair(server.db), await makePair(server.db)]
    const issuer = await issuerOf(mine)
    const foreign = await makeCommission(server.db, other.ids)
    expect(ids(await issuer.get(PATH))).toEqual([])
    expect(ids(await issuer.get(`${PATH}?product_id=${other.product.id}`))).toEqual([])
    const missing = await issuer.get(`${PATH}/999999999/`)
    expect(missing.json().message).toBe('Comisión no encontrada')
    for (const answer of [
      await issuer.get(`${PATH}/${foreign.id}/`),
      await issuer.put(`${PATH}/${foreign.id}/`, { payout: '1' }),
      await issuer.delete(`${PATH}/${foreign.id}/`),
    ])
      expect([answer.status, answer.json().message]).toEqual([404, missing.json().message])
    const intruding = await issuer.post(PATH, form(other))
    const unknown = await issuer.post(PATH, { ...form(mine), product_id: 999_999_999 })
    expect([intruding.status, intruding.json().message]).toEqual([unknown.status, unknown.json().message])
    expect(intruding.json().meta.field_errors).toEqual({ product_id: ['Selecciona un producto'] })
    expect(ids(await admin.get(`${PATH}?product_id=${other.product.id}`))).toEqual([foreign.id])
  })

  test('affiliates and strangers may not', async () => {
    const pair = await makePair(server.db)
    const { id } = await makeCommission(server.db, pair.ids)
    const affiliate = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
    for (const [client, status] of [[affiliate, 403] as const, [server.anonymous, 401] as const]) {
      expect((await client.get(PATH)).status).toBe(status)
      expect((await client.get(`${PATH}/${id}/`)).status).toBe(status)
      expect((await client.post(PATH, form(pair))).status).toBe(status)
      expect((await client.put(`${PATH}/${id}/`, { payout: '1' })).status).toBe(status)
      expect((await client.delete(`${PATH}/${id}/`)).status).toBe(status)
    }
  })

  test('people of an inactive issuer look but do not touch', async () => {
    const pair = await makePair(server.db)
    const { id } = await makeCommission(server.db, pair.ids)
    await server.db.updateTable('issuer').set({ user_status: 'inactive' }).where('id', '=', pair.issuer.id).execute()
    const issuer = await issuerOf(pair)
    expect(ids(await issuer.get(PATH))).toEqual([id])
    expect((await issuer.put(`${PATH}/${id}/`, { payout: '1' })).status).toBe(403)
  })
})

test('an edit of what somebody else has edited is refused, and of ten one wins', async () => {
  const pair = await makePair(server.db)
  const { id, updated_at } = await makeCommission(server.db, pair.ids)
  const seen = { headers: { 'if-match': `"${updated_at}"` } }
  const put = (payout: string) => admin.put(`${PATH}/${id}/`, { payout }, seen)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => put(`${i + 1}`)))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(412)])
  expect((await admin.put(`${PATH}/${id}/`, { id: id + 1 })).status).toBe(400)
  const [entry, ...others] = await trailOf(id)
  expect(others).toEqual([])
  expect(entry?.changes).toMatchObject({ payout: ['500.00', (await admin.get(`${PATH}/${id}`)).json().data.payout] })
})

test('a relationship that ends meanwhile takes no commission', async () => {
  const pair = await makePair(server.db)
  const waiting = server.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('relationship')
      .set({ archived_at: new Date() })
      .where('id', '=', pair.ids.relationship_id)
      .execute()
    const answer = admin.post(PATH, form(pair))
    await Promise.race([answer, untilLockWait(server.db)])
    return { answer }
  })
  expect((await (await waiting).answer).status).toBe(422)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Product } from '#contract/products.ts'
import {
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makePair,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestAnswer,
  type TestServer,
} from '../testing.ts'

const PATH = '/api/v1/products/'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://afluente.example.mx:8443' })
})
afterAll(() => server.stop())

const form = (issuerId: number) => ({
  name: 'Tarjeta Oro',
  description: 'Tarjeta de crédito sin anualidad',
  redirect_url: 'https://banco.example.mx/alta?ref={tracking_id}',
  issuer_id: issuerId,
})
const ids = (answer: TestAnswer): number[] => answer.json().data.map((product: Product) => product.id)
const trailOf = (id: number) =>
  server.db
    .selectFrom('audit_entry')
    .select(['action', 'changes'])
    .where('entity', '=', 'product')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()

test('an issuer sees only its own products, the inactive ones too', async () => {
  const [mine, other] = [await makeIssuer(server.db), await makeIssuer(server.db)]
  const product = await makeProduct(server.db, { issuer_id: mine.id, product_status: 'inactive' })
  const foreign = await makeProduct(server.db, { issuer_id: other.id })
  const issuer = await server.as({ role: 'issuer', issuerId: mine.id })
  const list = await issuer.get(PATH)
  expect(ids(list)).toEqual([product.id])
  expect(list.json().data[0]).toMatchObject({ redirect_url: product.redirect_url, relationship_id: null })
  expect(ids(await issuer.get(`${PATH}?issuer_id=${other.id}`))).toEqual([])
  const [stranger, missing] = [await issuer.get(`${PATH}${foreign.id}/`), await issuer.get(`${PATH}999999999/`)]
  expect([stranger.status, missing.status]).toEqual([404, 404])
  expect(stranger.json().message).toBe(missing.json().message)
})

test('an affiliate sees the products of its partners with its link and without their target', async () => {
  const { affiliate, issuer, product, relationship } = await makePair(server.db)
  await makeProduct(server.db, { issuer_id: (await makeIssuer(server.db)).id })
  const client = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const [seen, ...others] = (await client.get(PATH)).json().data
  expect(others).toEqual([])
  expect(seen).toMatchObject({
    id: product.id,
    issuer: issuer.id,
    issuer_name: issuer.company_name,
    relationship_id: relationship.id,
    tracking_url: `https://afluente.example.mx:8443/api/v1/leads/redirect/${relationship.id}/?product_id=${product.id}`,
  })
  expect(seen).not.toHaveProperty('redirect_url')
  expect((await client.get(`${PATH}${product.id}/`)).json().data).toEqual(seen)
})

test('an affiliate reads its own commission with the day of its last amount; nobody else reads it there', async () => {
  const { affiliate, issuer, product, ids: pair } = await makePair(server.db)
  const rival = await makeAffiliate(server.db)
  await makeRelationship(server.db, { affiliate_id: rival.id, issuer_id: issuer.id })
  const issuerClient = await server.as({ role: 'issuer', issuerId: issuer.id })
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const other = await server.as({ role: 'affiliate', affiliateId: rival.id })
  const stranger = await server.as({ role: 'affiliate', affiliateId: (await makeAffiliate(server.db)).id })
  const path = `${PATH}${product.id}/`
  const seen = async (client: typeof own) => (await client.get(path)).json().data.commission
  expect(await seen(own)).toBeNull()
  const form = { affiliate_id: pair.affiliate_id, product_id: pair.product_id, name: 'Alta', payout: '500' }
  const created = (await issuerClient.post('/api/v1/payouts/', form)).json().data
  await issuerClient.put(`/api/v1/payouts/${created.id}/`, { payout: '650.5' })
  const rateOf = (commissionId: number) =>
    server.db
      .selectFrom('rate')
      .select(['amount as payout', 'valid_from as since'])
      .where('commission_id', '=', commissionId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const atOnce = { next: null, steps: [], validation: 'automatic', validation_days: 0 }
  const commission = { ...(await rateOf(created.id)), ...atOnce }
  expect(commission.payout).toBe('650.50')
  await issuerClient.put(`/api/v1/payouts/${created.id}/`, { name: 'Otro nombre' })
  expect(await seen(own)).toEqual(commission)
  expect((await own.get(PATH)).json().data.map((row: Product) => row.commission)).toEqual([commission])
  expect(await seen(other)).toBeNull()
  expect(await seen(issuerClient)).toBeUndefined()
  expect((await stranger.get(path)).status).toBe(404)
  const { id: rivals } = await makeCommission(server.db, {
    ...pair,
    affiliate_id: rival.id,
    relationship_id: (await other.get(path)).json().data.relationship_id,
  })
  expect(await seen(other)).toEqual({ ...(await rateOf(rivals)), ...atOnce })
  await issuerClient.delete(`/api/v1/payouts/${created.id}/`)
  expect(await seen(own)).toBeNull()
})

test.each([
  ['the product is inactive', 'product', { product_status: 'inactive' }],
  ['the product is archived', 'product', { archived_at: new Date() }],
  ['the relationship is inactive', 'relationship', { relationship_status: 'inactive' }],
  ['the relationship is archived', 'relationship', { archived_at: new Date() }],
  ['the issuer is inactive', 'issuer', { user_status: 'inactive' }],
  ['it is inactive itself', 'affiliate', { user_status: 'inactive' }],
] as const)('an affiliate no longer sees a product when %s', async (_, table, change) => {
  const pair = await makePair(server.db)
  const client = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
  expect(ids(await client.get(PATH))).toEqual([pair.product.id])
  await server.db.updateTable(table).set(change).where('id', '=', pair[table].id).execute()
  expect(ids(await client.get(PATH))).toEqual([])
  expect((await client.get(`${PATH}${pair.product.id}`)).status).toBe(404)
})

test('the list narrows by name, issuer, status and search; what it does not know it ignores', async () => {
  const admin = await server.as({ role: 'admin' })
  const issuer = await makeIssuer(server.db, { company_name: 'Financiera Única 100%' })
  const gold = await makeProduct(server.db, { issuer_id: issuer.id, name: 'Crédito Exprés_Oro' })
  const grey = await makeProduct(server.db, { issuer_id: issuer.id, name: 'Nómina', product_status: 'inactive' })
  const list = async (query: string) => ids(await admin.get(`${PATH}?issuer_id=${issuer.id}&${query}`))
  expect(await list('desconocido=1')).toEqual([gold.id, grey.id])
  expect(await list('name=credito')).toEqual([gold.id])
  expect(await list('name=%25')).toEqual([])
  expect(await list(`name=${encodeURIComponent('％')}`)).toEqual([])
  expect(await list('name=s_o')).toEqual([gold.id])
  expect(await list('name=t_')).toEqual([])
  expect(await list('status=inactive')).toEqual([grey.id])
  expect(await list('search=unica%20nomina')).toEqual([grey.id])
  expect(await list('page=2&page_size=1')).toEqual([grey.id])
  for (const query of ['issuer_id=1&issuer_id=2', 'issuer_id=abc', 'issuer_id=0', 'status=otro', 'page=0'])
    expect((await admin.get(`${PATH}?${query}`)).status, query).toBe(400)
})

test('the administrator creates, changes and removes a product', async () => {
  const admin = await server.as({ role: 'admin' })
  const issuer = await makeIssuer(server.db)
  const created = await admin.post(PATH, form(issuer.id))
  expect(created.status).toBe(201)
  expect(created.json()).toMatchObject({
    success: true,
    message: 'Producto creado exitosamente',
    data: { name: 'Tarjeta Oro', issuer: issuer.id, product_status: 'active' },
  })
  const { id } = created.json().data
  const changed = await admin.put(`${PATH}${id}`, { id, product_status: 'inactive' })
  expect(changed.json().message).toBe('Producto actualizado exitosamente')
  expect(changed.json().data).toMatchObject({ name: 'Tarjeta Oro', product_status: 'inactive' })
  expect((await admin.delete(`${PATH}${id}/`)).status).toBe(204)
  expect((await admin.get(`${PATH}${id}/`)).status).toBe(404)
  expect((await admin.delete(`${PATH}${id}/`)).status).toBe(404)
  expect(await trailOf(id)).toMatchObject([
    { action: 'create', changes: { name: [null, 'Tarjeta Oro'] } },
    { action: 'update', changes: { product_status: ['active', 'inactive'] } },
    { action: 'delete' },
  ])
})

test('a changed target is in the audit log with the one before', async () => {
  const admin = await server.as({ role: 'admin' })
  const product = await makeProduct(server.db, { issuer_id: (await makeIssuer(server.db)).id })
  const redirect_url = 'https://banco.example.mx/otra/{tracking_id}'
  expect((await admin.put(`${PATH}${product.id}/`, { redirect_url })).json().data.redirect_url).toBe(redirect_url)
  expect((await trailOf(product.id))[0]?.changes).toEqual({ redirect_url: [product.redirect_url, redirect_url] })
})

describe('what is refused', () => {
  test.each([
    ['name', 'A', 'El nombre debe tener al menos 2 caracteres'],
    ['name', ' A ', 'El nombre debe tener al menos 2 caracteres'],
    ['name', undefined, 'Este campo es requerido'],
    ['name', 'a'.repeat(256), 'El nombre no puede exceder 255 caracteres'],
    ['description', '123456789', 'La descripción debe tener al menos 10 caracteres'],
    ['redirect_url', 'mi sitio {tracking_id}', 'Debe ser una URL válida'],
    ['redirect_url', 'http://localhost/{tracking_id}', 'Debe ser una URL válida'],
    ['redirect_url', 'https://afluente.example.mx/{tracking_id}', 'Debe ser una URL válida'],
    ['redirect_url', 'https://AFLUENTE.example.mx.:8443/{tracking_id}', 'Debe ser una URL válida'],
    ['redirect_url', 'https://mi.mx/alta', 'La URL debe incluir el parámetro {tracking_id} para el tracking'],
    ['issuer_id', undefined, 'Debe seleccionar un emisor'],
    ['issuer_id', 0, 'Debe seleccionar un emisor'],
    ['issuer_id', '1', 'Debe seleccionar un emisor'],
    ['issuer_id', 999_999_999, 'Debe seleccionar un emisor'],
  ])('%s %j: %s', async (field, value, message) => {
    const admin = await server.as({ role: 'admin' })
    const issuer = await makeIssuer(server.db)
    const answer = await admin.post(PATH, { ...form(issuer.id), [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({
      message,
      errors: [message],
      meta: { code: 'VALIDATION_ERROR', field_errors: { [field]: [message] } },
    })
    expect(await server.db.selectFrom('product').where('issuer_id', '=', issuer.id).selectAll().execute()).toEqual([])
  })

  test('a product of an archived issuer', async () => {
    const admin = await server.as({ role: 'admin' })
    const issuer = await makeIssuer(server.db, { archived_at: new Date() })
    expect((await admin.post(PATH, form(issuer.id))).status).toBe(422)
  })

  test('a target on our own host when it is changed', async () => {
    const admin = await server.as({ role: 'admin' })
    const { id } = await makeProduct(server.db, { issuer_id: (await makeIssuer(server.db)).id })
    const answer = await admin.put(`${PATH}${id}/`, { redirect_url: 'https://afluente.example.mx:8443/{tracking_id}' })
    expect(answer.status).toBe(422)
  })

  test('writing by anybody but an administrator', async () => {
    const { affiliate, issuer, product } = await makePair(server.db)
    const issuerClient = await server.as({ role: 'issuer', issuerId: issuer.id })
    const affiliateClient = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
    const cases = [[server.anonymous, 401] as const, [issuerClient, 403] as const, [affiliateClient, 403] as const]
    for (const [client, status] of cases) {
      expect((await client.post(PATH, form(issuer.id))).status).toBe(status)
      expect((await client.put(`${PATH}${product.id}/`, { name: 'Otra' })).status).toBe(status)
      expect((await client.delete(`${PATH}${product.id}/`)).status).toBe(status)
    }
    expect((await server.anonymous.get(PATH)).status).toBe(401)
  })

  test('another id in the body, and an edit of what somebody else has edited', async () => {
    const admin = await server.as({ role: 'admin' })
    const product = await makeProduct(server.db, { issuer_id: (await makeIssuer(server.db)).id })
    const path = `${PATH}${product.id}/`
    expect((await admin.put(path, { id: product.id + 1, name: 'Otra' })).status).toBe(400)
    const seen = { headers: { 'if-match': `"${product.updated_at}"` } }
    expect((await admin.put(path, { name: 'Primera' }, seen)).status).toBe(200)
    expect((await admin.put(path, { name: 'Segunda' }, seen)).status).toBe(412)
    expect((await admin.get(path)).json().data.name).toBe('Primera')
  })
})

test('an update never moves a product to another issuer nor binds what it does not know', async () => {
  const admin = await server.as({ role: 'admin' })
  const [issuer, other] = [await makeIssuer(server.db), await makeIssuer(server.db)]
  const { id, created_at } = await makeProduct(server.db, { issuer_id: issuer.id })
  const body = {
    name: 'Renombrada',
    issuer_id: other.id,
    issuer: other.id,
    created_at: '2001-01-01',
    archived_at: 'now',
  }
  const answer = await admin.put(`${PATH}${id}/`, body)
  expect(answer.json().data).toMatchObject({ name: 'Renombrada', issuer: issuer.id, created_at })
})

test('removing a product archives its steps and commissions, once', async () => {
  const admin = await server.as({ role: 'admin' })
  const { ids: pair, product } = await makePair(server.db)
  const step = await makeStep(server.db, { product_id: product.id })
  const commission = await makeCommission(server.db, pair)
  await makeRelationship(server.db, { affiliate_id: pair.affiliate_id, issuer_id: (await makeIssuer(server.db)).id })
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.delete(`${PATH}${product.id}/`)))
  expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array(9).fill(404)])
  const archivedAt = (table: 'event_step' | 'commission' | 'relationship', id: number) =>
    server.db.selectFrom(table).select('archived_at').where('id', '=', id).executeTakeFirstOrThrow()
  expect((await archivedAt('event_step', step.id)).archived_at).not.toBeNull()
  expect((await archivedAt('commission', commission.id)).archived_at).not.toBeNull()
  expect((await archivedAt('relationship', pair.relationship_id)).archived_at).toBeNull()
  expect((await trailOf(product.id)).map((entry) => entry.action)).toEqual(['delete'])
})

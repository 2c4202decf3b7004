import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiKeys } from '../companies/api-keys.ts'
import { makeIssuer, makePair, makeRelationship, startServer, TEST_SECRET, type TestServer } from '../testing.ts'

// What issuers share with affiliates is proved in ../companies.test.ts.

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const path = '/api/v1/issuers/'
const shared = [
  'address',
  'company_name',
  'contact_email',
  'contact_name',
  'contact_phone',
  'created_at',
  'id',
  'redirect_url',
  'rfc',
  'updated_at',
  'url',
  'user_status',
]
const fieldsOf = (row: object) => Object.keys(row).toSorted()
const form = (rfc: string) => ({
  company_name: 'Banco del Sur',
  rfc,
  contact_name: 'Luz Mora',
  contact_email: 'luz@sur.example.mx',
})

test('each role gets its own fields', async () => {
  const pair = await makePair(server.db)
  const { id } = pair.issuer
  const admin = await server.as({ role: 'admin' })
  const own = await server.as({ role: 'issuer', issuerId: id })
  const affiliate = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
  await admin.post(`${path}${id}/api-key/`)
  await admin.post(`${path}${id}/postback-token/`)
  const seen = async (client: typeof admin) => fieldsOf((await client.get(`${path}${id}/`)).json().data)
  expect(await seen(admin)).toEqual([...shared, 'api_key_prefix', 'users'].toSorted())
  expect(await seen(own)).toEqual([...shared, 'api_key', 'postback_token'].toSorted())
  expect(await seen(affiliate)).toEqual([...shared, 'relationship_id'].toSorted())
})

test('redirect_url is url under another name', async () => {
  const admin = await server.as({ role: 'admin' })
  const { id } = await makeIssuer(server.db)
  const { data } = (await admin.put(`${path}${id}/`, { url: 'https://sur.example.mx/alta' })).json()
  expect(data).toMatchObject({ url: 'https://sur.example.mx/alta', redirect_url: 'https://sur.example.mx/alta' })
})

test('the address may be left out, and the status is taken on creation', async () => {
  const admin = await server.as({ role: 'admin' })
  const { data } = (await admin.post(path, { ...form('SUR010101AB1'), user_status: 'inactive' })).json()
  expect(data).toMatchObject({ address: '', user_status: 'inactive' })
})

test('the postback token is changed without touching the API key; the old ones work on, until the issuer goes', async () => {
  const admin = await server.as({ role: 'admin' })
  const { id } = (await admin.post(path, form('SUR010101AB2'))).json().data
  const own = await server.as({ role: 'issuer', issuerId: id })
  const before = (await own.get(`${path}${id}/`)).json().data
  const answer = (await own.post(`${path}${id}/postback-token/`)).json()
  expect(answer.message).toBe('Token de postback actualizado exitosamente')
  expect(answer.data.api_key).toBe(before.api_key)
  expect(answer.data.postback_token).not.toBe(before.postback_token)
  const keys = new ApiKeys(server.db, TEST_SECRET)
  for (const token of [before.postback_token, answer.data.postback_token])
    expect(await keys.findIssuer('postback', token)).toMatchObject({ issuerId: id })
  expect(await keys.findIssuer('api', before.api_key)).toMatchObject({ issuerId: id })
  await keys.settle()
  await admin.delete(`${path}${id}/`)
  keys.clear()
  for (const token of [before.postback_token, answer.data.postback_token])
    expect(await keys.findIssuer('postback', token)).toBeUndefined()
})

test('with ISSUER_DIRECTORY=all affiliates find every active issuer', async () => {
  const open = await startServer({ ISSUER_DIRECTORY: 'all' })
  try {
    const pair = await makePair(open.db)
    const foreign = await makeIssuer(open.db)
    const inactive = await makeIssuer(open.db, { user_status: 'inactive' })
    const partner = await makeIssuer(open.db, { user_status: 'inactive' })
    const relationship = await makeRelationship(open.db, { affiliate_id: pair.affiliate.id, issuer_id: partner.id })
    const affiliate = await open.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
    const list = await affiliate.get(path)
    const found = list.json().data.map((row: { id: number; relationship_id?: number }) => [row.id, row.relationship_id])
    expect(found).toEqual([
      [pair.issuer.id, pair.relationship.id],
      [foreign.id, undefined],
      [partner.id, relationship.id],
    ])
    expect(list.text).not.toMatch(/api_key|postback_token|users/)
    expect((await affiliate.get(`${path}${foreign.id}/`)).status).toBe(200)
    expect((await affiliate.get(`${path}${inactive.id}/`)).status).toBe(404)
  } finally {
    await open.stop()
  }
})

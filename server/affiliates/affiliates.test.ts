import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAffiliate, makePair, makeUser, startServer, type TestServer } from '../testing.ts'

// What affiliates share with issuers is proved in ../companies.test.ts.

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const path = '/api/v1/affiliates/'
const shared = [
  'address',
  'company_name',
  'contact_email',
  'contact_name',
  'contact_phone',
  'created_at',
  'id',
  'rfc',
  'updated_at',
  'url',
  'user_status',
]
const fieldsOf = (row: object) => Object.keys(row).toSorted()

test('each role gets its own fields', async () => {
  const pair = await makePair(server.db)
  const { id } = pair.affiliate
  const admin = await server.as({ role: 'admin' })
  const issuer = await server.as({ role: 'issuer', issuerId: pair.issuer.id })
  const own = await server.as({ role: 'affiliate', affiliateId: id })
  await admin.post(`${path}${id}/api-key/`)
  const seen = async (client: typeof admin) => fieldsOf((await client.get(`${path}${id}/`)).json().data)
  expect(await seen(admin)).toEqual([...shared, 'api_key_prefix', 'users'].toSorted())
  expect(await seen(issuer)).toEqual([...shared, 'relationship_id', 'users'].toSorted())
  expect(await seen(own)).toEqual([...shared, 'api_key'].toSorted())
})

test('an issuer knows names and addresses of the people, not their ids', async () => {
  const pair = await makePair(server.db)
  const person = await makeUser(server.db, { role: 'affiliate', affiliateId: pair.affiliate.id })
  const issuer = await server.as({ role: 'issuer', issuerId: pair.issuer.id })
  expect((await issuer.get(path)).json().data[0].users).toEqual([
    { first_name: 'Ana', last_name: 'Prueba', full_name: 'Ana Prueba', email: person.email },
  ])
})

test.each([undefined, '', '   '])('the address %j is refused', async (address) => {
  const admin = await server.as({ role: 'admin' })
  const answer = await admin.post(path, { address })
  expect(answer.json().meta.field_errors.address).toEqual(['Dirección es requerida'])
  const { id } = await makeAffiliate(server.db)
  if (address !== undefined) expect((await admin.put(`${path}${id}/`, { address })).status).toBe(422)
})

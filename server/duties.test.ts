import { afterAll, beforeAll, expect, test } from 'vitest'
import { Duty, fulfils, type Need } from '#contract/duties.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { everyone, type Role } from '#contract/roles.ts'
import { isWhole } from '#db/testing.ts'
import { ApiKeys } from './companies/api-keys.ts'
import {
  type Actor,
  makeAffiliate,
  makeIssuer,
  startServer,
  TEST_SECRET,
  type TestClient,
  type TestServer,
  unique,
} from './testing.ts'

let server: TestServer
let actors: Record<Role, Actor>
const clients = new Map<string, TestClient>()
beforeAll(async () => {
  server = await startServer()
  actors = {
    admin: { role: 'admin' },
    issuer: { role: 'issuer', issuerId: (await makeIssuer(server.db)).id },
    affiliate: { role: 'affiliate', affiliateId: (await makeAffiliate(server.db)).id },
  }
  for (const role of everyone)
    for (const duty of Duty.options) clients.set(`${role} ${duty}`, await clientOf(role, duty))
})
afterAll(() => server.stop())

/** The newest person is the one that was made for this client, whom the server does not know before its first call. */
async function clientOf(role: Role, duty: Duty): Promise<TestClient> {
  const client = await server.as(actors[role])
  await server.db
    .updateTable('user')
    .set({ duty })
    .where('id', '=', (eb) => eb.selectFrom('user').select((made) => made.fn.max('id').as('id')))
    .execute()
  return client
}

const isRefused = async (client: TestClient | undefined, endpoint: Endpoint): Promise<string | undefined> => {
  const path = pathOf(endpoint, { id: 999_999_999, table: 'x' })
  const answer = await client?.request(endpoint.method, path, endpoint.method === 'PUT' ? { body: {} } : {})
  return answer?.status === 403 && /^Tu perfil/.test(answer.json().message) ? answer.json().message : undefined
}

interface Cell {
  name: string
  endpoint: Endpoint
  role: Role
  duty: Duty
}
// endings of sessions would take away the very clients that ask
const asked = allEndpoints.filter(
  ({ name, endpoint }) => Array.isArray(endpoint.access) && !['auth.logout', 'auth.changePassword'].includes(name),
)
const cellsOf = ({ name, endpoint }: { name: string; endpoint: Endpoint }): Cell[] =>
  (endpoint.access as readonly Role[]).flatMap((role) => Duty.options.map((duty) => ({ name, endpoint, role, duty })))

/** Of each call one who may not, in turns, or else one who may; `http/access.test.ts` has all of them without a server. */
function oneOf(cells: Cell[], index: number): Cell[] {
  const refused = cells.filter(({ duty, endpoint }) => !fulfils(duty, endpoint.need))
  const some = refused.length ? refused : cells
  return some.slice(index % some.length).slice(0, 1)
}

const refusalOf = ({ duty, endpoint }: Cell): string | undefined => {
  if (fulfils(duty, endpoint.need)) return undefined
  return duty === 'reader' && endpoint.method !== 'GET'
    ? 'Tu perfil es de consulta'
    : 'Tu perfil no incluye esta acción'
}

test('every call asks for the duty that it needs', async () => {
  const cells = asked.map(cellsOf).flatMap((all, index) => (isWhole ? all : oneOf(all, index)))
  const wrong: unknown[] = []
  for (const cell of cells) {
    const message = await isRefused(clients.get(`${cell.role} ${cell.duty}`), cell.endpoint)
    if (message !== refusalOf(cell)) wrong.push([cell.name, cell.role, cell.duty, message])
  }
  expect(wrong).toEqual([])
})

test('what is read needs no duty but for people and secrets, and what is written says which', () => {
  const read = allEndpoints.filter(({ endpoint }) => endpoint.method === 'GET' && endpoint.need !== 'own')
  expect(read.map(({ name }) => name)).toEqual(['securityPolicy.list', 'people.list', 'receivers.secret'])
  const wrong = allEndpoints.filter(
    ({ endpoint }) => Array.isArray(endpoint.access) && endpoint.method !== 'GET' && endpoint.need === 'own',
  )
  expect(new Set(wrong.map(({ name }) => name.split('.')[0]))).toEqual(new Set(['auth', 'secondFactors', 'notices']))
})

test.each<[string, Need]>([
  ['payments.update', 'money'],
  ['payments.setStatus', 'money'],
  ['adjustments.create', 'money'],
  ['adjustments.void', 'money'],
  ['commissions.create', 'money'],
  ['rates.create', 'money'],
  ['rates.end', 'money'],
  ['rates.cancel', 'money'],
  ['terms.create', 'money'],
  ['users.update', 'people'],
  ['accessLinks.create', 'people'],
  ['issuers.rotateKey', 'people'],
  ['products.update', 'operate'],
])('%s is for %s', (name, need) => {
  expect(allEndpoints.find((one) => one.name === name)?.endpoint.need).toBe(need)
})

test('keys and secrets are made, changed and revoked by who decides about people, after a confirmation', () => {
  const doors = allEndpoints.filter(({ name }) => /rotate|revoke|networkKeys\.create/.test(name))
  expect(doors.map(({ name }) => name)).toEqual(expect.arrayContaining(['issuers.rotateKey', 'receivers.rotateSecret']))
  const open = doors.filter(({ endpoint }) => endpoint.need !== 'people' || !endpoint.elevated)
  expect(open.map(({ name }) => name)).toEqual([])
})

test('nobody gets more by making a person on the way: a company with one needs its own duty', async () => {
  const company = {
    company_name: 'Grupo Ejemplo',
    rfc: 'XAXX010101000',
    address: 'Av. Juárez 1',
    contact_name: 'Eva Luna',
    contact_email: 'eva@ejemplo.mx',
  }
  const user = {
    email: `eva${unique()}@ejemplo.mx`,
    first_name: 'Eva',
    last_name: 'Luna',
    password: 'río de montaña 77',
  }
  const operator = clients.get('admin operator')
  expect((await operator?.post('/api/v1/issuers/', { ...company, user }))?.status).toBe(403)
  expect((await operator?.post('/api/v1/issuers/', company))?.status).toBe(201)
})

test('keys, which act for the company, are shown to who may act for it', async () => {
  const keys = new ApiKeys(server.db, TEST_SECRET)
  const { issuer, affiliate } = actors
  if (issuer.role !== 'issuer' || affiliate.role !== 'affiliate') throw new Error('no companies')
  await keys.create(server.db, { issuerId: issuer.issuerId }, 'api')
  await keys.create(server.db, { affiliateId: affiliate.affiliateId }, 'api')
  for (const [duty, sees] of [
    ['owner', true],
    ['operator', true],
    ['finance', false],
    ['reader', false],
  ] as const)
    for (const [role, path] of [
      ['issuer', `/api/v1/issuers/${issuer.issuerId}/`],
      ['affiliate', `/api/v1/affiliates/${affiliate.affiliateId}/`],
    ] as const) {
      const { data } = (await clients.get(`${role} ${duty}`)?.get(path))?.json() ?? {}
      expect([role, duty, typeof data.api_key]).toEqual([role, duty, sees ? 'string' : 'undefined'])
    }
})

test('an administrator of another duty is no owner: the last one stays', async () => {
  await server.db.updateTable('user').set({ user_status: 'inactive' }).where('role', '=', 'admin').execute()
  const last = await clientOf('admin', 'owner')
  await clientOf('admin', 'operator')
  const { id } = (await last.get('/api/v1/auth/profile/')).json().data
  const refused = await last.put(`/api/v1/auth/users/${id}/`, { duty: 'reader' })
  expect([refused.status, refused.json().meta.code]).toEqual([409, 'LAST_ADMIN'])
})

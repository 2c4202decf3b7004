import { afterAll, beforeAll, expect, test } from 'vitest'
import { commissions } from '#contract/commissions.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { imports } from '#contract/imports.ts'
import { receivers } from '#contract/receivers.ts'
import { everyone, type Role } from '#contract/roles.ts'
import { rulings } from '#contract/rulings.ts'
import {
  makeAdjustment,
  makeDelivery,
  makeEntry,
  makeImport,
  makePayment,
  makeReceiver,
  makeTerm,
} from '#db/factories.ts'
import { ApiKeys } from './companies/api-keys.ts'
import { type Owner, ReceiverSecrets } from './deliveries/secrets.ts'
import {
  type Actor,
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeLead,
  makeProduct,
  makeRelationship,
  makeStep,
  makeUser,
  startServer,
  TEST_SECRET,
  type TestAnswer,
  TestClient,
  type TestServer,
} from './testing.ts'

/** In a text of every row of A, so that a leak can be distinguished from what belongs to B. */
const MARK = 'Reservado'
const MISSING = '999999999'
const MISSING_UUID = '00000000-0000-4000-8000-000000000000'

type Tenant = Awaited<ReturnType<typeof makeTenant>>
let server: TestServer
let a: Tenant
let b: Tenant
let inactive: { issuer: Actor; affiliate: Actor }
beforeAll(async () => {
  server = await startServer()
  a = await makeTenant(MARK)
  b = await makeTenant('Vecino')
  inactive = {
    issuer: { role: 'issuer', issuerId: (await makeIssuer(server.db, { user_status: 'inactive' })).id },
    affiliate: { role: 'affiliate', affiliateId: (await makeAffiliate(server.db, { user_status: 'inactive' })).id },
  }
})
afterAll(() => server.stop())

/** An issuer and an affiliate with a row of every noun; `rows` holds what the id of a path means for each. */
async function makeTenant(mark: string) {
  const { db } = server
  const issuer = await makeIssuer(db, { company_name: `${mark} Banco`, contact_name: mark })
  const affiliate = await makeAffiliate(db, { company_name: `${mark} Portal`, contact_name: mark })
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id, notes: mark })
  const product = await makeProduct(db, { issuer_id: issuer.id, name: `${mark} Oro` })
  const ids = {
    relationship_id: relationship.id,
    affiliate_id: affiliate.id,
    issuer_id: issuer.id,
    product_id: product.id,
  }
  const step = await makeStep(db, { product_id: product.id, name: `${mark} paso` })
  const commission = await makeCommission(db, { ...ids, name: `${mark} comisión` })
  const entry = await makeEntry(db, ids, {})
  const payment = await makePayment(db, ids, { notes: mark })
  await makeLead(db, { ...ids, utm_source: mark, created_at: Date.now() - 86_400_000 })
  await db
    .insertInto('dashboard')
    .values([
      { name: `${mark} tablero`, iframe_url: '/embed/a', role: 'issuer', issuer_id: issuer.id },
      { name: `${mark} tablero`, iframe_url: '/embed/a', role: 'affiliate', affiliate_id: affiliate.id },
    ])
    .execute()
  const actors: Record<Role, Actor> = {
    admin: { role: 'admin' },
    issuer: { role: 'issuer', issuerId: issuer.id },
    affiliate: { role: 'affiliate', affiliateId: affiliate.id },
  }
  const user = await makeUser(db, actors.issuer, { first_name: mark })
  const colleague = await makeUser(db, actors.affiliate, { first_name: mark })
  const session = await db
    .insertInto('session')
    .values({
      user_id: user.id,
      refresh_hash: Buffer.from(mark),
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      address: '127.0.0.1',
      user_agent: mark,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const factor = await db
    .insertInto('second_factor')
    .values({ user_id: user.id, kind: 'totp', label: mark, secret: Buffer.from(mark), kek_id: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rate = await db
    .selectFrom('rate')
    .select('id')
    .where('commission_id', '=', commission.id)
    .executeTakeFirstOrThrow()
  const adjustment = await makeAdjustment(db, ids, { note: `${mark} bono acordado` })
  const term = await makeTerm(db, { relationship_id: relationship.id, note: mark })
  const file = await makeImport(db, issuer.id, { file_name: `${mark}.csv` })
  const [ofIssuer, ofAffiliate] = [
    await makeReceiver(db, { issuer_id: issuer.id, name: mark, ...sealedFor({ issuer_id: issuer.id }) }),
    await makeReceiver(db, { affiliate_id: affiliate.id, name: mark, ...sealedFor({ affiliate_id: affiliate.id }) }),
  ]
  const rows: Record<string, number | string> = {
    imports: file.id,
    'exports.importRows': file.id,
    terms: term.id,
    'issuer receivers': ofIssuer.id,
    'affiliate receivers': ofAffiliate.id,
    'issuer deliveries': (await makeDelivery(db, ofIssuer.id)).id,
    'affiliate deliveries': (await makeDelivery(db, ofAffiliate.id)).id,
    affiliates: affiliate.id,
    issuers: issuer.id,
    relationships: relationship.id,
    products: product.id,
    eventSteps: step.id,
    'eventSteps.byProduct': product.id,
    commissions: commission.id,
    rates: rate.id,
    commissionEntries: entry.id,
    adjustments: adjustment.id,
    explain: entry.id,
    'explain.lead': entry.lead_id,
    'explain.payment': payment.id,
    holds: entry.id,
    payments: payment.id,
    leads: entry.lead_id,
    rulings: entry.lead_id,
    privacy: entry.lead_id,
    users: user.id,
    'issuer people': user.id,
    'affiliate people': colleague.id,
    auth: session.id,
    secondFactors: factor.id,
    'reports.funnel': product.id,
    'exports.leads': entry.lead_id,
    'exports.payments': payment.id,
    'exports.paymentEntries': payment.id,
    'exports.commissionEntries': entry.id,
    'exports.affiliates': affiliate.id,
    'exports.issuers': issuer.id,
    'exports.relationships': relationship.id,
    'exports.products': product.id,
    'exports.eventSteps': step.id,
    'exports.commissions': commission.id,
    'exports.users': user.id,
  }
  return { actors, rows, ids, keys: await makeKeys(ids) }
}

/** A client of each company's system. */
async function makeKeys({ issuer_id, affiliate_id }: { issuer_id: number; affiliate_id: number }) {
  const keys = new ApiKeys(server.db, TEST_SECRET)
  const clientOf = (key: string) => new TestClient(server.origin, { 'x-api-key': key })
  return {
    issuer: clientOf(await keys.create(server.db, { issuerId: issuer_id }, 'api')),
    affiliate: clientOf(await keys.create(server.db, { affiliateId: affiliate_id }, 'api')),
  }
}

function sealedFor(owner: Partial<Owner>) {
  const secrets = new ReceiverSecrets(TEST_SECRET)
  return { secret: secrets.create({ affiliate_id: null, issuer_id: null, ...owner }).sealed, kek_id: secrets.keyId }
}

interface Cell {
  name: string
  endpoint: Endpoint
}
const rowOf = ({ rows }: Tenant, { name }: Cell, role?: Role) => {
  const [noun = ''] = name.split('.')
  return rows[`${role} ${noun}`] ?? rows[name] ?? rows[noun] ?? ''
}

/** A user of its own for every request, so that none meets the rate limit. */
const ask = async (actor: Actor, endpoint: Endpoint, id: number | string = MISSING, query = ''): Promise<TestAnswer> =>
  send(await server.as(actor), endpoint, id, query)

const PERIOD = { from: '2025-03-01T06:00:00Z', to: '2025-03-02T06:00:00Z', state: 'failed' }

/** What it takes to be judged by whose row it names. */
const bodyOf = (endpoint: Endpoint) => {
  if (endpoint === commissions.copy) return { body: { affiliate_ids: [1] } }
  if (endpoint === rulings.reject) return { body: { reason_code: 'zona' } }
  if (endpoint === receivers.replay) return { body: PERIOD }
  if (endpoint === rulings.restore) return { body: { note: 'Lo aclaró el banco' } }
  if (endpoint === imports.apply) return { body: { simulated_at: '2025-03-01T12:00:00.000Z' } }
  if (endpoint === imports.undo)
    return { body: { reason: 'El banco mandó otro archivo', previewed_at: '2025-03-01T12:00:00.000Z' } }
  if (endpoint === imports.map) return { body: { key: 'tracking_id', key_column: 0, status_column: 1, values: [] } }
  if (endpoint.upload) return { rawBody: 'folio,estado\r\n', headers: { 'content-type': 'text/csv' } }
  return endpoint.method === 'PUT' ? { body: {} } : {}
}

const send = (client: TestClient, endpoint: Endpoint, id: number | string = MISSING, query = '') =>
  client.request(endpoint.method, pathOf(endpoint, { id, table: 'rendimiento-dias' }) + query, bodyOf(endpoint))

const comparable = (answer: TestAnswer) => answer.text.replace(/"request_id":"[^"]*"/, '')
const codeOf = (answer: TestAnswer) => [answer.status, answer.json().meta.code]
const rolesOf = ({ access }: Endpoint): readonly Role[] => (Array.isArray(access) ? access : [])
const label = ({ name, endpoint }: Cell) => ({ name, endpoint, call: `${endpoint.method} ${endpoint.path}` })
const cells = allEndpoints.map(label)
const forRoles = cells.filter(({ endpoint }) => Array.isArray(endpoint.access))
const perRole = (roles: readonly Role[], keep: (cell: Cell, role: Role) => boolean) =>
  cells.flatMap((cell) => roles.filter((role) => keep(cell, role)).map((role) => ({ ...cell, role })))

test.each(cells)('$call is served', async ({ endpoint }) => {
  const { status, text } = await send(server.anonymous, endpoint)
  expect(text).not.toContain('La dirección no existe')
  expect(status).not.toBe(405)
})

test.each(forRoles)('$call without a token is 401', async ({ endpoint }) => {
  expect(codeOf(await send(server.anonymous, endpoint))).toEqual([401, 'UNAUTHENTICATED'])
})

test.each(forRoles)('$call with a forged token is 401', async ({ endpoint }) => {
  const forged = new TestClient(server.origin, {
    authorization: 'Bearer eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIxIn0.',
  })
  expect(codeOf(await send(forged, endpoint))).toEqual([401, 'UNAUTHENTICATED'])
})

test.each(cells.filter(({ endpoint }) => endpoint.access === 'issuer-key' || endpoint.access === 'postback-token'))(
  '$call without its key is 401, an administrator included',
  async ({ endpoint }) => {
    const wrong = new TestClient(server.origin, { 'x-api-key': `iss_abcd_${'x'.repeat(42)}` })
    for (const client of [server.anonymous, wrong, await server.as({ role: 'admin' })])
      expect((await send(client, endpoint, MISSING, '?token=pbt_nothing')).status).toBe(401)
  },
)

test.each(
  perRole(everyone, ({ endpoint }, role) => Array.isArray(endpoint.access) && !rolesOf(endpoint).includes(role)),
)('$call is forbidden to $role, its own row included', async (cell) => {
  for (const id of [MISSING, rowOf(a, cell, cell.role) || MISSING])
    expect(codeOf(await ask(a.actors[cell.role], cell.endpoint, id))).toEqual([403, 'FORBIDDEN'])
})

const companies = ['issuer', 'affiliate'] as const
const withId = ({ name, endpoint }: Cell, role: Role) =>
  endpoint.path.includes(':id') && rolesOf(endpoint).includes(role) && !name.startsWith('eventTypes')

test.each(perRole(companies, withId))(
  "$call: the $role of B finds A's row no more than a missing one",
  async (cell) => {
    const missing = /^(auth|deliveries)\./.test(cell.name) ? MISSING_UUID : MISSING
    const foreign = await ask(b.actors[cell.role], cell.endpoint, rowOf(a, cell, cell.role))
    const absent = await ask(b.actors[cell.role], cell.endpoint, missing)
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect(comparable(foreign)).toBe(comparable(absent))
  },
)

test.each(perRole(companies, (cell, role) => cell.endpoint.method === 'GET' && withId(cell, role)))(
  '$call: the $role of A finds its own row',
  async (cell) => {
    expect((await ask(a.actors[cell.role], cell.endpoint, rowOf(a, cell, cell.role))).status).toBe(200)
  },
)

function aimed(): string {
  const { issuer_id, affiliate_id, product_id, relationship_id } = a.ids
  return `?issuer_id=${issuer_id}&affiliate_id=${affiliate_id}&product_id=${product_id}&issuer=${issuer_id}&affiliate=${affiliate_id}&relationship=${relationship_id}&search=${MARK}&q=${MARK}`
}

const isList = ({ endpoint }: Cell, role: Role) =>
  endpoint.method === 'GET' && !endpoint.path.includes(':') && rolesOf(endpoint).includes(role)

const idsIn = (answer: TestAnswer): unknown[] => {
  // A file begins each row with its id.
  if (!answer.headers.get('content-type')?.includes('json'))
    return [...answer.text.matchAll(/^(\d+),/gm)].map(([, id]) => Number(id))
  const { data } = answer.json()
  const list = Array.isArray(data) ? data : (data.results ?? [])
  return list.map((row: { id: unknown }) => row.id)
}

test.each(perRole(companies, isList))(
  "$call: nothing of A reaches the $role of B, asked for A's ids or not",
  async (cell) => {
    for (const query of ['', aimed()]) {
      const answer = await ask(b.actors[cell.role], cell.endpoint, MISSING, query)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(MARK)
      expect(idsIn(answer)).not.toContain(rowOf(a, cell, cell.role))
    }
  },
)

test.each(perRole(companies, ({ name }) => /^(results\.list|exports\.results)$/.test(name)))(
  '$call: the $role of A sees its own values',
  async ({ role, endpoint }) => {
    expect((await ask(a.actors[role], endpoint)).text).toContain(MARK)
  },
)

test.each(
  perRole(
    companies,
    (cell, role) =>
      isList(cell, role) && /^(?!eventTypes|results|notices).*\.list$|^exports\.(?!results)/.test(cell.name),
  ),
)('$call: the $role of A sees its own row', async (cell) => {
  expect(idsIn(await ask(a.actors[cell.role], cell.endpoint))).toContain(rowOf(a, cell, cell.role))
})

const writes = ({ endpoint }: Cell, role: Role) =>
  endpoint.method !== 'GET' && rolesOf(endpoint).includes(role) && endpoint.need !== 'own'

test.each(perRole(companies, writes))(
  '$call is forbidden to the $role of an inactive company',
  async ({ endpoint, role }) => {
    expect(codeOf(await ask(inactive[role as 'issuer' | 'affiliate'], endpoint))).toEqual([403, 'FORBIDDEN'])
  },
)

const isRead = ({ endpoint }: Cell, role: Role) => endpoint.byKey !== null && rolesOf(endpoint).includes(role)
type CompanyRole = (typeof companies)[number]
const keyOf = ({ keys }: Tenant, role: Role) => keys[role as CompanyRole]

test('keys open what is read, and only to whom', () => {
  expect(cells.filter(({ endpoint }) => endpoint.byKey && endpoint.method !== 'GET')).toEqual([])
  expect(cells.filter(({ endpoint }) => endpoint.byKey && !Array.isArray(endpoint.access))).toEqual([])
  const closed =
    /^(auth|accessLinks|secondFactors|users|affiliates|issuers|receivers|deliveries|privacy|mail|auditLog|exports\.(affiliates|issuers|users)$)/
  expect(cells.filter(({ name, endpoint }) => endpoint.byKey && closed.test(name))).toEqual([])
})

test.each(perRole(companies, isRead))("$call: the $role's key reads what its people read", async (cell) => {
  const id = rowOf(a, cell, cell.role) || MISSING
  const person = await ask(a.actors[cell.role], cell.endpoint, id)
  const system = await send(keyOf(a, cell.role), cell.endpoint, id)
  expect(system.status).toBe(200)
  expect(comparable(system)).toBe(comparable(person))
})

test.each(perRole(companies, (cell, role) => isRead(cell, role) && withId(cell, role)))(
  "$call: the key of B's $role finds A's row no more than a missing one",
  async (cell) => {
    const foreign = await send(keyOf(b, cell.role), cell.endpoint, rowOf(a, cell, cell.role))
    const absent = await send(keyOf(b, cell.role), cell.endpoint)
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect(comparable(foreign)).toBe(comparable(absent))
  },
)

test.each(perRole(companies, (cell, role) => isRead(cell, role) && isList(cell, role)))(
  "$call: nothing of A reaches the key of B's $role",
  async ({ role, endpoint }) => {
    for (const query of ['', aimed()]) {
      const answer = await send(keyOf(b, role), endpoint, MISSING, query)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(MARK)
    }
  },
)

test.each(perRole(companies, (cell, role) => Array.isArray(cell.endpoint.access) && !isRead(cell, role)))(
  "$call is closed to the $role's key, its own row included",
  async (cell) => {
    for (const id of [MISSING, rowOf(a, cell, cell.role) || MISSING])
      expect(codeOf(await send(keyOf(a, cell.role), cell.endpoint, id))).toEqual([403, 'FORBIDDEN'])
  },
)

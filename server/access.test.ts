import { afterAll, beforeAll, expect, test } from 'vitest'
import { commissions } from '#contract/commissions.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { imports } from '#contract/imports.ts'
import { receivers } from '#contract/receivers.ts'
import { everyone, type Role } from '#contract/roles.ts'
import { rulings } from '#contract/rulings.ts'
import { isWhole } from '#db/testing.ts'
import { makeTenant } from './access.testing.ts'
import {
  type Actor,
  makeAffiliate,
  makeIssuer,
  startServer,
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
  a = await makeTenant(server, MARK)
  b = await makeTenant(server, 'Vecino')
  inactive = {
    issuer: { role: 'issuer', issuerId: (await makeIssuer(server.db, { user_status: 'inactive' })).id },
    affiliate: { role: 'affiliate', affiliateId: (await makeAffiliate(server.db, { user_status: 'inactive' })).id },
  }
})
afterAll(() => server.stop())

interface Cell {
  name: string
  endpoint: Endpoint
}
const rowOf = ({ rows }: Tenant, { name }: Cell, role?: Role) => {
  const [noun = ''] = name.split('.')
  return rows[`${role} ${noun}`] ?? rows[name] ?? rows[noun] ?? ''
}

const people = new Map<Actor, Promise<TestClient>>()
const personOf = (actor: Actor): Promise<TestClient> => {
  const client = people.get(actor) ?? server.as(actor)
  people.set(actor, client)
  return client
}
const ask = async (actor: Actor, endpoint: Endpoint, id: number | string = MISSING, query = ''): Promise<TestAnswer> =>
  send(await personOf(actor), endpoint, id, query)

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
const codeOf = (answer: TestAnswer) => `${answer.status} ${answer.json().meta.code}`
const rolesOf = ({ access }: Endpoint): readonly Role[] => (Array.isArray(access) ? access : [])
const forRoles = allEndpoints.filter(({ endpoint }) => Array.isArray(endpoint.access))
const withKey = allEndpoints.filter(({ endpoint }) => /^(issuer-key|postback-token)$/.test(String(endpoint.access)))

type CompanyRole = 'issuer' | 'affiliate'
type RoleCell<R extends Role = Role> = Cell & { role: R }
const companies = ['issuer', 'affiliate'] as const
const perRole = <R extends Role>(roles: readonly R[], keep: (cell: Cell, role: R) => boolean): RoleCell<R>[] =>
  allEndpoints.flatMap((cell) => roles.filter((role) => keep(cell, role)).map((role) => ({ ...cell, role })))

/** For what the hook decides that all calls share: one role of each call, in turns. `http/access.test.ts` has them all. */
function inTurns<R extends Role>(cells: RoleCell<R>[]): RoleCell<R>[] {
  if (isWhole) return cells
  return [...Map.groupBy(cells, ({ endpoint }) => endpoint).values()].flatMap((some, index) =>
    some.slice(index % some.length).slice(0, 1),
  )
}

/** Asks for each of them what `judge` asks, and expects that none has an answer to be told of. */
async function expectAll<C extends Cell>(cells: C[], judge: (cell: C) => Promise<unknown>): Promise<void> {
  const wrong: unknown[] = []
  expect(cells.length).toBeGreaterThan(0)
  for (const cell of cells) {
    const found = await judge(cell)
    if (found !== undefined) wrong.push([cell.name, 'role' in cell ? cell.role : '', found])
  }
  expect(wrong).toEqual([])
}
const unless = (expected: unknown, is: unknown) => (is === expected ? undefined : is)

test('every call is served, and those for roles are 401 without a token', async () => {
  await expectAll(allEndpoints, async ({ endpoint }) => {
    const answer = await send(server.anonymous, endpoint)
    if (Array.isArray(endpoint.access)) return unless('401 UNAUTHENTICATED', codeOf(answer))
    const isMissing = answer.status === 405 || answer.text.includes('La dirección no existe')
    return isMissing ? answer.text : undefined
  })
})

test('a forged token is none', async () => {
  const forged = new TestClient(server.origin, {
    authorization: 'Bearer eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIxIn0.',
  })
  const ofEachMethod = [...Map.groupBy(forRoles, ({ endpoint }) => endpoint.method).values()].flatMap((calls) =>
    calls.slice(0, isWhole ? undefined : 1),
  )
  await expectAll(ofEachMethod, async ({ endpoint }) =>
    unless('401 UNAUTHENTICATED', codeOf(await send(forged, endpoint))),
  )
})

test('what needs a key of its issuer is 401 without, for an administrator too', async () => {
  const wrong = new TestClient(server.origin, { 'x-api-key': `iss_abcd_${'x'.repeat(42)}` })
  const clients = [server.anonymous, wrong, await server.as({ role: 'admin' })]
  await expectAll(withKey, async ({ endpoint }) => {
    const answers = clients.map((client) => send(client, endpoint, MISSING, '?token=pbt_nothing'))
    return (await Promise.all(answers)).find(({ status }) => status !== 401)?.text
  })
})

test('a call is forbidden to other roles, their own row included', async () => {
  const others = perRole(
    everyone,
    ({ endpoint }, role) => rolesOf(endpoint).length > 0 && !rolesOf(endpoint).includes(role),
  )
  await expectAll(inTurns(others), async (cell) => {
    const answer = await ask(a.actors[cell.role], cell.endpoint, rowOf(a, cell, cell.role) || MISSING)
    return unless('403 FORBIDDEN', codeOf(answer))
  })
})

const withId = ({ name, endpoint }: Cell, role: Role) =>
  endpoint.path.includes(':id') && rolesOf(endpoint).includes(role) && !name.startsWith('eventTypes')

/** Whether both are the same 404. */
const notFound = (foreign: TestAnswer, absent: TestAnswer) =>
  foreign.status === 404 && comparable(foreign) === comparable(absent)
    ? undefined
    : [comparable(foreign), comparable(absent)]

test("who is of B finds A's row no more than a missing one", async () => {
  await expectAll(perRole(companies, withId), async (cell) => {
    const missing = /^(auth|deliveries)\./.test(cell.name) ? MISSING_UUID : MISSING
    const foreign = await ask(b.actors[cell.role], cell.endpoint, rowOf(a, cell, cell.role))
    return notFound(foreign, await ask(b.actors[cell.role], cell.endpoint, missing))
  })
})

const isRead = ({ endpoint }: Cell, role: Role) => endpoint.byKey !== null && rolesOf(endpoint).includes(role)

test('who is of A finds their own row, where no key would', async () => {
  const own = (cell: Cell, role: Role) => cell.endpoint.method === 'GET' && withId(cell, role) && !isRead(cell, role)
  await expectAll(perRole(companies, own), async (cell) => {
    const answer = await ask(a.actors[cell.role], cell.endpoint, rowOf(a, cell, cell.role))
    return answer.status === 200 ? undefined : answer.text
  })
})

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

/** The answers of a list that hold something of A. */
async function tellingOfA(client: TestClient, { endpoint }: Cell, row?: string | number) {
  const told: unknown[] = []
  for (const query of ['', aimed()]) {
    const answer = await send(client, endpoint, MISSING, query)
    const ofA = answer.text.includes(MARK) || (row !== undefined && idsIn(answer).includes(row))
    if (answer.status !== 200 || ofA) told.push([query, answer.status, answer.text])
  }
  return told.length ? told : undefined
}

test("nothing of A reaches who is of B in a list, asked for A's ids or not", async () => {
  await expectAll(perRole(companies, isList), async (cell) =>
    tellingOfA(await personOf(b.actors[cell.role]), cell, rowOf(a, cell, cell.role)),
  )
})

test('who is of A sees its own values', async () => {
  const results = perRole(companies, ({ name }) => /^(results\.list|exports\.results)$/.test(name))
  await expectAll(results, async ({ role, endpoint }) => {
    const { text } = await ask(a.actors[role], endpoint)
    return text.includes(MARK) ? undefined : text
  })
})

test('who is of A sees its own row in a list', async () => {
  const lists = /^(?!eventTypes|results|notices|linkFaults).*\.list$|^exports\.(?!results)/
  await expectAll(
    perRole(companies, (cell, role) => isList(cell, role) && lists.test(cell.name)),
    async (cell) => {
      const ids = idsIn(await ask(a.actors[cell.role], cell.endpoint))
      return ids.includes(rowOf(a, cell, cell.role)) ? undefined : ids
    },
  )
})

test('nothing is changed for an inactive company', async () => {
  const writes = ({ endpoint }: Cell, role: Role) =>
    endpoint.method !== 'GET' && rolesOf(endpoint).includes(role) && endpoint.need !== 'own'
  await expectAll(inTurns(perRole(companies, writes)), async ({ endpoint, role }) =>
    unless('403 FORBIDDEN', codeOf(await ask(inactive[role], endpoint))),
  )
})

const keyOf = ({ keys }: Tenant, role: CompanyRole) => keys[role]

test('keys open what is read, and only to whom', () => {
  const byKey = allEndpoints.filter(({ endpoint }) => endpoint.byKey)
  expect(byKey.filter(({ endpoint }) => endpoint.method !== 'GET')).toEqual([])
  expect(byKey.filter(({ endpoint }) => !Array.isArray(endpoint.access))).toEqual([])
  const closed =
    /^(auth|accessLinks|secondFactors|users|affiliates|issuers|receivers|deliveries|privacy|mail|auditLog|exports\.(affiliates|issuers|users)$)/
  expect(byKey.filter(({ name }) => closed.test(name))).toEqual([])
})

test('a key reads what the people of its company read', async () => {
  await expectAll(perRole(companies, isRead), async (cell) => {
    const id = rowOf(a, cell, cell.role) || MISSING
    const person = await ask(a.actors[cell.role], cell.endpoint, id)
    const system = await send(keyOf(a, cell.role), cell.endpoint, id)
    if (system.status === 200 && comparable(system) === comparable(person)) return undefined
    return [comparable(system), comparable(person)]
  })
})

test("a key of B finds A's row no more than a missing one", async () => {
  await expectAll(
    perRole(companies, (cell, role) => isRead(cell, role) && withId(cell, role)),
    async (cell) =>
      notFound(
        await send(keyOf(b, cell.role), cell.endpoint, rowOf(a, cell, cell.role)),
        await send(keyOf(b, cell.role), cell.endpoint),
      ),
  )
})

test('nothing of A reaches a key of B in a list', async () => {
  await expectAll(
    perRole(companies, (cell, role) => isRead(cell, role) && isList(cell, role)),
    (cell) => tellingOfA(keyOf(b, cell.role), cell),
  )
})

test('what is not read by key is closed to it, its own row included', async () => {
  const closed = perRole(companies, (cell, role) => Array.isArray(cell.endpoint.access) && !isRead(cell, role))
  await expectAll(inTurns(closed), async (cell) => {
    const answer = await send(keyOf(a, cell.role), cell.endpoint, rowOf(a, cell, cell.role) || MISSING)
    return unless('403 FORBIDDEN', codeOf(answer))
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Endpoint, isNothing, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { redirectPath } from '#contract/tracking.ts'
import { isWhole } from '#db/testing.ts'
import { unzip } from './exports/testing.ts'
import { HIDDEN_FROM, makeForeign, makeOwn, type Pair, type Party, PERIOD, World } from './leaks.testing.ts'
import { startServer, TestClient, type TestServer } from './testing.ts'

const VIEWERS = ['issuerA', 'affiliateA', 'issuerS', 'affiliateS'] as const
type Viewer = (typeof VIEWERS)[number]
const MISSING = '999999999'
const MISSING_UUID = '00000000-0000-4000-8000-000000000000'
const NONSENSE = 'qjz'

interface Call {
  name: string
  endpoint: Endpoint
}
const roleOf = (party: Party) => (party.startsWith('issuer') ? 'issuer' : 'affiliate')
const isOpenTo = (party: Party, { access }: Endpoint) => Array.isArray(access) && access.includes(roleOf(party))
const readsOf = (party: Party) =>
  allEndpoints.filter(({ endpoint }) => endpoint.method === 'GET' && isOpenTo(party, endpoint))

/** The kind of a list's parameter: whose rows, which words, or nothing that could identify a row. */
const ID_PARAMETERS = ['issuer', 'affiliate', 'relationship']
  .flatMap((noun) => [noun, `${noun}_id`])
  .concat('product_id')
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']
const TEXT_PARAMETERS = ['search', 'q', 'name', 'external_id', ...UTM]
const HARMLESS = [
  ...['page', 'page_size', 'offset', 'ordering', 'format', 'from', 'to', 'year', 'month', 'dimension', 'by'],
  ...['status', 'relationship_status', 'payment_status', 'state', 'standing', 'kind', 'outcome', 'result', 'remark'],
  'column',
]

const shapeOf = (schema: z.ZodType): string[] =>
  isNothing(schema) ? [] : Object.keys((schema as unknown as { shape: Record<string, unknown> }).shape)
const parametersOf = ({ endpoint }: Call) => shapeOf(endpoint.query)

let server: TestServer
let world: World
let own: Pair
let foreign: Pair
/** Every answer that A got while there was no other data. */
const alone = new Map<string, string>()
/** Every answer of today. */
const answers = {} as Record<Viewer, Map<string, string>>

beforeAll(async () => {
  server = await startServer()
  world = new World(server)
  await world.spreadIds()
  const { pair, shared } = await makeOwn(world)
  own = pair
  for (const party of ['issuerA', 'affiliateA'] as const)
    for (const [url, answer] of await readEverything(party)) alone.set(`${party} ${url}`, answer)
  foreign = await makeForeign(world, shared)
  for (const party of VIEWERS) answers[party] = await readEverything(party)
})
afterAll(() => server.stop())

/** What the id of a path means, in the rows of a pair. */
function rowOf({ name, endpoint }: Call, pair: Pair, party: Party): string {
  const { userId, sessionId, boardId, receiverId, deliveryId } = world.companies[party]
  const noun = name.startsWith('exports.') ? name.slice(8) : name.split('.')[0]
  const explained: Record<string, number> = { entry: pair.entry_id, lead: pair.lead_id, payment: pair.payment_id }
  const rows: Record<string, number | string> = {
    affiliates: pair.affiliate_id,
    issuers: pair.issuer_id,
    relationships: pair.relationship_id,
    products: pair.product_id,
    eventSteps: name === 'eventSteps.byProduct' ? pair.product_id : pair.step_id,
    eventTypes: 3,
    commissions: pair.commission_id,
    rates: pair.rate_id,
    payments: pair.payment_id,
    paymentEntries: pair.payment_id,
    leads: pair.lead_id,
    rulings: pair.lead_id,
    explain: explained[name.slice('explain.'.length)] ?? '',
    holds: pair.entry_id,
    adjustments: pair.adjustment_id,
    imports: pair.import_id,
    importRows: pair.import_id,
    terms: pair.term_id,
    privacy: pair.lead_id,
    reports: pair.product_id,
    users: userId,
    people: userId,
    viewAs: userId,
    dashboards: boardId,
    receivers: receiverId,
    deliveries: deliveryId,
    auth: sessionId,
    secondFactors: userId, // they have none: whoever's it would be, it is not found
    networkKeys: userId, // as above
  }
  const row = rows[noun ?? '']
  if (row === undefined && endpoint.path.includes(':id')) throw new Error(`No row is known for the path of ${name}`)
  return String(row)
}

/** The paths of a call: with this row's id, or one for each of its tables. */
function pathsOf({ endpoint }: Call, id: string): string[] {
  if (endpoint.path.includes(':table')) {
    const { table } = (endpoint.params as z.ZodObject<{ table: z.ZodEnum }>).shape
    return table.options.map((option) => pathOf(endpoint, { table: option }))
  }
  return [endpoint.path.includes(':id') ? pathOf(endpoint, { id }) : endpoint.path]
}

/** Parameters fixed in every request, so that no day and no page makes a difference. */
function fixedOf(call: Call, pair: Pair, format?: string): URLSearchParams {
  const names = parametersOf(call)
  const query = new URLSearchParams(names.includes('from') ? PERIOD : {})
  if (call.name === 'reports.table') query.set('product_id', String(pair.product_id))
  if (format && names.includes('format')) query.set('format', format)
  return query
}

/** Status, heads and every byte of the body, unpacked, without what is new in each answer. */
async function ask(client: TestClient, method: string, path: string, body?: unknown): Promise<string> {
  const answer = await client.send(method, path, { body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isSheet = answer.headers.get('content-type')?.includes('spreadsheetml')
  // An export that has just been read may still hold its reader's lock.
  if (answer.status === 409 && path.includes('/exports/')) return ask(client, method, path, body)
  const text = isSheet ? Object.entries(unzip(bytes)).join('\n') : bytes.toString()
  const heads = [...answer.headers].filter(([name]) => !CHANGING.test(name)).join('\n')
  return `${answer.status}\n${heads}\n\n${NEW.reduce((rest, pattern) => rest.replace(pattern, ''), text)}`
}
/** The last two record the calls that this test makes itself. */
const NEW = [
  /"request_id":"[^"]*"/,
  /\{[^{}]*"action":"reveal_key"[^{}]*\},?/g,
  /"last_used_(at|from)":("[^"]*"|null)/g,
]
const CHANGING = /^(date|etag|x-request-id|x-ratelimit-|ratelimit|content-length|server-timing)/

/** Both files of an export are made from the same rows: one of them in turns, or both in `npm run test:all`. */
function formatsOf(call: Call): (string | undefined)[] {
  if (!parametersOf(call).includes('format')) return [undefined]
  return isWhole ? ['csv', 'xlsx'] : allEndpoints.findIndex(({ name }) => name === call.name) % 2 ? ['csv'] : ['xlsx']
}

async function readEverything(party: Viewer): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const call of readsOf(party))
    for (const pair of world.pairsOf(party))
      for (const path of pathsOf(call, rowOf(call, pair, party)))
        for (const format of formatsOf(call)) {
          const url = `${path}?${fixedOf(call, pair, format)}`
          if (!answers.has(url)) answers.set(url, await ask(world.companies[party].client, 'GET', url))
        }
  return answers
}

/** What an answer says that this party may not read. */
const leaksIn = (party: Party | undefined, url: string, answer: string): string[] =>
  [...world.found(answer)]
    .filter(([, { readers }]) => !party || !readers.includes(party))
    .map(([mark, { what }]) => `${party ?? 'visitor'}: ${url} tells the ${what} (${mark})`)

test('every parameter of a list is known to point at rows, to hold words, or to do neither', () => {
  const known = [...ID_PARAMETERS, ...TEXT_PARAMETERS, ...HARMLESS, 'tracking_id', 'ids']
  const unknown = VIEWERS.flatMap(readsOf)
    .flatMap((call) => parametersOf(call).map((parameter) => `${call.name} ${parameter}`))
    .filter((each) => !known.includes(each.split(' ')[1] ?? ''))
  expect([...new Set(unknown)]).toEqual([])
})

describe.each(VIEWERS)('%s', (party) => {
  test('reads all that is its own, and nothing else, in every answer', () => {
    const own = [...answers[party]]
    const seen = new Set(own.flatMap(([, answer]) => [...world.found(answer)].map(([mark]) => mark)))
    expect(own.flatMap(([url, answer]) => leaksIn(party, url, answer))).toEqual([])
    const unseen = [...world.secrets].filter(([mark, { readers }]) => readers.includes(party) && !seen.has(mark))
    expect(unseen.map(([, { what }]) => what)).toEqual([])
  })
})

describe.each(['issuerA', 'affiliateA'] as const)('%s', (party) => {
  test('gets the same bytes whatever others have and do', () => {
    for (const [url, answer] of answers[party]) expect(answer, `${party} ${url}`).toBe(alone.get(`${party} ${url}`))
  })

  test("learns no more by asking for others' ids and words than for such as nobody has", async () => {
    const { client } = world.companies[party]
    for (const call of readsOf(party))
      for (const [index, path] of pathsOf(call, rowOf(call, own, party)).entries())
        for (const [turn, parameter] of parametersOf(call).entries()) {
          // The tables of a report have their parameters in common.
          if (!isWhole && index > 0 && index !== turn) continue
          const aimed = async (value: string) => {
            const query = fixedOf(call, own)
            query.set(parameter, value)
            const answer = await ask(client, 'GET', `${path}?${query}`)
            return answer.replaceAll(value, '')
          }
          const [nobodys, ...theirs] = guessesAt(parameter, party, call)
          if (nobodys === undefined) continue
          const expected = await aimed(nobodys)
          expect(expected, `${call.name} ${parameter}`).toMatch(/^(200|403|404)\n/)
          for (const value of theirs)
            expect(await aimed(value), `${party} ${path} ${parameter}=${value}`).toBe(expected)
        }
    // Some thousand calls in `npm run test:all`.
  }, 300_000)

  test('is refused without a word about others, whichever row of theirs it calls and whatever it sends', async () => {
    const role = world.companies[party]
    const { relationship_id, product_id, affiliate_id, issuer_id, payment_id } = foreign
    const nouns = { issuer: issuer_id, affiliate: affiliate_id, relationship: relationship_id, product: product_id }
    const ids = {
      relationship_id,
      product_id,
      affiliate_id,
      issuer_id,
      payment_id,
      association_id: issuer_id,
      ...nouns,
    }
    const body = { ...ids, name: 'Comisión aprobada', payout: '10.00', order: [{ id: foreign.step_id, step_order: 1 }] }
    // An ended session gets no more answers.
    const calls = allEndpoints.filter(({ name }) => name !== 'auth.logout')
    for (const call of calls)
      for (const path of pathsOf(call, rowOf(call, foreign, 'issuerB'))) {
        const { method } = call.endpoint
        const url = `${path}?${new URLSearchParams(shapeOfQuery(call, ids))}`
        const answer = await ask(role.client, method, url, /POST|PUT/.test(method) ? body : undefined)
        expect(leaksIn(party, `${method} ${url}`, withoutEcho(answer, ids))).toEqual([])
      }
  })
})

const shapeOfQuery = (call: Call, ids: Record<string, number>): Record<string, string> =>
  call.endpoint.method === 'GET' && Array.isArray(call.endpoint.access)
    ? Object.fromEntries(parametersOf(call).flatMap((name) => (ids[name] ? [[name, String(ids[name])]] : [])))
    : {}

/** An id that comes back to its sender reveals nothing. */
const withoutEcho = (answer: string, ids: Record<string, number>): string =>
  Object.values(ids).reduce((text, id) => text.replaceAll(String(id), ''), answer)

/** A value of a parameter that belongs to nobody, then some that belong to others. */
function guessesAt(parameter: string, party: Party, call: Call): string[] {
  const ids: Record<string, number> = { ...foreign, tracking_id: 0, external_id: 0 }
  if (ID_PARAMETERS.includes(parameter)) return [MISSING, String(ids[`${parameter.replace(/_id$/, '')}_id`])]
  if (parameter === 'ids') return [MISSING, rowOf(call, foreign, party)]
  if (parameter === 'tracking_id') return [MISSING_UUID, foreign.tracking_id]
  if (!TEXT_PARAMETERS.includes(parameter)) return []
  const hidden = HIDDEN_FROM[party] ?? ''
  // An external id is found by its beginning.
  if (parameter === 'external_id') return [NONSENSE, hidden, foreign.external_id]
  if (!isWhole) return [NONSENSE, hidden]
  // The names of all others, and what a partner hides from it in rows that it sees.
  const others = [...world.secrets].filter(
    ([mark, { what, readers }]) => mark.startsWith('sx') && !readers.includes(party) && /A|company_name/.test(what),
  )
  return [NONSENSE, hidden, ...others.map(([mark]) => mark)]
}

test('a commission for what is not its own is refused as for what is not there, and a second one names nobody', async () => {
  const { client } = world.companies.issuerA
  const form = { name: 'Por aprobación', payout: '10.00', product_id: own.product_id, affiliate_id: own.affiliate_id }
  const create = (changes: object) => ask(client, 'POST', '/api/v1/payouts/', { ...form, ...changes })
  for (const field of ['product_id', 'affiliate_id', 'relationship_id'] as const) {
    const theirs = await create({ [field]: foreign[field] })
    expect(theirs).toMatch(/^422\n/)
    expect(theirs).toBe(await create({ [field]: Number(MISSING) }))
  }
  const second = await create({})
  expect(second).toMatch(/^409\n/)
  expect(leaksIn(undefined, 'a second commission', second)).toEqual([])
})

describe("an issuer's system", () => {
  test("finds another's lead, step and events no more than missing ones, and is told of none", async () => {
    const { apiKey, postbackToken } = world.companies.issuerA
    const client = new TestClient(server.origin, { 'x-api-key': apiKey })
    const events = '/api/v1/events/lead-events/'
    const postback = `/api/v1/events/postback/?token=${postbackToken}&event=aprobado&tracking_id=`
    const twice = async (
      theirs: string | number,
      missing: string,
      call: (value: string | number) => Promise<string>,
    ) => {
      const answer = await call(theirs)
      expect(answer.replaceAll(String(theirs), '')).toBe((await call(missing)).replaceAll(missing, ''))
    }
    const lead = foreign.tracking_id
    const event = (tracking_id: string | number) => ({ tracking_id, event_type: 'aprobado' })
    await twice(lead, MISSING_UUID, (id) => ask(client, 'GET', `${events}?tracking_id=${id}`))
    await twice(lead, MISSING_UUID, (id) => ask(client, 'POST', events, event(id)))
    await twice(lead, MISSING_UUID, (id) => ask(client, 'POST', `${events}batch/`, { events: [event(id)] }))
    await twice(lead, MISSING_UUID, (id) => ask(server.anonymous, 'GET', postback + id))
    await twice(foreign.step_id, MISSING, (id) =>
      ask(client, 'POST', events, { tracking_id: own.tracking_id, step_id: Number(id) }),
    )
    const all = await ask(client, 'GET', `${events}?limit=500`)
    expect(all).toContain(own.tracking_id)
    expect(leaksIn('issuerA', events, all)).toEqual([])
  })
})

test('a visitor learns nothing of anybody, except the address that a link leads to', async () => {
  const emails = await server.db
    .selectFrom('user')
    .select('email')
    .limit(isWhole ? 100 : 1)
    .execute()
  for (const { email } of [...emails, { email: 'nadie@pruebas.mx' }]) {
    const answer = await ask(server.anonymous, 'POST', '/api/v1/auth/login/', { email, password: 'no es esta' })
    expect(leaksIn(undefined, 'login', answer)).toEqual([])
  }
  const pages = [
    '/',
    '/landing',
    '/login',
    '/issuer/dashboard',
    '/embed/rendimiento',
    '/no-existe',
    '/docs',
    '/healthz',
  ]
  const link = (relationship: number | string, product: number | string) =>
    `${redirectPath(Number(relationship))}?product_id=${product}`
  await server.db
    .updateTable('product')
    .set({ product_status: 'inactive' })
    .where('id', '=', foreign.product_id)
    .execute()
  const links = [
    link(foreign.relationship_id, foreign.product_id),
    link(own.relationship_id, foreign.product_id),
    link(foreign.relationship_id, own.product_id),
    link(MISSING, own.product_id),
    link(own.relationship_id, MISSING),
  ]
  const reads = allEndpoints
    .filter(({ endpoint }) => endpoint.method === 'GET')
    .flatMap((call) => pathsOf(call, rowOf(call, own, 'issuerA')))
  for (const url of [...pages, ...links, ...reads])
    expect(leaksIn(undefined, url, await ask(server.anonymous, 'GET', url))).toEqual([])
  await expect(ask(server.anonymous, 'GET', links[0] ?? '')).resolves.toMatch(/^410\n/)
  await expect(ask(server.anonymous, 'GET', links[1] ?? '')).resolves.toMatch(/^404\n/)
})

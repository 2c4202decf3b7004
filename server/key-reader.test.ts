import { afterAll, beforeAll, expect, test } from 'vitest'
import { affiliates } from '#contract/affiliates.ts'
import { pathOf } from '#contract/endpoint.ts'
import { ApiKeys } from './companies/api-keys.ts'
import { EVENTS } from './events/testing.ts'
import { sendRaw } from './raw.testing.ts'
import {
  makeIssuer,
  makeLead,
  makePair,
  startServer,
  TEST_SECRET,
  type TestAnswer,
  TestClient,
  type TestServer,
} from './testing.ts'

const LEADS = '/api/v1/leads/'

let server: TestServer
let keys: ApiKeys
beforeAll(async () => {
  server = await startServer()
  keys = new ApiKeys(server.db, TEST_SECRET)
})
afterAll(() => server.stop())

/** An affiliate with a lead, and its key. */
async function makeReader() {
  const { ids, affiliate, issuer } = await makePair(server.db)
  const lead = await makeLead(server.db, ids)
  const key = await keys.create(server.db, { affiliateId: affiliate.id }, 'api')
  return { affiliate, issuer, lead, key }
}

const leadsWith = (headers: Record<string, string>, query = '') => server.anonymous.get(LEADS + query, { headers })
const codeOf = (answer: TestAnswer) => [answer.status, answer.json().meta.code]
const REFUSED = [401, 'INVALID_API_KEY']

test("an affiliate's key reads its leads and notes its use, and makes no session", async () => {
  const { affiliate, lead, key } = await makeReader()
  const sessions = () => server.db.selectFrom('session').select('id').execute()
  const before = await sessions()
  const answer = await leadsWith({ 'x-api-key': key })
  expect(answer.status).toBe(200)
  expect(answer.json().data.results.map(({ id }: { id: number }) => id)).toEqual([lead.id])
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(await sessions()).toEqual(before)
  await expect
    .poll(async () => {
      const { last_used_at, last_used_from } = await server.db
        .selectFrom('api_key')
        .select(['last_used_at', 'last_used_from'])
        .where('affiliate_id', '=', affiliate.id)
        .executeTakeFirstOrThrow()
      return [last_used_at !== null, last_used_from]
    })
    .toEqual([true, '127.0.0.0/24'])
})

test.each([
  ['nothing', ''],
  ['a text', 'hola'],
  ['a key of nobody', `aff_abcd_${'0'.repeat(42)}`],
  ['a key in capitals', 'AFF'],
])('%s opens nothing', async (_, key) => {
  expect(codeOf(await leadsWith({ 'x-api-key': key }))).toEqual(REFUSED)
})

test('a postback token and a signing secret read nothing', async () => {
  const { id: issuerId } = await makeIssuer(server.db)
  for (const kind of ['postback', 'signing'] as const)
    expect(codeOf(await leadsWith({ 'x-api-key': await keys.create(server.db, { issuerId }, kind) }))).toEqual(REFUSED)
})

test('two keys in one header, two headers, and what follows a line break open nothing', async () => {
  const [{ key }, other] = [await makeReader(), await makeReader()]
  expect(codeOf(await leadsWith({ 'x-api-key': `${key}, ${other.key}` }))).toEqual(REFUSED)
  const raw = (headers: string) =>
    sendRaw(server.origin, `GET ${LEADS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`)
  expect(codeOf(await raw(`X-API-Key: ${key}\r\nX-API-Key: ${other.key}`))).toEqual(REFUSED)
  expect(codeOf(await raw(`X-API-Key: ${key}\0`))[0]).toBe(400)
  expect((await raw(`X-API-Key: nobody\r\n X-API-Key: ${key}`)).status).toBeGreaterThanOrEqual(400)
})

test.each(['api_key', 'key', 'token', 'x-api-key', 'X-API-Key', 'access_token'])(
  'a key in the address, as %s, is no key',
  async (name) => {
    const { key } = await makeReader()
    expect(codeOf(await leadsWith({}, `?${name}=${key}`))).toEqual([401, 'UNAUTHENTICATED'])
  },
)

test('a key as a bearer token, or beside a token that is not good, opens nothing', async () => {
  const { key } = await makeReader()
  expect(codeOf(await leadsWith({ authorization: `Bearer ${key}` }))).toEqual([401, 'UNAUTHENTICATED'])
  expect(codeOf(await leadsWith({ authorization: 'Bearer x', 'x-api-key': key }))).toEqual([401, 'UNAUTHENTICATED'])
})

test('after a change both keys read for a day; revoked, the old one stops at once', async () => {
  const { affiliate, key } = await makeReader()
  const owner = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const change = (body: object) => owner.post(pathOf(affiliates.rotateKey, { id: affiliate.id }), body)
  const second = (await change({})).json().data.api_key
  for (const each of [key, second]) expect((await leadsWith({ 'x-api-key': each })).status).toBe(200)
  const third = (await change({ revoke_old: true })).json().data.api_key
  expect((await leadsWith({ 'x-api-key': third })).status).toBe(200)
  for (const each of [key, second]) expect(codeOf(await leadsWith({ 'x-api-key': each }))).toEqual(REFUSED)
})

test("a suspended company's key opens nothing, and an archived one's is nobody's", async () => {
  const { affiliate, key } = await makeReader()
  const admin = await server.as({ role: 'admin' })
  const path = pathOf(affiliates.update, { id: affiliate.id })
  expect((await admin.put(path, { user_status: 'inactive' })).status).toBe(200)
  expect(codeOf(await leadsWith({ 'x-api-key': key }))).toEqual([403, 'FORBIDDEN'])
  expect((await admin.put(path, { user_status: 'active' })).status).toBe(200)
  expect((await leadsWith({ 'x-api-key': key })).status).toBe(200)
  expect((await admin.delete(path)).status).toBe(204)
  expect(codeOf(await leadsWith({ 'x-api-key': key }))).toEqual(REFUSED)
})

test('what a key exports is in the audit trail, as the key of its company', async () => {
  const { affiliate, lead, key } = await makeReader()
  const file = await server.anonymous.get('/api/v1/exports/leads/', { headers: { 'x-api-key': key } })
  expect(file.text).toContain(String(lead.id))
  const entry = await server.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'actor_name', 'actor_role'])
    .where('action', '=', 'export')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(entry).toEqual({ actor_id: null, actor_name: affiliate.company_name, actor_role: 'affiliate-key' })
})

test("an affiliate's key sends no events", async () => {
  const { lead, key } = await makeReader()
  const event = { tracking_id: lead.tracking_id, event_type: 'aprobado' }
  expect(codeOf(await server.anonymous.post(EVENTS, event, { headers: { 'x-api-key': key } }))).toEqual(REFUSED)
})

test('reading has a rate of its own, of the company and not of the key; events go on', async () => {
  const { issuer } = await makeReader()
  const client = async () => {
    const key = await server.db.transaction().execute((tx) => keys.rotate(tx, { issuerId: issuer.id }, 'api'))
    return new TestClient(server.origin, { 'x-api-key': key })
  }
  const [one, two] = [await client(), await client()]
  expect((await one.get(LEADS)).status).toBe(200)
  // What no key opens counts too, and costs the least.
  const answers: TestAnswer[] = []
  for (let round = 0; round < 31; round += 1) {
    const some = Array.from({ length: 20 }, (_, at) => (at % 2 ? one : two).get('/api/v1/auth/profile/'))
    answers.push(...(await Promise.all(some)))
  }
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(599)
  expect(refused).toHaveLength(21)
  expect((await two.get(LEADS)).status).toBe(429)
  expect(refused[0]?.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(1)
  expect((await one.get(EVENTS)).status).toBe(200)
  const { key } = await makeReader()
  expect((await leadsWith({ 'x-api-key': key })).status).toBe(200)
})

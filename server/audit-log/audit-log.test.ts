import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditRecord } from '#contract/audit-log.ts'
import { makeIssuer, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'

const PATH = '/api/v1/audit/'
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const entryOf = (columns: Record<string, unknown> = {}) => ({
  actor_role: 'admin',
  actor_name: 'Ana',
  action: 'update',
  entity: 'product',
  ...columns,
})
const make = async (...entries: Record<string, unknown>[]) =>
  (await server.db.insertInto('audit_entry').values(entries.map(entryOf)).returning('id').execute()).map(({ id }) => id)
const idsOf = (answer: TestAnswer): number[] => answer.json().data.results.map(({ id }: AuditRecord) => id)
const pagination = (answer: TestAnswer) => answer.json().data.pagination

test('says who changed what from which value to which', async () => {
  const issuer = await makeIssuer(server.db, { contact_name: 'Luz' })
  await admin.put(`/api/v1/issuers/${issuer.id}/`, { contact_name: 'Sol' })
  const answer = await admin.get(`${PATH}?entity=issuer&action=update`)
  const [entry] = answer.json().data.results
  expect(entry).toMatchObject({
    action: 'update',
    entity: 'issuer',
    entity_id: issuer.id,
    actor_name: 'Ana Prueba',
    actor_role: 'admin',
    changes: { contact_name: ['Luz', 'Sol'] },
    address: '127.0.0.1',
  })
  expect(entry.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('pages through the latest first, what ties by id', async () => {
  const at = { actor_id: 71, created_at: '2026-01-05T12:00:00Z' }
  const [a, b, c] = await make(at, at, at)
  const [older] = await make({ ...at, created_at: '2026-01-04T12:00:00Z' })
  const page = (number: number) => admin.get(`${PATH}?actor_id=71&page_size=2&page=${number}`)
  const pages = [await page(1), await page(2), await page(3)]
  expect(pages.map(idsOf)).toEqual([[c, b], [a, older], []])
  expect(pagination(pages[0] as TestAnswer)).toEqual({ count: 4, current_page: 1, total_pages: 2, page_size: 2 })
})

test('narrows by person, entity and action together', async () => {
  const [wanted] = await make({ actor_id: 72, action: 'delete', entity: 'payment' })
  await make({ actor_id: 72, action: 'delete' }, { actor_id: 72, entity: 'payment' }, { actor_id: 73 })
  expect(idsOf(await admin.get(`${PATH}?actor_id=72&action=delete&entity=payment`))).toEqual([wanted])
})

test('days are those of Mexico City, both ends included', async () => {
  const moments = [
    '2026-02-10T05:59:59.999Z',
    '2026-02-10T06:00:00Z',
    '2026-02-12T05:59:59.999Z',
    '2026-02-12T06:00:00Z',
  ]
  const made = await make(...moments.map((created_at) => ({ actor_id: 74, created_at })))
  const between = async (query: string) => idsOf(await admin.get(`${PATH}?actor_id=74&${query}`)).toReversed()
  expect(await between('from=2026-02-10&to=2026-02-11')).toEqual(made.slice(1, 3))
  expect(await between('from=2026-02-12')).toEqual(made.slice(3))
  expect(await between('to=2026-02-09')).toEqual(made.slice(0, 1))
})

test.each(['action=x', 'entity=session', 'from=ayer', 'page=0', 'actor_id=a'])('is refused for %s', async (query) => {
  expect((await admin.get(`${PATH}?${query}`)).status).toBe(400)
})

test('is the administrator’s alone', async () => {
  const issuer = await makeIssuer(server.db)
  expect((await (await server.as({ role: 'issuer', issuerId: issuer.id })).get(PATH)).status).toBe(403)
  expect((await server.anonymous.get(PATH)).status).toBe(401)
})

test('every action and entity that the server writes can be asked for', async () => {
  const written = await server.db.selectFrom('audit_entry').select(['action', 'entity']).distinct().execute()
  for (const { action, entity } of written)
    expect((await admin.get(`${PATH}?action=${action}&entity=${entity}`)).status).toBe(200)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExternalDashboard } from '#contract/dashboards.ts'
import type { Dashboard } from '#contract/metrics.ts'
import { makeDashboard } from '#db/factories.ts'
import {
  makeAffiliate,
  makeIssuer,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
  unique,
} from '../testing.ts'

const PATH = '/api/v1/dashboards/'
const ALLOWED = 'https://tableros.example.mx'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ DASHBOARD_ORIGINS: `${ALLOWED},https://bi.example.mx:8443` })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const form = (columns = {}) => ({
  name: `Captación ${unique()}`,
  description: 'Altas por día',
  iframe_url: `${ALLOWED}/publico/1?tema=claro#hoja`,
  role: 'issuer',
  ...columns,
})
const idsOf = (answer: TestAnswer): number[] => answer.json().data.map(({ id }: { id: number }) => id)
const offered = async (actor: Parameters<TestServer['as']>[0]): Promise<Dashboard[]> =>
  (await (await server.as(actor)).get('/api/v1/metrics/dashboards/')).json().data
const trailOf = (id: number) =>
  server.db
    .selectFrom('audit_entry')
    .select(['action', 'label', 'changes'])
    .where('entity', '=', 'dashboard')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()

test('a board for one issuer is offered to that issuer alone', async () => {
  const [mine, other] = [await makeIssuer(server.db), await makeIssuer(server.db)]
  const body = form({ issuer_id: mine.id })
  const answer = await admin.post(PATH, body)
  expect([answer.status, answer.json().message]).toEqual([201, 'Dashboard creado exitosamente'])
  const created: ExternalDashboard = answer.json().data
  expect(created).toMatchObject({ ...body, affiliate_id: null, owner_name: mine.company_name, allowed: true })
  expect(await offered({ role: 'issuer', issuerId: mine.id })).toContainEqual({
    id: created.id,
    name: body.name,
    description: body.description,
    iframe_url: body.iframe_url,
  })
  const ids = (await offered({ role: 'issuer', issuerId: other.id })).map(({ id }) => id)
  expect(ids).not.toContain(created.id)
  const [entry, ...more] = await trailOf(created.id)
  expect(more).toEqual([])
  expect(entry).toMatchObject({ action: 'create', label: body.name })
  expect(entry?.changes).toMatchObject({ iframe_url: [null, body.iframe_url], issuer_id: [null, mine.id] })
})

test('changing the role takes the owner along; the trail shows what changed', async () => {
  const [issuer, affiliate] = [await makeIssuer(server.db), await makeAffiliate(server.db)]
  const board = await makeDashboard(server.db, { issuer_id: issuer.id })
  const change = { name: 'Ingresos', role: 'affiliate', affiliate_id: affiliate.id, issuer_id: issuer.id }
  const answer = await admin.put(`${PATH}${board.id}/`, change)
  expect(answer.json().data).toMatchObject({ ...change, issuer_id: null, owner_name: affiliate.company_name })
  const everybody = await admin.put(`${PATH}${board.id}/`, { affiliate_id: null })
  expect(everybody.json().data).toMatchObject({ role: 'affiliate', affiliate_id: null, owner_name: null })
  const forAdmins = await admin.put(`${PATH}${board.id}/`, { role: 'admin', issuer_id: issuer.id })
  expect(forAdmins.json().data).toMatchObject({ role: 'admin', issuer_id: null, affiliate_id: null })
  expect((await trailOf(board.id)).map(({ changes }) => changes)).toEqual([
    {
      name: [board.name, 'Ingresos'],
      role: ['issuer', 'affiliate'],
      issuer_id: [issuer.id, null],
      affiliate_id: [null, affiliate.id],
    },
    { affiliate_id: [affiliate.id, null] },
    { role: ['affiliate', 'admin'] },
  ])
})

test.each([
  ['an origin that nobody allowed', { iframe_url: 'https://otra.example.mx/1' }, 'iframe_url', 'DASHBOARD_ORIGINS'],
  ['another port', { iframe_url: `${ALLOWED}:8443/1` }, 'iframe_url', `${ALLOWED}:8443 no está permitido`],
  ['a longer host', { iframe_url: `${ALLOWED}.malo.mx/1` }, 'iframe_url', 'DASHBOARD_ORIGINS'],
  ['no encryption', { iframe_url: 'http://tableros.example.mx/1' }, 'iframe_url', 'dirección https://'],
  ['a script', { iframe_url: 'javascript:alert(1)' }, 'iframe_url', 'dirección https://'],
  ['a board of ours', { iframe_url: '/embed/red' }, 'iframe_url', 'dirección https://'],
  ['a password', { iframe_url: 'https://ana:x@tableros.example.mx/1' }, 'iframe_url', 'dirección https://'],
  ['what browsers resolve', { iframe_url: 'https:/tableros.example.mx/1' }, 'iframe_url', 'dirección https://'],
  ['a name too short', { name: 'a' }, 'name', 'al menos 2'],
  ['a long description', { description: 'a'.repeat(501) }, 'description', '500'],
  ['no role', { role: undefined }, 'role', 'Rol es requerido'],
  ['an issuer that is not there', { issuer_id: 999_999 }, 'issuer_id', 'emisor válido'],
  ['an affiliate that is not there', { role: 'affiliate', affiliate_id: 999_999 }, 'affiliate_id', 'afiliado válido'],
])('%s is refused beside its field', async (_what, columns, field, text) => {
  const body = form(columns)
  const answer = await admin.post(PATH, body)
  expect(answer.status).toBe(422)
  expect(answer.json().meta.field_errors[field].join()).toContain(text)
  expect(await server.db.selectFrom('dashboard').select('id').where('name', '=', body.name).execute()).toEqual([])
})

test('a removed company owns nothing, and what it owned goes with it', async () => {
  const issuer = await makeIssuer(server.db)
  const board = await makeDashboard(server.db, { issuer_id: issuer.id })
  await admin.delete(`/api/v1/issuers/${issuer.id}/`)
  expect((await admin.get(`${PATH}${board.id}/`)).status).toBe(404)
  expect((await admin.post(PATH, form({ issuer_id: issuer.id }))).status).toBe(422)
})

test('an address whose origin is no longer allowed is said to be hidden and can still be renamed', async () => {
  const board = await makeDashboard(server.db, { iframe_url: 'https://retirada.example.mx/1' })
  expect((await admin.get(`${PATH}${board.id}/`)).json().data.allowed).toBe(false)
  const same = { name: 'Otro nombre', iframe_url: board.iframe_url }
  expect((await admin.put(`${PATH}${board.id}/`, same)).json().data).toMatchObject({ ...same, allowed: false })
  expect((await admin.put(`${PATH}${board.id}/`, { iframe_url: `${board.iframe_url}0` })).status).toBe(422)
})

test('the list is narrowed by role and searched by words, owner included', async () => {
  const affiliate = await makeAffiliate(server.db, { company_name: 'Portal Ñandú' })
  const board = await makeDashboard(server.db, {
    role: 'affiliate',
    affiliate_id: affiliate.id,
    name: 'Ingresos netos',
  })
  const search = (query: string) => admin.get(`${PATH}?${query}`).then(idsOf)
  expect(await search('search=nandu ingresos')).toEqual([board.id])
  expect(await search('search=nandu&role=issuer')).toEqual([])
  expect(await search('role=affiliate')).toContain(board.id)
  expect((await search('page=1&page_size=1')).length).toBe(1)
})

test('the boards of the product itself are nobody’s to change', async () => {
  const own = await server.db.selectFrom('dashboard').select('id').where('iframe_url', '=', '/embed/red').execute()
  const listed = idsOf(await admin.get(PATH))
  for (const { id } of own) {
    expect(listed).not.toContain(id)
    const answers = [
      await admin.get(`${PATH}${id}/`),
      await admin.put(`${PATH}${id}/`, { name: 'Mío' }),
      await admin.delete(`${PATH}${id}/`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  }
})

test('a deleted board is gone from the select and from the list; a second time it is not there', async () => {
  const issuer = await makeIssuer(server.db)
  const board = await makeDashboard(server.db)
  expect((await admin.delete(`${PATH}${board.id}/`)).status).toBe(204)
  expect((await admin.delete(`${PATH}${board.id}/`)).status).toBe(404)
  expect(idsOf(await admin.get(PATH))).not.toContain(board.id)
  const ids = (await offered({ role: 'issuer', issuerId: issuer.id })).map(({ id }) => id)
  expect(ids).not.toContain(board.id)
  expect((await trailOf(board.id)).map(({ action, label }) => [action, label])).toEqual([['delete', board.name]])
})

test('an edit of an older state does not overwrite a newer one; a repeated creation happens once', async () => {
  const board = await makeDashboard(server.db)
  const path = `${PATH}${board.id}/`
  const headers = { 'if-match': `"${board.updated_at}"` }
  expect((await admin.put(path, { name: 'Primero' }, { headers })).status).toBe(200)
  expect((await admin.put(path, { name: 'Segundo' }, { headers })).status).toBe(412)
  const body = form()
  const key = { headers: { 'idempotency-key': `tablero-${unique()}` } }
  const [first, again] = [await admin.post(PATH, body, key), await admin.post(PATH, body, key)]
  expect(again.text).toBe(first.text)
})

test('the origins that the operator allows are there to be read', async () => {
  expect((await admin.get(`${PATH}origins/`)).json().data).toEqual([ALLOWED, 'https://bi.example.mx:8443'])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateChange } from '#contract/rates.ts'
import type { Relationship } from '#contract/relationships.ts'
import { EVENTS, entriesOf, makeFunnel } from '../events/testing.ts'
import {
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeLead,
  makePair,
  makeProduct,
  makeRelationship,
  startServer,
  type TestClient,
  type TestServer,
  untilLockWait,
} from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const path = '/api/v1/relationships/'
const ids = (answer: { json: () => { data: Relationship[] } }) => answer.json().data.map((row) => row.id)
const trailOf = async (id: number) =>
  (
    await server.db
      .selectFrom('audit_entry')
      .select('action')
      .where('entity', '=', 'relationship')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
  ).map((entry) => entry.action)
const commissionOf = (id: number) =>
  server.db.selectFrom('commission').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const makeCompanies = async () => {
  const [affiliate, issuer] = [await makeAffiliate(server.db), await makeIssuer(server.db)]
  const text = `Ya existe una relación entre ${affiliate.company_name} y ${issuer.company_name}`
  return { affiliate, issuer, text, pair: { affiliate_id: affiliate.id, issuer_id: issuer.id } }
}

test('the administrator creates, changes and removes a relationship', async () => {
  const { affiliate, issuer, pair } = await makeCompanies()
  const created = await admin.post(path, { ...pair, notes: '  Trato de prueba  ' })
  expect(created.status).toBe(201)
  expect(created.json()).toMatchObject({
    message: 'Relación creada exitosamente',
    data: {
      affiliate: affiliate.id,
      issuer: issuer.id,
      affiliate_name: affiliate.company_name,
      issuer_name: issuer.company_name,
      notes: 'Trato de prueba',
      relationship_status: 'active',
    },
  })
  const { id } = created.json().data
  const changed = await admin.put(`${path}${id}/`, { ...pair, relationship_status: 'inactive' })
  expect(changed.json()).toMatchObject({
    message: 'Relación actualizada exitosamente',
    data: { notes: 'Trato de prueba', relationship_status: 'inactive' },
  })
  expect((await admin.put(`${path}${id}/`, { notes: '' })).json().data.notes).toBe('')
  expect((await admin.delete(`${path}${id}/`)).status).toBe(204)
  expect((await admin.get(`${path}${id}/`)).json().message).toBe('Relación no encontrada')
  expect((await admin.delete(`${path}${id}/`)).status).toBe(404)
  expect((await admin.put(`${path}${id}/`, { notes: 'tarde' })).status).toBe(404)
  expect(await trailOf(id)).toEqual(['create', 'update', 'update', 'delete'])
})

test.each([
  [{ affiliate_id: undefined }, 'Debe seleccionar un afiliado'],
  [{ affiliate_id: 0 }, 'Debe seleccionar un afiliado'],
  [{ affiliate_id: '1' }, 'Debe seleccionar un afiliado'],
  [{ affiliate_id: 999_999 }, 'Debe seleccionar un afiliado'],
  [{ issuer_id: null }, 'Debe seleccionar un emisor'],
  [{ issuer_id: 1.5 }, 'Debe seleccionar un emisor'],
  [{ issuer_id: 999_999 }, 'Debe seleccionar un emisor'],
  [{ notes: 'x'.repeat(1001) }, 'Las notas no pueden exceder 1000 caracteres'],
])('%j is refused', async (changes, message) => {
  const { pair } = await makeCompanies()
  const answer = await admin.post(path, { ...pair, ...changes })
  expect([answer.status, answer.json().message]).toEqual([422, message])
})

test('a thousand characters of notes are kept', async () => {
  const { pair } = await makeCompanies()
  expect((await admin.post(path, { ...pair, notes: 'ñ'.repeat(1000) })).status).toBe(201)
})

test('an archived company enters no relationship', async () => {
  const { affiliate, pair } = await makeCompanies()
  await admin.delete(`/api/v1/affiliates/${affiliate.id}/`)
  expect((await admin.post(path, pair)).json().message).toBe('Debe seleccionar un afiliado')
})

test('ten creations of one pair at once make one relationship', async () => {
  const { pair, text } = await makeCompanies()
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(path, pair)))
  const refused = answers.filter((answer) => answer.status !== 201)
  expect(refused).toHaveLength(9)
  for (const answer of refused) {
    expect([answer.status, answer.json().message]).toEqual([409, text])
    expect(answer.json().meta.code).toBe('DUPLICATE_RELATIONSHIP')
  }
  expect(ids(await admin.get(`${path}?affiliate_id=${pair.affiliate_id}`))).toHaveLength(1)
})

test('an archived pair comes back under its id, with the commissions that went along', async () => {
  const pair = await makePair(server.db)
  const { affiliate_id, issuer_id } = pair.ids
  const { id } = pair.relationship
  const kept = await makeCommission(server.db, pair.ids)
  const ended = await makeCommission(server.db, {
    ...pair.ids,
    product_id: (await makeProduct(server.db, { issuer_id })).id,
    archived_at: new Date(0),
  })
  const gone = await makeProduct(server.db, { issuer_id })
  const ofGone = await makeCommission(server.db, { ...pair.ids, product_id: gone.id })
  await admin.delete(`${path}${id}/`)
  expect((await commissionOf(kept.id)).archived_at).not.toBeNull()
  await admin.delete(`/api/v1/products/${gone.id}/`)

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.post(path, { affiliate_id, issuer_id, notes: 'De vuelta' })),
  )
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array(9).fill(409)])
  const revived = answers.find((answer) => answer.status === 201)?.json().data
  expect(revived).toMatchObject({ id, notes: 'De vuelta', relationship_status: 'active' })
  expect((await commissionOf(kept.id)).archived_at).toBeNull()
  expect((await commissionOf(ended.id)).archived_at).not.toBeNull()
  expect((await commissionOf(ofGone.id)).archived_at).not.toBeNull()
  const count = server.db.selectFrom('relationship').where('issuer_id', '=', issuer_id)
  expect(await count.select('id').execute()).toEqual([{ id }])
})

test('what the commissions of a pair paid is paid again when it comes back, and what was ended before is not', async () => {
  const { ids, relationship, commission, steps, client } = await makeFunnel(server)
  const { affiliate_id, issuer_id } = ids
  const set = async (event_step_id: number, amount: string) => {
    const made = await admin.post('/api/v1/rates/', { commission_id: commission.id, event_step_id, amount })
    expect(made.status, made.text).toBe(201)
    return made.json().data.id as number
  }
  await set(steps.aprobado.id, '900')
  const ended = await set(steps.entregado.id, '950')
  expect((await admin.post(`/api/v1/rates/${ended}/end/`)).status).toBe(200)
  for (let times = 0; times < 2; times++) {
    await admin.delete(`${path}${relationship.id}/`)
    expect((await admin.post(path, { affiliate_id, issuer_id })).status).toBe(201)
  }
  const payouts = '/api/v1/payouts/'
  expect((await admin.get(`${payouts}${commission.id}/`)).json().data).toMatchObject({ payout: '500.00', next: null })
  const lead = await makeLead(server.db, ids)
  for (const event_type of ['aprobado', 'entregado']) {
    const sent = await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type })
    expect([sent.status, sent.json().meta.warnings]).toEqual([201, undefined])
  }
  expect((await entriesOf(server, lead.id)).map(({ amount }) => amount)).toEqual(['900.00', '500.00'])
  const history = (await admin.get(`${payouts}${commission.id}/history/`)).json().data as RateChange[]
  const ofAll = history.filter(({ step_name }) => step_name === null)
  expect(ofAll.map(({ to, actor_role }) => [to, actor_role])).toEqual([
    ['500.00', 'admin'],
    [null, 'system'],
    ['500.00', 'admin'],
    [null, 'system'],
    ['500.00', 'system'],
  ])
})

test('another pair ends the commissions of the old one and moves no history', async () => {
  const pair = await makePair(server.db)
  const { id } = pair.relationship
  const commission = await makeCommission(server.db, pair.ids)
  const lead = await makeLead(server.db, pair.ids)
  const next = await makeAffiliate(server.db)
  const changed = await admin.put(`${path}${id}/`, { affiliate_id: next.id, issuer_id: pair.issuer.id })
  expect(changed.json().data).toMatchObject({ id, affiliate: next.id, affiliate_name: next.company_name })
  const after = await commissionOf(commission.id)
  expect(after).toMatchObject({ relationship_id: null, affiliate_id: pair.affiliate.id })
  expect(after.archived_at).not.toBeNull()
  expect((await admin.get(`/api/v1/leads/${lead.id}/`)).json().data.affiliate_name).toBe(pair.affiliate.company_name)
  const entry = await server.db
    .selectFrom('audit_entry')
    .select('changes')
    .where('entity', '=', 'relationship')
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(entry.changes).toEqual({ affiliate_id: [pair.affiliate.id, next.id] })
})

test('saving the same pair ends nothing', async () => {
  const pair = await makePair(server.db)
  const commission = await makeCommission(server.db, pair.ids)
  const { affiliate_id, issuer_id } = pair.ids
  await admin.put(`${path}${pair.relationship.id}/`, { affiliate_id, issuer_id, notes: 'Igual' })
  expect(await commissionOf(commission.id)).toMatchObject({ archived_at: null, relationship_id: pair.relationship.id })
})

test('a change to a taken pair is refused whole', async () => {
  const [one, two] = [await makePair(server.db), await makePair(server.db)]
  const commission = await makeCommission(server.db, one.ids)
  const { affiliate_id, issuer_id } = two.ids
  const answer = await admin.put(`${path}${one.relationship.id}/`, { affiliate_id, issuer_id, notes: 'Otra' })
  const text = `Ya existe una relación entre ${two.affiliate.company_name} y ${two.issuer.company_name}`
  expect([answer.status, answer.json().message]).toEqual([409, text])
  expect((await commissionOf(commission.id)).archived_at).toBeNull()
  expect((await admin.get(`${path}${one.relationship.id}/`)).json().data).toMatchObject({
    affiliate: one.affiliate.id,
    notes: '',
  })
})

test('a change is refused over another id, an older version and an unknown company', async () => {
  const { relationship } = await makePair(server.db)
  const target = `${path}${relationship.id}/`
  expect((await admin.put(target, { id: relationship.id + 1, notes: 'x' })).status).toBe(400)
  const stale = { headers: { 'if-match': `"${relationship.updated_at}"` } }
  expect((await admin.put(target, { notes: 'uno' }, stale)).status).toBe(200)
  expect((await admin.put(target, { notes: 'dos' }, stale)).status).toBe(412)
  expect((await admin.put(target, { issuer_id: 999_999 })).json().message).toBe('Debe seleccionar un emisor')
})

test('an inactive relationship hides the products from its affiliate alone', async () => {
  const pair = await makePair(server.db)
  const other = await makeAffiliate(server.db)
  await makeRelationship(server.db, { affiliate_id: other.id, issuer_id: pair.issuer.id })
  const affiliate = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
  const neighbour = await server.as({ role: 'affiliate', affiliateId: other.id })
  await admin.put(`${path}${pair.relationship.id}/`, { relationship_status: 'inactive' })
  expect((await affiliate.get('/api/v1/products/')).json().data).toEqual([])
  expect((await neighbour.get('/api/v1/products/')).json().data).toHaveLength(1)
  expect((await affiliate.get(path)).json().data).toMatchObject([{ relationship_status: 'inactive' }])
})

test('each side reads its own relationships; strangers and writers are refused', async () => {
  const [mine, other] = [await makePair(server.db), await makePair(server.db)]
  const clients = [
    await server.as({ role: 'issuer', issuerId: mine.issuer.id }),
    await server.as({ role: 'affiliate', affiliateId: mine.affiliate.id }),
  ]
  for (const client of clients) {
    expect(ids(await client.get(path))).toEqual([mine.relationship.id])
    expect(ids(await client.get(`${path}?issuer_id=${other.issuer.id}`))).toEqual([])
    expect((await client.get(`${path}${mine.relationship.id}/`)).status).toBe(200)
    expect((await client.get(`${path}${other.relationship.id}/`)).status).toBe(404)
    expect((await client.post(path, {})).status).toBe(403)
    expect((await client.put(`${path}${mine.relationship.id}/`, {})).status).toBe(403)
    expect((await client.delete(`${path}${mine.relationship.id}/`)).status).toBe(403)
  }
  expect((await server.anonymous.get(path)).status).toBe(401)
})

test('search, filters, pages and order', async () => {
  const { affiliate, issuer, pair } = await makeCompanies()
  const row = await makeRelationship(server.db, { ...pair, notes: 'Campaña de otoño' })
  const found = async (query: string) => ids(await admin.get(`${path}?${query}`))
  expect(await found('search=CAMPANA+otono')).toEqual([row.id])
  expect(
    await found(`search=${encodeURIComponent(`campaña ${affiliate.company_name} ${issuer.company_name}`)}`),
  ).toEqual([row.id])
  expect(await found('search=campana+invierno')).toEqual([])
  expect(await found(`affiliate_id=${affiliate.id}&issuer_id=${issuer.id}`)).toEqual([row.id])
  expect(await found(`affiliate_id=${affiliate.id}&relationship_status=inactive`)).toEqual([])
  const all = await found('')
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(await found('page=2&page_size=3')).toEqual(all.slice(3, 6))
  expect((await admin.get(`${path}?issuer_id=x`)).status).toBe(400)
})

test('a company that is being archived enters no relationship', async () => {
  const { affiliate, pair } = await makeCompanies()
  const removal = await server.db.startTransaction().execute()
  await removal.selectFrom('affiliate').select('id').where('id', '=', affiliate.id).forUpdate().execute()
  const creation = admin.post(path, pair)
  await untilLockWait(server.db)
  await removal.updateTable('affiliate').set({ archived_at: new Date() }).where('id', '=', affiliate.id).execute()
  await removal.commit().execute()
  expect((await creation).json().message).toBe('Debe seleccionar un afiliado')
})

test('one that goes to another issuer meanwhile is not moved under the name of the issuer before', async () => {
  const [{ pair }, other] = [await makeCompanies(), await makeCompanies()]
  const { id } = await makeRelationship(server.db, pair)
  const moving = await server.db.startTransaction().execute()
  await moving.selectFrom('relationship').select('id').where('id', '=', id).forUpdate().execute()
  const asked = admin.put(`${path}${id}/`, { affiliate_id: other.affiliate.id })
  await untilLockWait(server.db)
  await moving.updateTable('relationship').set({ issuer_id: other.issuer.id }).where('id', '=', id).execute()
  await moving.commit().execute()
  const answer = await asked
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'PAIR_CHANGED'])
  const stored = server.db.selectFrom('relationship').select(['affiliate_id', 'issuer_id']).where('id', '=', id)
  expect(await stored.executeTakeFirst()).toEqual({ affiliate_id: pair.affiliate_id, issuer_id: other.issuer.id })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnEntryPage, WaitingPage } from '#contract/commission-entries.ts'
import type { Explanation } from '#contract/explain.ts'
import { CHARGE_NOT_HELD } from '#contract/holds.ts'
import type { Summary } from '#contract/summary.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry } from '#db/factories.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(async () => {
  await expectNoDrift(server.db)
  await expectConserved(server.db)
  await server.stop()
})

const NOTE = 'Se revisa con el banco'
const today = dateInMexico()
const period = { period_start: addDays(today, -3), period_end: today }
const pathOf = (id: number, what: 'hold' | 'release') => `/api/v1/commission-entries/${id}/${what}/`
const hold = (id: number) => admin.post(pathOf(id, 'hold'), { reason: 'aclaracion', note: NOTE })
const release = (id: number) => admin.post(pathOf(id, 'release'), { note: 'El banco lo aclaró' })

async function ok<T>(asked: ReturnType<TestClient['get']>): Promise<T> {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json().data
}

const previewed = async (relationship: number): Promise<string> => {
  const query = new URLSearchParams({ relationship: String(relationship), ...period })
  return (await ok<{ total_amount: string }>(admin.get(`/api/v1/payments/preview/?${query}`))).total_amount
}

const pay = (relationship: number, total_amount: string) =>
  admin.post('/api/v1/payments/', { ...paymentForm(relationship), ...period, total_amount })

test('what is held no payment takes until it is released', async () => {
  const { ids, affiliate, issuer } = await makePair(server.db)
  const [held] = [
    await makeEntry(server.db, ids, { amount: '500.00' }),
    await makeEntry(server.db, ids, { amount: '80.00' }),
  ]
  await ok(hold(held.id))
  expect(await previewed(ids.relationship_id)).toBe('80.00')
  expect(await ok(pay(ids.relationship_id, '80.00'))).toMatchObject({ entries_amount: '80.00' })
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const { results } = await ok<OwnEntryPage>(own.get('/api/v1/commission-entries/?standing=held'))
  expect(results).toMatchObject([{ id: held.id, standing: 'held', amount: '500.00' }])
  const told = await ok<Explanation>(own.get(`/api/v1/explain/entry/${held.id}/`))
  expect(told.sentence).toContain('Retenida')
  const node = told.nodes.find(({ kind }) => kind === 'hold')
  expect(node).toMatchObject({ facts: [{ label: 'Motivo', value: 'Aclaración en curso' }] })
  expect(JSON.stringify(told)).not.toContain(NOTE)
  const [balance] = await ok<object[]>(admin.get(`/api/v1/payments/balances/?relationship=${ids.relationship_id}`))
  expect(balance).toMatchObject({ accrued: '500.00', validating: '500.00', since: null })
  await ok(release(held.id))
  const whole = await ok<Explanation>(admin.get(`/api/v1/explain/entry/${held.id}/`))
  expect(whole.nodes.filter(({ kind }) => kind === 'hold' || kind === 'release')).toMatchObject([
    { facts: [{ label: 'Motivo' }, { label: 'Autor' }, { label: 'Nota', value: NOTE }] },
    { facts: [{ label: 'Autor' }, { label: 'Nota', value: 'El banco lo aclaró' }] },
  ])
  expect(whole.subject.standing).toBe('payable')
  const bank = await server.as({ role: 'issuer', issuerId: issuer.id })
  const seen = await ok<Explanation>(bank.get(`/api/v1/explain/entry/${held.id}/`))
  expect(seen.nodes.filter(({ kind }) => kind === 'hold' || kind === 'release').map(({ facts }) => facts)).toEqual([
    [{ label: 'Motivo', value: 'Aclaración en curso' }],
    [],
  ])
})

test('of a bonus and an adjustment that were held it is told as of a commission', async () => {
  const { ids, affiliate, issuer } = await makePair(server.db)
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const bank = await server.as({ role: 'issuer', issuerId: issuer.id })
  for (const [kind, what] of [
    ['bonus', 'El bono'],
    ['adjustment', 'El ajuste'],
  ]) {
    const form = { relationship: ids.relationship_id, kind, amount: '100.00', note: 'Premio del mes de octubre' }
    const { id } = await ok<{ id: number }>(admin.post('/api/v1/adjustments/', form))
    await ok(hold(id))
    await ok(release(id))
    await ok(hold(id))
    const toldTo = async (client: TestClient) => {
      const { nodes, sentence } = await ok<Explanation>(client.get(`/api/v1/explain/entry/${id}/`))
      expect(sentence).toContain('Retenida: no se paga hasta que se libere')
      return nodes.filter(({ kind }) => kind === 'hold' || kind === 'release')
    }
    const held = { kind: 'hold', title: `${what} se retuvo`, at: expect.any(String) }
    const released = { kind: 'release', title: `${what} se liberó` }
    const noted = [
      { label: 'Motivo', value: 'Aclaración en curso' },
      { label: 'Autor' },
      { label: 'Nota', value: NOTE },
    ]
    const freed = [{ label: 'Autor' }, { label: 'Nota', value: 'El banco lo aclaró' }]
    expect(await toldTo(admin)).toMatchObject([
      { ...held, facts: noted },
      { ...released, facts: freed },
      { ...held, facts: noted },
    ])
    const shown = { ...held, facts: [{ label: 'Motivo', value: 'Aclaración en curso' }] }
    for (const client of [own, bank])
      expect(await toldTo(client)).toMatchObject([shown, { ...released, facts: [] }, shown])
  }
})

const dueOf = (id: number) =>
  server.db.selectFrom('commission_entry').select('due_on').where('id', '=', id).executeTakeFirstOrThrow()

test('what is released after its period was paid goes into the next', async () => {
  const { ids } = await makePair(server.db)
  const earned_at = `${addDays(today, -40)}T18:00:00Z`
  const held = await makeEntry(server.db, ids, { amount: '500.00', earned_at })
  await makeEntry(server.db, ids, { amount: '80.00', earned_at })
  await ok(hold(held.id))
  const form = { ...paymentForm(ids.relationship_id), total_amount: '500.00' }
  const past = { period_start: addDays(today, -60), period_end: addDays(today, -30) }
  const paid = { ...form, ...past, total_amount: '80.00', payment_status: 'paid' }
  expect(await ok(admin.post('/api/v1/payments/', paid))).toMatchObject({ entries_amount: '80.00' })
  await ok(release(held.id))
  expect(await dueOf(held.id)).toEqual({ due_on: today })
  const next = { ...form, period_start: addDays(today, -29), period_end: today }
  expect(await ok(admin.post('/api/v1/payments/', next))).toMatchObject({ entries_amount: '500.00' })
})

test('what is released keeps a later day, also while it waits for its approval', async () => {
  const { ids } = await makePair(server.db)
  for (const due_on of [addDays(today, 20), 'infinity']) {
    const entry = await makeEntry(server.db, ids, { due_on })
    const before = await dueOf(entry.id)
    await ok(hold(entry.id))
    await ok(release(entry.id))
    expect(await dueOf(entry.id)).toEqual(before)
    expect(before).not.toEqual({ due_on: today })
  }
})

test('what waits for an approval and is held is told apart, as its affiliate has it', async () => {
  const { ids, issuer, affiliate } = await makePair(server.db)
  const [held] = [
    await makeEntry(server.db, ids, { amount: '500.00', due_on: 'infinity' }),
    await makeEntry(server.db, ids, { amount: '80.00', due_on: 'infinity' }),
  ]
  await ok(hold(held.id))
  const owner = await server.as({ role: 'issuer', issuerId: issuer.id })
  const waiting = await ok<WaitingPage>(owner.get('/api/v1/commission-entries/waiting/'))
  expect(waiting).toMatchObject({ amount: '580.00', held: 1, held_amount: '500.00' })
  expect(waiting.results.map(({ is_held }) => is_held)).toEqual([true, false])
  const { attention } = await ok<Summary>(owner.get('/api/v1/figures/summary/'))
  expect(attention?.approvals).toEqual({ count: 2, amount: '580.00', held: 1, held_amount: '500.00' })
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const awaiting = await ok<OwnEntryPage>(own.get('/api/v1/commission-entries/?standing=awaiting'))
  expect(awaiting.amount).toBe('80.00')
})

test('what a payment holds cannot be held, nor can anything twice', async () => {
  const { ids } = await makePair(server.db)
  const entry = await makeEntry(server.db, ids, { amount: '500.00' })
  const [first, second] = await Promise.all([hold(entry.id), hold(entry.id)])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  await ok(release(entry.id))
  expect((await release(entry.id)).json().meta.code).toBe('NOT_HELD')
  await ok(pay(ids.relationship_id, '500.00'))
  const answer = await hold(entry.id)
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'ENTRY_LOCKED'])
  expect((await hold(999_999_999)).status).toBe(404)
  const short = await admin.post(pathOf(entry.id, 'hold'), { reason: 'otro', note: 'corta' })
  expect([short.status, Object.keys(short.json().meta.field_errors)]).toEqual([422, ['note']])
})

test('what is charged back is deducted, and cannot be held', async () => {
  const { client, lead, relationship } = await makeFunnel(server)
  const send = (event_type: string) => ok(client.post(EVENTS, { tracking_id: lead.tracking_id, event_type }))
  await send('aprobado')
  const form = { ...paymentForm(relationship.id), ...period, total_amount: '500.00', payment_status: 'paid' }
  await ok(admin.post('/api/v1/payments/', form))
  await send('rechazado')
  const { id } = await server.db
    .selectFrom('commission_entry')
    .select('id')
    .where('lead_id', '=', lead.id)
    .where('kind', '=', 'reversal')
    .executeTakeFirstOrThrow()
  const answer = await hold(id)
  expect([answer.status, answer.json().meta.code, answer.json().message]).toEqual([
    409,
    'ENTRY_CHARGE',
    CHARGE_NOT_HELD,
  ])
  expect(await previewed(relationship.id)).toBe('0.00')
})

test('a payment and a hold at once: one of them has the commission', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { ids } = await makePair(server.db)
    const entry = await makeEntry(server.db, ids, { amount: '500.00' })
    const [held, paid] = await Promise.all([hold(entry.id), pay(ids.relationship_id, '500.00')])
    const { entries_amount } = paid.json().data
    expect([held.status, entries_amount]).toEqual(held.status === 200 ? [200, '0.00'] : [409, '500.00'])
  }
})

test('a held commission whose lead is rejected and taken back is held still', async () => {
  const funnel = await makeFunnel(server)
  const send = (event_type: string) =>
    ok(funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type }))
  await send('aprobado')
  const find = () =>
    server.db
      .selectFrom('commission_entry')
      .select(['id', 'state', 'is_held'])
      .where('lead_id', '=', funnel.lead.id)
      .executeTakeFirstOrThrow()
  const { id } = await find()
  await ok(hold(id))
  await send('rechazado')
  expect(await find()).toMatchObject({ state: 'reversed', is_held: true })
  await ok(admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, { note: 'El banco lo aclaró' }))
  expect(await find()).toMatchObject({ state: 'accrued', is_held: true })
  await ok(release(id))
  await ok(funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type: 'rechazado', event_id: 'b' }))
  expect((await hold(id)).json().meta.code).toBe('ENTRY_REJECTED')
  await ok(admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, { note: 'El banco lo aclaró' }))
  await ok(hold(id))
  expect(await previewed(funnel.relationship.id)).toBe('0.00')
})

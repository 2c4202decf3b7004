import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import { PAIR_CHANGED } from '#contract/relationships.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeAdjustment, makeEntry } from '#db/factories.ts'
import { paymentForm } from '../payments/testing.ts'
import {
  makeAffiliate,
  makePair,
  makeProduct,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
  untilLockWait,
} from '../testing.ts'
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

const PATH = '/api/v1/adjustments/'
const today = dateInMexico()
const NOTE = 'Bono por meta de volumen'
const PERIOD = { period_start: addDays(today, -5), period_end: today }

const create = (relationship: number, form: object = {}) =>
  admin.post(PATH, { relationship, kind: 'bonus', amount: '250', note: NOTE, ...form })
const codeOf = (answer: TestAnswer) => [answer.status, answer.json().meta.code]

async function preview(relationship: number): Promise<PaymentPreview> {
  const query = new URLSearchParams({ relationship: String(relationship), ...PERIOD })
  return (await admin.get(`/api/v1/payments/preview/?${query}`)).json().data
}

/** Pays what the preview offers. */
async function pay(relationship: number, form: object = {}) {
  const { total_leads, total_conversions, total_amount, entries_amount, upto } = await preview(relationship)
  const calculated = { total_leads, total_conversions, total_amount, entries_amount, upto }
  const body = { ...paymentForm(relationship), ...PERIOD, ...calculated, payment_status: 'paid', ...form }
  return (await admin.post('/api/v1/payments/', body)).json().data
}

test('a bonus and a charge are paid like commissions, and all three read why', async () => {
  const { ids, relationship, affiliate, issuer, product } = await makePair(server.db)
  await makeEntry(server.db, ids, { amount: '500.00' })
  const made = await create(relationship.id, { product_id: product.id })
  expect(made.status).toBe(201)
  expect(made.json().data).toMatchObject({
    kind: 'bonus',
    amount: '250.00',
    state: 'accrued',
    due_on: today,
    note: NOTE,
  })
  await create(relationship.id, { kind: 'adjustment', amount: '-100.5', note: 'Comisión pagada dos veces' })
  const shown = await preview(relationship.id)
  expect(shown).toMatchObject({ total_amount: '649.50', total_conversions: 1 })
  expect(shown.entries.results.map(({ kind, step_name, lead_id }) => [kind, step_name, lead_id === null])).toEqual([
    ['commission', expect.any(String), false],
    ['bonus', 'Bono', true],
    ['adjustment', 'Ajuste', true],
  ])
  const payment = await pay(relationship.id)
  expect(payment).toMatchObject({ total_amount: '649.50', adjustment: '0.00' })
  for (const actor of [
    { role: 'issuer' as const, issuerId: issuer.id },
    { role: 'affiliate' as const, affiliateId: affiliate.id },
  ]) {
    const client = await server.as(actor)
    const { results } = (await client.get(`/api/v1/payments/${payment.id}/entries/`)).json().data
    expect(results.map(({ note, state }: { note: string | null; state: string }) => [note, state])).toEqual([
      [null, 'paid'],
      [NOTE, 'paid'],
      ['Comisión pagada dos veces', 'paid'],
    ])
    const bonus = results[1].id
    const explained = (await client.get(`/api/v1/explain/entry/${bonus}/`)).json().data
    expect(explained.sentence).toContain(NOTE)
    expect(explained.nodes.map(({ kind }: { kind: string }) => kind)).toEqual(['entry', 'payment'])
    const found = (await client.get(`/api/v1/explain/?q=${bonus}`)).json().data
    expect(found).toContainEqual({ kind: 'entry', id: bonus, title: `Bono ${bonus}: ${NOTE}`, amount: '250.00' })
    const parts = (await client.get(`/api/v1/explain/payment/${payment.id}/`)).json().data.parts
    expect(parts.map(({ amount }: { amount: string }) => amount)).toEqual(['500.00', '250.00', '-100.50'])
  }
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  expect((await own.get('/api/v1/commission-entries/')).json().data).toMatchObject({ amount: '649.50' })
})

test('the boards count what is of no product, and say so', async () => {
  const { ids, relationship, issuer, product } = await makePair(server.db)
  await makeEntry(server.db, ids, { amount: '500.00' })
  await create(relationship.id)
  await create(relationship.id, { product_id: product.id, amount: '30' })
  const client = await server.as({ role: 'issuer', issuerId: issuer.id })
  const { totals, products } = (
    await client.get(`/api/v1/figures/reports/commissions/?from=${addDays(today, -3)}&to=${today}`)
  ).json().data
  expect(totals).toMatchObject({ accrued: '780.00', earned: '780.00' })
  expect(
    products.map(({ id, name, earned }: { id: number; name: string; earned: string }) => [id, name, earned]),
  ).toEqual([
    [product.id, product.name, '530.00'],
    [0, 'Sin producto', '250.00'],
  ])
  const network = (
    await admin.get(`/api/v1/figures/reports/network/?from=${addDays(today, -3)}&to=${today}&issuer_id=${issuer.id}`)
  ).json().data
  expect(network.totals.commission).toBe('780.00')
})

test.each([
  ['a bonus of nothing', { amount: '0' }, 'El bono debe ser mayor que cero'],
  ['a bonus below nothing', { amount: '-5' }, 'El bono debe ser mayor que cero'],
  ['an adjustment of nothing', { kind: 'adjustment', amount: '-0.00' }, 'El ajuste no puede ser cero'],
  ['a third of a centavo', { amount: '1.001' }, 'Formato de monto inválido'],
  ['no reason', { note: 'corto' }, 'Explica por qué (de 10 a 500 caracteres)'],
  ['a day that is over', { due_on: addDays(today, -1) }, 'La fecha no puede ser anterior a hoy'],
  ['nobody', { relationship: 999_999 }, 'Debe seleccionar una relación'],
])('is not written: %s', async (_, form, message) => {
  const { relationship } = await makePair(server.db)
  const answer = await create(relationship.id, form)
  expect([answer.status, answer.json().message]).toEqual([422, message])
  expect((await admin.get(`${PATH}?issuer_id=${relationship.issuer_id}`)).json().data.results).toEqual([])
})

test('a request that is sent again, as its answer was lost, writes nothing twice', async () => {
  const { relationship, affiliate, issuer, ids } = await makePair(server.db)
  const key = `bono-${relationship.id}`
  const pair = { affiliate: affiliate.id, issuer: issuer.id }
  const form = { relationship: relationship.id, kind: 'bonus', amount: '250', note: NOTE, due_on: addDays(today, 1) }
  const body = { ...form, pair }
  const send = (changes: object = {}, client = admin) =>
    client.post(PATH, { ...body, ...changes }, { headers: { 'idempotency-key': key } })
  /** As if the process had ended before it could store the answer. */
  const lose = () =>
    server.db
      .updateTable('idempotency')
      .set({ status: null, body: null, created_at: new Date(Date.now() - 61_000) })
      .where('key', '=', key)
      .execute()
  const first = await send()
  await lose()
  const again = await send()
  expect([again.status, again.json().data]).toEqual([201, first.json().data])
  for (const changes of [{ amount: '260' }, { note: 'Otro motivo de otro bono' }, { due_on: null }]) {
    await lose()
    expect(codeOf(await send(changes))).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  }
  // While the first one is still at work, after its caller has been told that it takes too long.
  await server.db.deleteFrom('idempotency').where('key', '=', key).execute()
  expect((await Promise.all([send(), send()])).map(({ status }) => status)).toContain(201)
  const listed = async () => (await admin.get(`${PATH}?issuer_id=${ids.issuer_id}`)).json().data.results
  expect(await listed()).toMatchObject([{ id: first.json().data.id }])
  const trail = server.db.selectFrom('audit_entry').where('entity', '=', 'adjustment')
  const written = await trail.where('entity_id', '=', first.json().data.id).select('action').execute()
  expect(written).toEqual([{ action: 'create' }])
  expect((await send({}, await server.as({ role: 'admin' }))).status).toBe(201)
  expect(await listed()).toHaveLength(2)
  // The relationship went to another pair meanwhile.
  const { id: affiliate_id } = await makeAffiliate(server.db)
  await server.db.updateTable('relationship').set({ affiliate_id }).where('id', '=', relationship.id).execute()
  await lose()
  const late = await send()
  expect([late.status, late.json().data]).toEqual([201, first.json().data])
  await lose()
  const ofOther = await send({ pair: { affiliate: affiliate_id, issuer: issuer.id } })
  expect(codeOf(ofOther)).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
})

test('one that is sent before midnight and written after it is due no earlier than it is earned', async () => {
  const { relationship } = await makePair(server.db)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  const made = await create(relationship.id, { due_on: addDays(today, -1) }).finally(() => vi.useRealTimers())
  expect([made.status, made.json().data.due_on]).toEqual([201, today])
})

test('a card number in the note of a bonus, and of what voids it, is kept nowhere', async () => {
  const { relationship } = await makePair(server.db)
  const made = (await create(relationship.id, { note: 'Se depositó a la 4111111111111111' })).json().data
  expect(made.note).toBe('Se depositó a la [tarjeta omitida]')
  const voided = await admin.post(`${PATH}${made.id}/void/`, { note: 'No era la 4111111111111111' })
  expect(voided.json().data.reason).toBe('No era la [tarjeta omitida]')
  const trail = server.db.selectFrom('audit_entry').select('changes').where('entity', '=', 'adjustment')
  const told = await trail.where('entity_id', '=', made.id).execute()
  expect(JSON.stringify(told)).not.toContain('4111')
})

test('a relationship that goes to another pair takes no movement along that was written for the old one', async () => {
  const { relationship, affiliate, issuer, ids } = await makePair(server.db)
  const next = await makeAffiliate(server.db)
  const pair = { affiliate: affiliate.id, issuer: issuer.id }
  const moved = server.db.transaction().execute(async (tx) => {
    await tx.updateTable('relationship').set({ affiliate_id: next.id }).where('id', '=', relationship.id).execute()
    const writing = create(relationship.id, { pair })
    await untilLockWait(server.db)
    return { writing }
  })
  const refused = await (await moved).writing
  expect(codeOf(refused)).toEqual([409, 'PAIR_CHANGED'])
  expect(refused.json().meta.field_errors).toEqual({ relationship: [PAIR_CHANGED] })
  expect((await admin.get(`${PATH}?issuer_id=${ids.issuer_id}`)).json().data.results).toEqual([])
  const made = await create(relationship.id, { pair: { ...pair, affiliate: next.id } })
  expect(made.json().data).toMatchObject({ affiliate: next.id, amount: '250.00' })
})

test('a product of another issuer is refused', async () => {
  const { relationship } = await makePair(server.db)
  const other = await makeProduct(server.db, { issuer_id: (await makePair(server.db)).issuer.id })
  const answer = await create(relationship.id, { product_id: other.id })
  expect(answer.json().meta.field_errors).toEqual({ product_id: ['El producto no es de ese emisor'] })
})

test('what is dated ahead waits for its day', async () => {
  const { relationship } = await makePair(server.db)
  await create(relationship.id, { due_on: addDays(today, 3) })
  expect(await preview(relationship.id)).toMatchObject({ total_amount: '0.00', upto: 0 })
})

test('it is voided while it is free, once, with a reason; not inside a payment', async () => {
  const { relationship } = await makePair(server.db)
  const { id } = (await create(relationship.id)).json().data
  const voiding = (which = id) => admin.post(`${PATH}${which}/void/`, { note: 'Se capturó dos veces' })
  const answers = await Promise.all([voiding(), voiding(), voiding()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await voiding()).json().meta.code).toBe('ADJUSTMENT_VOIDED')
  expect((await admin.get(`${PATH}?issuer_id=${relationship.issuer_id}`)).json().data).toMatchObject({
    amount: '0.00',
    results: [{ id, state: 'reversed', reason: 'Se capturó dos veces', note: NOTE }],
  })
  const second = (await create(relationship.id)).json().data.id
  await pay(relationship.id)
  expect(codeOf(await voiding(second))).toEqual([409, 'ENTRY_LOCKED'])
})

test('a bonus that is voided and paid at once goes one way', async () => {
  const { relationship } = await makePair(server.db)
  const { id } = (await create(relationship.id)).json().data
  const form = { ...paymentForm(relationship.id), ...PERIOD, total_amount: '250.00', payment_status: 'paid' }
  const [paid, voided] = await Promise.all([
    admin.post('/api/v1/payments/', form),
    admin.post(`${PATH}${id}/void/`, { note: 'Se capturó dos veces' }),
  ])
  const { results } = (await admin.get(`${PATH}?issuer_id=${relationship.issuer_id}`)).json().data
  const [entry] = results.filter((row: { id: number }) => row.id === id)
  expect(entry.state).toBe(voided.status === 200 ? 'reversed' : 'paid')
  expect(paid.json().data.adjustment).toBe(voided.status === 200 ? '250.00' : '0.00')
})

test('the difference of a payment is an entry that follows it and nothing else changes', async () => {
  const { ids, relationship } = await makePair(server.db)
  await makeEntry(server.db, ids, { amount: '500.00' })
  const payment = await pay(relationship.id, {
    ...{ total_amount: '620.00', adjustment_reason: 'Bono acordado', payment_status: 'pending' },
  })
  const listed = async () => (await admin.get(`${PATH}?issuer_id=${ids.issuer_id}`)).json().data
  const change = (changes: object) => admin.put(`/api/v1/payments/${payment.id}/`, changes)
  const first = (await listed()).results[0]
  expect(first).toMatchObject({ of_payment: payment.id, amount: '120.00', note: 'Bono acordado', state: 'in_payment' })
  expect(first.author_name).not.toBeNull()
  expect(codeOf(await admin.post(`${PATH}${first.id}/void/`, { note: 'Se capturó dos veces' }))).toEqual([
    409,
    'ADJUSTMENT_OF_PAYMENT',
  ])
  await change({ adjustment_reason: 'Bono de octubre' })
  expect((await listed()).results).toMatchObject([{ id: first.id, note: 'Bono de octubre' }])
  await change({ payment_status: 'paid' })
  expect((await listed()).results).toMatchObject([{ id: first.id, state: 'paid' }])
  await change({ payment_status: 'pending' })
  await change({ total_amount: '480.00', payment_status: 'paid', adjustment_reason: 'Era otro bono' })
  expect(await listed()).toMatchObject({
    amount: '-20.00',
    results: [
      { amount: '-20.00', state: 'paid' },
      { id: first.id, amount: '120.00', state: 'reversed', reason: 'El monto del pago cambió' },
    ],
  })
  await change({ payment_status: 'cancelled', cancel_reason: 'Se repite el pago' })
  expect(await listed()).toMatchObject({ amount: '0.00' })
})

test('a company sees its own, without who wrote it; an affiliate has its commissions', async () => {
  const [one, other] = [await makePair(server.db), await makePair(server.db)]
  await makeAdjustment(server.db, one.ids)
  const mine = await server.as({ role: 'issuer', issuerId: one.issuer.id })
  const stranger = await server.as({ role: 'issuer', issuerId: other.issuer.id })
  expect((await mine.get(PATH)).json().data.results).toMatchObject([{ amount: '250.00', author_name: null }])
  expect((await stranger.get(PATH)).json().data.results).toEqual([])
  expect((await stranger.get(`${PATH}?issuer_id=${one.issuer.id}`)).json().data.results).toEqual([])
  expect((await (await server.as({ role: 'affiliate', affiliateId: one.affiliate.id })).get(PATH)).status).toBe(403)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import { dateInMexico } from '#contract/time.ts'
import { makeEntry, reverseEntry } from '#db/factories.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { makePair, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'
import { expectConserved } from '../totals/testing.ts'
import { entriesIn, paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(async () => {
  await expectConserved(server.db)
  await server.stop()
})

const MARCH = { period_start: '2025-03-01', period_end: '2025-03-31' }
const APRIL = { period_start: '2025-04-01', period_end: '2025-04-30' }
const create = (form: object) => admin.post('/api/v1/payments/', form)
const put = (id: number, changes: object) => admin.put(`/api/v1/payments/${id}/`, changes)
const get = async (id: number) => (await admin.get(`/api/v1/payments/${id}/`)).json().data
const refusalOf = (answer: TestAnswer) => [answer.status, answer.json().meta.code, answer.json().message]

async function preview(relationship: number, period: typeof MARCH, payment?: number): Promise<PaymentPreview> {
  const query = { relationship: String(relationship), ...period, ...(payment && { payment: String(payment) }) }
  const answer = await admin.get(`/api/v1/payments/preview/?${new URLSearchParams(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

/** What the form sends after 'Calcular'. */
const calculated = ({ total_leads, total_conversions, total_amount, entries_amount, upto }: PaymentPreview) => ({
  total_leads,
  total_conversions,
  total_amount,
  entries_amount,
  upto,
})

async function makeBooks() {
  const pair = await makePair(server.db)
  const earn = (amount: string, day: string) =>
    makeEntry(server.db, pair.ids, { amount, earned_at: `2025-${day}T18:00:00Z` })
  /** A rejection's negative entry. */
  const takeBack = (entry: { id: number; lead_id: number; amount: string }, day: string) =>
    makeEntry(server.db, pair.ids, {
      amount: `-${entry.amount}`,
      reversal_of: entry.id,
      lead_id: entry.lead_id,
      earned_at: `2025-${day}T18:00:00Z`,
    })
  const reverse = (entry: { id: number; lead_id: number }) => reverseEntry(server.db, pair.ids, entry)
  const { id } = pair.relationship
  return { ...pair, earn, takeBack, reverse, id, form: paymentForm(id) }
}

test('what is earned between calculating and saving is neither taken nor lost', async () => {
  const { earn, id, form } = await makeBooks()
  const first = await earn('500.00', '03-10')
  const before = await preview(id, MARCH)
  expect(before).toMatchObject({ total_amount: '500.00', entries_amount: '500.00', upto: first.id })
  const late = await earn('500.00', '03-31')
  const saved = await create({ ...form, ...calculated(before), payment_status: 'paid' })
  expect(saved.json().data).toMatchObject({ total_amount: '500.00', entries_amount: '500.00', adjustment: '0.00' })
  expect(saved.json().meta.warnings).toEqual(['ENTRIES_LEFT'])
  expect(await entriesIn(server.db, saved.json().data.id)).toEqual([{ id: first.id, state: 'paid' }])
  const next = await preview(id, { ...MARCH, period_start: '2025-03-02' })
  expect(next).toMatchObject({ total_amount: '500.00', upto: late.id })
})

test('a calculation that is no longer true is refused with the sum of now, and nothing is saved', async () => {
  const { earn, reverse, id, form } = await makeBooks()
  await earn('500.00', '03-10')
  const second = await earn('300.00', '03-11')
  const before = await preview(id, MARCH)
  await reverse(second)
  const answer = await create({ ...form, ...calculated(before) })
  expect(refusalOf(answer)).toEqual([
    409,
    'PREVIEW_STALE',
    'Las comisiones cambiaron desde que calculaste: sumaban $800.00 y ahora suman $500.00. Calcula de nuevo.',
  ])
  expect(answer.json().meta.sums).toEqual({ calculated_amount: '800.00', entries_amount: '500.00' })
  expect((await admin.get(`/api/v1/payments/?relationship=${id}`)).json().data).toEqual([])
  expect((await create({ ...form, ...calculated(await preview(id, MARCH)) })).status).toBe(201)
})

test('ten who save one calculation for overlapping periods at once: one holds it, the others calculate again', async () => {
  const { earn, id, form } = await makeBooks()
  await earn('500.00', '03-10')
  await earn('300.00', '03-11')
  const seen = calculated(await preview(id, MARCH))
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, day) => create({ ...form, ...seen, period_end: `2025-03-${20 + day}` })),
  )
  const codes = answers.map((answer) => answer.json().meta.code ?? answer.status)
  expect(codes.sort()).toEqual([201, ...Array(9).fill('PREVIEW_STALE')])
})

test('a calculation is sent whole', async () => {
  const { form } = await makeBooks()
  const missing = 'Envía juntas la suma y la última comisión del cálculo'
  for (const [part, field] of [
    [{ upto: 7 }, 'entries_amount'],
    [{ entries_amount: '5.00' }, 'upto'],
  ] as const)
    expect((await create({ ...form, ...part })).json().meta.field_errors).toEqual({ [field]: [missing] })
  expect((await create({ ...form, entries_amount: '5', upto: -1 })).status).toBe(422)
})

test.each([
  ['all of them', '1600.00', ['500.00', '300.00', '800.00']],
  ['more than they are', '1700.00', ['500.00', '300.00', '800.00']],
  ['the oldest two', '800.00', ['500.00', '300.00']],
  ['less than the third', '1599.99', ['500.00', '300.00']],
  ['less than the oldest', '499.99', []],
  ['nothing', '0', []],
])('a total typed without a calculation pays the oldest commissions that it covers: %s', async (_, total, paid) => {
  const { earn, form } = await makeBooks()
  for (const amount of ['500.00', '300.00', '800.00']) await earn(amount, '03-10')
  const answer = await create({ ...form, total_amount: total, payment_status: 'paid' })
  expect(answer.status).toBe(201)
  const { results } = (await admin.get(`/api/v1/payments/${answer.json().data.id}/entries/`)).json().data
  expect(results.map(({ amount }: { amount: string }) => amount)).toEqual(paid)
  expect(Number(answer.json().data.adjustment)).toBeGreaterThanOrEqual(0)
  expect(answer.json().meta.warnings).toEqual(paid.length === 3 ? undefined : ['ENTRIES_LEFT'])
})

test('a rejection between making a payment and paying it stops the payment until somebody decides', async () => {
  const funnel = await makeFunnel(server)
  const { tracking_id } = funnel.lead
  const send = (event_type: string) => funnel.client.post(EVENTS, { tracking_id, event_type, event_id: event_type })
  await send('aprobado')
  await send('entregado')
  const today = dateInMexico()
  const form = { ...paymentForm(funnel.relationship.id), period_start: '2025-01-01', period_end: today }
  const { id } = (await create({ ...form, total_amount: '1000' })).json().data
  await send('rechazado')
  expect(await get(id)).toMatchObject({ entries_amount: '0.00', calculated_amount: '1000.00', adjustment: '0.00' })
  const refused = await put(id, { payment_status: 'paid' })
  expect(refusalOf(refused)).toEqual([
    409,
    'TOTAL_CHANGED',
    'Las comisiones cambiaron desde que se capturó el monto: sumaban $1,000.00 y ahora suman $0.00. Calcula de nuevo, o explica por qué se paga así.',
  ])
  expect(refused.json().meta.sums).toEqual({ calculated_amount: '1000.00', entries_amount: '0.00' })
  const whole = { ...form, id, total_amount: '1000.00', payment_status: 'paid' }
  for (const insufficient of [
    whole,
    { ...whole, total_amount: '900' },
    { ...whole, entries_amount: '0.00' },
    { ...whole, entries_amount: '0.00', adjustment_reason: '  ' },
    { ...whole, entries_amount: '1000.00', adjustment_reason: 'El banco ya depositó' },
  ])
    expect((await put(id, insufficient)).json().meta.code, JSON.stringify(insufficient)).toBe('TOTAL_CHANGED')
  expect(await get(id)).toMatchObject({ payment_status: 'pending', paid_at: null, total_amount: '1000.00' })
  const reason = 'El banco ya depositó'
  const paid = await put(id, { payment_status: 'paid', entries_amount: '0.00', adjustment_reason: reason })
  expect(paid.json().data).toMatchObject({
    payment_status: 'paid',
    calculated_amount: '0.00',
    adjustment: '1000.00',
    adjustment_reason: reason,
  })
  for (const actor of [
    { role: 'issuer' as const, issuerId: funnel.issuer.id },
    { role: 'affiliate' as const, affiliateId: funnel.affiliate.id },
  ])
    expect((await (await server.as(actor)).get(`/api/v1/payments/${id}/`)).json().data).toMatchObject({
      adjustment: '1000.00',
      adjustment_reason: reason,
    })
  expect((await trailOf(id)).at(-1)).toMatchObject({
    payment_status: ['pending', 'paid'],
    adjustment_reason: ['', reason],
    calculated_amount: ['1000.00', '0.00'],
  })
})

test.each([
  ['cancelling it before', [{ payment_status: 'cancelled' }, { payment_status: 'paid' }]],
  ['reopening it before', [{ payment_status: 'cancelled' }, { payment_status: 'pending' }, { payment_status: 'paid' }]],
  ['another period with the status', [{ payment_status: 'paid', period_start: '2025-03-02' }]],
  ['another period before', [{ period_start: '2025-03-02' }, { payment_status: 'paid' }]],
])('a payment whose commissions changed is not paid without a word by %s', async (_, steps) => {
  const { earn, reverse, id: relationship, form } = await makeBooks()
  const earned = await earn('500.00', '03-10')
  const { id } = (await create({ ...form, ...calculated(await preview(relationship, MARCH)) })).json().data
  await reverse(earned)
  for (const step of steps.slice(0, -1)) expect((await put(id, step)).status).toBe(200)
  const last = steps.at(-1) as object
  expect((await put(id, last)).json().meta).toMatchObject({
    code: 'TOTAL_CHANGED',
    sums: { calculated_amount: '500.00', entries_amount: '0.00' },
  })
  const said = await put(id, { ...last, entries_amount: '0.00', adjustment_reason: 'Ya estaba depositado' })
  expect(said.json().data).toMatchObject({ payment_status: 'paid', calculated_amount: '0.00', adjustment: '500.00' })
})

const trailOf = async (id: number) =>
  (
    await server.db
      .selectFrom('audit_entry')
      .select('changes')
      .where('entity', '=', 'payment')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ changes }) => changes)

test('a total that is typed anew after a rejection is typed against the sum of now', async () => {
  const { earn, reverse, form } = await makeBooks()
  const [first] = [await earn('200.00', '03-10'), await earn('200.00', '03-11')]
  const { id } = (await create({ ...form, total_amount: '400.00' })).json().data
  await reverse(first)
  const typed = await put(id, { total_amount: '200.00' })
  expect(typed.json().data).toMatchObject({ entries_amount: '200.00', calculated_amount: '200.00', adjustment: '0.00' })
  const added = await put(id, { total_amount: '230.00', adjustment_reason: 'Bono acordado' })
  expect(added.json().data).toMatchObject({ entries_amount: '200.00', adjustment: '30.00' })
  expect((await put(id, { payment_status: 'paid' })).json().data).toMatchObject({
    total_amount: '230.00',
    adjustment: '30.00',
  })
})

test('calculated again, a payment whose commissions changed is paid without more words', async () => {
  const { earn, reverse, id, form } = await makeBooks()
  await earn('500.00', '03-10')
  const second = await earn('300.00', '03-11')
  const payment = (await create({ ...form, ...calculated(await preview(id, MARCH)) })).json().data
  await reverse(second)
  const again = calculated(await preview(id, MARCH, payment.id))
  const paid = await put(payment.id, { ...form, ...again, payment_status: 'paid' })
  expect(paid.json().data).toMatchObject({ total_amount: '500.00', calculated_amount: '500.00', adjustment: '0.00' })
  expect((await admin.get(`/api/v1/payments/${payment.id}/entries/`)).json().data.pagination.count).toBe(2)
})

test('a note, a status or another total never takes commissions that came later', async () => {
  const { earn, form } = await makeBooks()
  const first = await earn('500.00', '03-10')
  const { id } = (await create({ ...form, total_amount: '1000.00' })).json().data
  await earn('500.00', '03-11')
  const held = [{ id: first.id, state: 'in_payment' }]
  for (const changes of [
    { ...form, total_amount: '1000.00', notes: 'Bono de apertura' },
    { payment_status: 'processing' },
    { total_amount: '1000.01' },
  ]) {
    expect((await put(id, changes)).status).toBe(200)
    expect(await entriesIn(server.db, id)).toEqual(held)
  }
  expect((await put(id, { payment_status: 'paid' })).json().data).toMatchObject({ adjustment: '500.01' })
})

test('a balance against the affiliate is taken by no payment and deducted from the next that can bear it', async () => {
  const { earn, takeBack, id, form } = await makeBooks()
  const entry = await earn('1000.00', '02-10')
  const february = { period_start: '2025-02-01', period_end: '2025-02-28' }
  await create({ ...form, ...february, ...calculated(await preview(id, february)), payment_status: 'paid' })
  await earn('300.00', '03-02')
  await takeBack(entry, '03-05')
  const march = await preview(id, MARCH)
  expect(march).toMatchObject({ total_amount: '0.00', entries_amount: '-700.00', total_conversions: 0 })
  for (const amounts of [calculated(march), { total_amount: '0' }, { total_amount: '50' }]) {
    const answer = await create({ ...form, ...amounts, payment_status: 'paid', period_end: nextEnd() })
    expect(answer.json()).toMatchObject({
      data: { entries_amount: '0.00', calculated_amount: '0.00' },
      meta: { warnings: expect.arrayContaining(['BALANCE_CARRIED']) },
    })
  }
  expect(await preview(id, MARCH)).toMatchObject({ entries_amount: '-700.00' })

  await earn('500.00', '04-02')
  const april = await preview(id, APRIL)
  expect(april).toMatchObject({
    total_amount: '0.00',
    entries_amount: '-200.00',
    carried: { entries: 2, amount: '-700.00', since: '2025-03-02' },
    unpaid_before: { entries: 0, amount: '0.00', since: null },
  })
  await earn('900.00', '04-03')
  const enough = await preview(id, APRIL)
  expect(enough).toMatchObject({ total_amount: '700.00', entries_amount: '700.00' })
  const paid = await create({ ...form, ...APRIL, ...calculated(enough), payment_status: 'paid' })
  expect(paid.json().data).toMatchObject({ total_amount: '700.00', entries_amount: '700.00', adjustment: '0.00' })
  expect(await entriesIn(server.db, paid.json().data.id)).toHaveLength(4)
  const may = { period_start: '2025-05-01', period_end: '2025-05-31' }
  expect(await preview(id, may)).toMatchObject({ entries_amount: '0.00', carried: { entries: 0, amount: '0.00' } })
})

let day = 20
const nextEnd = () => {
  day += 1
  return `2025-03-${day}`
}

test('what accrued before without a balance against is announced and left alone', async () => {
  const { earn, id } = await makeBooks()
  await earn('300.00', '03-02')
  expect(await preview(id, APRIL)).toMatchObject({
    entries_amount: '0.00',
    carried: { entries: 0, amount: '0.00', since: null },
    unpaid_before: { entries: 1, amount: '300.00', since: '2025-03-02' },
  })
})

test('a debt of earlier days that a later commission covers does not come back when the calculation is saved', async () => {
  const { earn, takeBack, id, form } = await makeBooks()
  const old = await earn('300.00', '01-10')
  const january = { period_start: '2025-01-01', period_end: '2025-01-31' }
  await create({ ...form, ...january, total_amount: '300', payment_status: 'paid' })
  await takeBack(old, '02-03')
  const march = await earn('500.00', '03-10')
  const late = await earn('400.00', '02-20')
  const seen = await preview(id, MARCH)
  expect(seen).toMatchObject({ entries_amount: '500.00', upto: late.id, unpaid_before: { amount: '100.00' } })
  const saved = await create({ ...form, ...calculated(seen) })
  expect(saved.json().data, saved.text).toMatchObject({ entries_amount: '500.00', adjustment: '0.00' })
  expect(await entriesIn(server.db, saved.json().data.id)).toEqual([{ id: march.id, state: 'in_payment' }])
})

test('a payment whose commissions turned negative lets them go when it is paid as it stands', async () => {
  const { earn, takeBack, reverse, id, form } = await makeBooks()
  const old = await earn('400.00', '02-10')
  await create({
    ...form,
    period_start: '2025-02-01',
    period_end: '2025-02-28',
    total_amount: '400',
    payment_status: 'paid',
  })
  await takeBack(old, '03-03')
  const good = await earn('500.00', '03-10')
  const payment = (await create({ ...form, ...calculated(await preview(id, MARCH)) })).json().data
  expect(payment).toMatchObject({ total_amount: '100.00', entries_amount: '100.00' })
  await reverse(good)
  const named = { payment_status: 'paid', entries_amount: '-400.00', adjustment_reason: 'Ya se había transferido' }
  expect((await put(payment.id, named)).json()).toMatchObject({
    data: { entries_amount: '0.00', adjustment: '100.00' },
    meta: { warnings: ['BALANCE_CARRIED'] },
  })
  expect(await preview(id, APRIL)).toMatchObject({ carried: { amount: '-400.00' } })
})

test('what was paid once is never deleted, whatever its status became', async () => {
  const { earn, form, issuer, affiliate } = await makeBooks()
  await earn('500.00', '03-10')
  const { id } = (await create({ ...form, total_amount: '500', payment_status: 'paid' })).json().data
  const refusal = [
    409,
    'PAYMENT_PAID',
    'Este pago ya se pagó y no se elimina: su historia se conserva. Si fue un error, cancélalo y di por qué.',
  ]
  const remove = () => admin.delete(`/api/v1/payments/${id}/`)
  expect(refusalOf(await remove())).toEqual(refusal)
  await put(id, { payment_status: 'pending' })
  expect(refusalOf(await remove())).toEqual(refusal)
  for (const cancel_reason of [undefined, '', '   ']) {
    const silent = await put(id, { payment_status: 'cancelled', cancel_reason })
    expect([silent.status, silent.json().meta.field_errors]).toEqual([
      422,
      { cancel_reason: ['Explica por qué se cancela un pago que ya se pagó'] },
    ])
  }
  const why = 'El banco devolvió la transferencia'
  expect((await put(id, { payment_status: 'cancelled', cancel_reason: why })).status).toBe(200)
  expect(refusalOf(await remove())).toEqual(refusal)
  for (const actor of [
    { role: 'issuer' as const, issuerId: issuer.id },
    { role: 'affiliate' as const, affiliateId: affiliate.id },
  ]) {
    const client = await server.as(actor)
    expect((await client.get('/api/v1/payments/')).json().data).toMatchObject([{ id, cancel_reason: why }])
    const file = await client.get('/api/v1/exports/payments/?format=csv')
    expect(file.text).toContain(why)
  }
  expect((await trailOf(id)).at(-1)).toMatchObject({ cancel_reason: ['', why] })
  const back = (await put(id, { payment_status: 'pending' })).json().data
  expect(back).toMatchObject({ cancel_reason: '', paid_at: expect.any(String), entries_amount: '500.00' })
})

test('a total as large as its commissions can be saved', async () => {
  const { earn, id, form } = await makeBooks()
  for (const day of ['03-10', '03-11']) await earn('9999999999.99', day)
  const saved = await create({ ...form, ...calculated(await preview(id, MARCH)) })
  expect(saved.json().data).toMatchObject({ total_amount: '19999999999.98' })
})

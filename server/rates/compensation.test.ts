import { afterAll, beforeAll, expect, test } from 'vitest'
import { CANCELLED_BY_ADMIN } from '#contract/rates.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { entriesOf, type Funnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import {
  makeAffiliate,
  makeIssuer,
  makeLead,
  makeRelationship,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'
import {
  compensateRate,
  earn,
  inMs,
  type LeadRow,
  listAdjustments,
  makeEarned as makeEarnedOn,
  NOTE,
  previewRate,
  RATES,
  sinceToday as since,
} from './testing.ts'

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

const today = dateInMexico()
const makeEarned = (leads: number) => makeEarnedOn(server, leads)
const preview = (body: object) => previewRate(admin, body)
const compensate = (body: object) => compensateRate(admin, body)
const adjustmentsOf = (funnel: Funnel) => listAdjustments(server, funnel)
const amountsOf = async (funnel: Funnel) =>
  (await adjustmentsOf(funnel)).map(({ amount, state }) => `${amount} ${state}`)
const entryOf = async ({ id }: LeadRow) => (await entriesOf(server, id))[0]

async function pay({ relationship }: Funnel): Promise<number> {
  const period = { period_start: addDays(today, -1), period_end: today }
  const asked = `relationship=${relationship.id}&period_start=${period.period_start}&period_end=${today}`
  const { total_amount } = (await admin.get(`/api/v1/payments/preview/?${asked}`)).json().data
  const form = { ...paymentForm(relationship.id), ...period, total_amount, payment_status: 'paid' }
  const answer = await admin.post('/api/v1/payments/', form)
  expect(answer.status, answer.text).toBe(201)
  return answer.json().data.id
}

test('one adjustment for each commission that stands, paid ones too, shown first, written with the rate', async () => {
  const { funnel, change, earned } = await makeEarned(3)
  const paid = await pay(funnel)
  const [free] = [await earn(funnel, await makeLead(server.db, funnel.ids))]
  const [, , taken] = earned
  await admin.post(`/api/v1/leads/${taken?.id}/reject/`, { reason_code: 'fraude' })
  const before = await Promise.all([...earned, free].map(entryOf))
  const body = change('600')
  expect(await preview(body)).toMatchObject({ compensation: { entries: 3, paid: 2, amount: '300.00' } })
  expect(await amountsOf(funnel)).toEqual([])
  await compensate(body)
  const made = await adjustmentsOf(funnel)
  expect(made.map(({ compensates }) => compensates)).toEqual(
    [earned[0], earned[1], free].map((lead) => before.find((entry) => entry?.lead_id === lead?.id)?.id),
  )
  expect(made).toMatchObject(
    [1, 2, 3].map(() => ({
      amount: '100.00',
      state: 'accrued',
      note: NOTE,
      due_on: today,
      product_id: funnel.product.id,
    })),
  )
  expect(made.every(({ author_id }) => author_id !== null)).toBe(true)
  // Nothing that was earned or paid is rewritten.
  expect(await Promise.all([...earned, free].map(entryOf))).toEqual(before)
  expect((await admin.get(`/api/v1/payments/${paid}/`)).json().data.total_amount).toBe('1500.00')
  const [trail] = (await admin.get('/api/v1/audit/?entity=commission')).json().data.results
  expect(trail).toMatchObject({ action: 'compensate', changes: { entries: [null, 3], amount: [null, '300.00'] } })
})

test('its affiliate and issuer read each as any adjustment, and whence it comes', async () => {
  const { funnel, change, earned } = await makeEarned(1)
  await compensate(change('650'))
  const [made] = await adjustmentsOf(funnel)
  const affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const own = (await affiliate.get('/api/v1/commission-entries/')).json().data.results
  expect(own).toContainEqual(expect.objectContaining({ id: made?.id, amount: '150.00', note: NOTE }))
  expect((await issuer.get('/api/v1/adjustments/')).json().data.results).toMatchObject([{ id: made?.id, note: NOTE }])
  for (const client of [admin, issuer, affiliate]) {
    const whole = (await client.get(`/api/v1/explain/entry/${made?.id}/`)).json().data
    expect(whole.nodes[0]).toMatchObject({
      title: `Compensa la comisión ${(await entryOf(earned[0] as LeadRow))?.id} del lead ${earned[0]?.id}`,
      amount: '500.00',
      link: { kind: 'lead', id: earned[0]?.id },
    })
  }
  expect((await affiliate.get(`/api/v1/explain/entry/${made?.id}/`)).text).not.toContain('Autor')
})

test('never twice: another rate adds what is missing to it, and what has its amount already gets nothing', async () => {
  const { funnel, change } = await makeEarned(1)
  await compensate(change('600', 60_000))
  expect((await preview(change('600', 120_000))).compensation).toEqual({ entries: 0, paid: 0, amount: '0.00', held: 0 })
  await compensate(change('700', 120_000))
  await compensate(change('450', 180_000))
  expect(await amountsOf(funnel)).toEqual(['100.00 accrued', '100.00 accrued', '-250.00 accrued'])
  const asked = { ...change('800', 240_000), compensation: { ...since, note: NOTE, entries: 1, amount: '350.00' } }
  const answers = await Promise.all([1, 2, 3].map(() => admin.post(RATES, asked)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(await amountsOf(funnel)).toHaveLength(4)
})

test('what is no longer as it was shown is refused whole, with its rate', async () => {
  const { funnel, change } = await makeEarned(1)
  const body = { ...change('600'), compensation: { ...since, note: NOTE, entries: 1, amount: '100.00' } }
  await earn(funnel, await makeLead(server.db, funnel.ids))
  const answer = await admin.post(RATES, body)
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'COMPENSATION_STALE'])
  expect(await amountsOf(funnel)).toEqual([])
  expect((await admin.get(`/api/v1/payouts/${funnel.commission.id}/`)).json().data.next).toBeNull()
})

test('only what the change replaces: not another step, not who has an amount of their own, not before the day', async () => {
  const { funnel, owner, change } = await makeEarned(0)
  const { product, steps, issuer, ids } = funnel
  await admin.post(RATES, { ...owner, event_step_id: steps.entregado.id, amount: '900' })
  const lead = await makeLead(server.db, ids)
  await earn(funnel, lead)
  await earn(funnel, lead, 'entregado')
  expect((await preview(change('600'))).compensation).toMatchObject({ entries: 1, amount: '100.00' })
  const ofStep = { ...change('950'), event_step_id: steps.entregado.id }
  expect((await preview(ofStep)).compensation).toMatchObject({ entries: 1, amount: '50.00' })
  const other = await makeAffiliate(server.db)
  const relationship = await makeRelationship(server.db, { affiliate_id: other.id, issuer_id: issuer.id })
  const theirs = { ...ids, affiliate_id: other.id, relationship_id: relationship.id }
  await admin.post(RATES, { product_id: product.id, amount: '300' })
  await earn(funnel, await makeLead(server.db, theirs))
  const general = { product_id: product.id, amount: '320', valid_from: inMs(60_000) }
  await compensate(general)
  expect(await adjustmentsOf(funnel)).toMatchObject([{ affiliate_id: other.id, amount: '20.00' }])
  const yesterday = addDays(today, -1)
  const past = { earned_at: `${yesterday}T12:00:00-06:00`, due_on: yesterday, validation_ends_on: yesterday }
  await server.db
    .updateTable('rate')
    .set({ valid_from: '2025-01-01T00:00:00Z' })
    .where('product_id', '=', product.id)
    .execute()
  await server.db.updateTable('commission_entry').set(past).where('lead_id', '=', lead.id).execute()
  expect((await preview(change('600'))).compensation?.entries).toBe(0)
})

test('what waits is compensated when it can be paid; a change that is cancelled takes its adjustments with it', async () => {
  const { funnel, change } = await makeEarned(0)
  const term = {
    relationship_id: funnel.relationship.id,
    valid_from: today,
    validation: 'automatic',
    validation_days: 10,
  }
  expect((await admin.post('/api/v1/terms/', term)).status).toBe(201)
  await earn(funnel, await makeLead(server.db, funnel.ids))
  const { id } = await compensate(change('600'))
  expect(await adjustmentsOf(funnel)).toMatchObject([{ due_on: addDays(today, 10) }])
  expect((await admin.post(`${RATES}${id}/cancel/`)).status).toBe(200)
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed'])
  // The same amount again is another change.
  await compensate(change('600'))
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed', '100.00 accrued'])
})

test('an issuer does not cancel a change that takes adjustments with it', async () => {
  const { funnel, change, earned } = await makeEarned(1)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const { id } = await compensate(change('600'))
  const expectRefused = async () => {
    const answer = await issuer.post(`${RATES}${id}/cancel/`)
    expect([answer.status, answer.json().message]).toEqual([403, CANCELLED_BY_ADMIN])
  }
  await expectRefused()
  await rule(earned[0], 'reject')
  await expectRefused()
  await rule(earned[0], 'restore')
  expect(await amountsOf(funnel)).toEqual(['100.00 accrued'])
  expect((await admin.post(`${RATES}${id}/cancel/`)).status).toBe(200)
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed'])
})

test('a change whose adjustments a payment has is not cancelled', async () => {
  const { funnel, change } = await makeEarned(1)
  const { id } = await compensate(change('600'))
  await pay(funnel)
  expect(await amountsOf(funnel)).toEqual(['100.00 paid'])
  const answer = await admin.post(`${RATES}${id}/cancel/`)
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'COMPENSATED'])
  expect((await admin.get(`/api/v1/payouts/${funnel.commission.id}/`)).json().data.next).toMatchObject({ id })
})

const rule = async (lead: LeadRow | undefined, what: 'reject' | 'restore') => {
  const body = what === 'reject' ? { reason_code: 'fraude' } : { note: 'El banco lo aclaró' }
  const answer = await admin.post(`/api/v1/leads/${lead?.id}/${what}/`, body)
  expect(answer.status, answer.text).toBe(200)
}
const booksOf = async ({ issuer }: Funnel) => {
  const lines = await server.db
    .selectFrom('commission_entry')
    .select(['kind', 'amount', 'state'])
    .where('issuer_id', '=', issuer.id)
    .where('of_payment', 'is', null)
    .orderBy('id')
    .execute()
  return lines.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)
}

test('what compensates a commission goes with its rejection and comes back with its lead', async () => {
  const { funnel, change, earned } = await makeEarned(2)
  await compensate(change('600'))
  await rule(earned[0], 'reject')
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed', '100.00 accrued'])
  await expectConserved(server.db)
  await rule(earned[0], 'restore')
  expect(await amountsOf(funnel)).toEqual(['100.00 accrued', '100.00 accrued'])
  await expectConserved(server.db)
})

test('once it was paid it is answered by its opposite, which is settled like any other; so is one that deducts', async () => {
  const { funnel, change, earned } = await makeEarned(1)
  await compensate(change('600'))
  await compensate(change('450', 120_000))
  await pay(funnel)
  await rule(earned[0], 'reject')
  const paid = ['commission 500.00 paid', 'adjustment 100.00 paid', 'adjustment -150.00 paid']
  const taken = ['reversal -500.00 accrued', 'reversal -100.00 accrued', 'reversal 150.00 accrued']
  expect(await booksOf(funnel)).toEqual([...paid, ...taken])
  await expectConserved(server.db)
  const affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  const own = (await affiliate.get('/api/v1/commission-entries/')).json().data
  expect([own.amount, own.results.map(({ standing }: { standing: string }) => standing).sort()]).toEqual([
    '0.00',
    ['charge', 'charge', 'paid', 'paid', 'paid', 'payable'],
  ])
  const charge = own.results.find(({ amount }: { amount: string }) => amount === '-100.00')
  const [made] = await adjustmentsOf(funnel)
  expect((await affiliate.get(`/api/v1/explain/entry/${charge.id}/`)).json().data).toMatchObject({
    subject: { amount: '-100.00', standing: 'charge' },
    sentence: expect.stringContaining(`reversión del ajuste ${made?.id} de `),
    gaps: [],
  })
  const whole = (await affiliate.get(`/api/v1/explain/entry/${made?.id}/`)).json().data
  expect(whole.nodes.map(({ title }: { title: string }) => title)).toEqual([
    expect.stringContaining('Compensa la comisión'),
    'Ajuste capturado por una persona',
    expect.stringContaining('El ajuste se pagó en el pago'),
    'El ajuste se revirtió con su lead',
  ])
  await rule(earned[0], 'restore')
  expect(await booksOf(funnel)).toEqual([...paid, ...taken.map((line) => line.replace('accrued', 'reversed'))])
  await expectConserved(server.db)
})

test('what was taken back for good does not come back with its lead', async () => {
  const { funnel, change, earned } = await makeEarned(2)
  const { id } = await compensate(change('600'))
  const [first] = await adjustmentsOf(funnel)
  await rule(earned[0], 'reject')
  await rule(earned[1], 'reject')
  // A person takes back what its lead had taken back already.
  const voided = await admin.post(`/api/v1/adjustments/${first?.id}/void/`, { note: 'Se capturó por error' })
  expect(voided.status, voided.text).toBe(200)
  await rule(earned[0], 'restore')
  await rule(earned[1], 'restore')
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed', '100.00 accrued'])
  await rule(earned[1], 'reject')
  expect((await admin.post(`${RATES}${id}/cancel/`)).status).toBe(200)
  await rule(earned[1], 'restore')
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed', '100.00 reversed'])
  await expectConserved(server.db)
})

test('what its lead took back after it was paid is corrected by another adjustment', async () => {
  const { funnel, change, earned } = await makeEarned(1)
  const { id } = await compensate(change('600'))
  const payment = await pay(funnel)
  await rule(earned[0], 'reject')
  const reopened = await admin.put(`/api/v1/payments/${payment}/`, {
    payment_status: 'cancelled',
    cancel_reason: 'Se repite el pago',
  })
  expect(reopened.status, reopened.text).toBe(200)
  expect(await booksOf(funnel)).toContain('adjustment 100.00 accrued')
  const [made] = await adjustmentsOf(funnel)
  const voided = await admin.post(`/api/v1/adjustments/${made?.id}/void/`, { note: 'Se capturó por error' })
  expect([voided.status, voided.json().meta.code]).toEqual([409, 'ENTRY_LOCKED'])
  expect((await admin.post(`${RATES}${id}/cancel/`)).json().meta.code).toBe('COMPENSATED')
  await expectConserved(server.db)
})

test('what a change compensates is shown while it can be cancelled, and stays where what it changes ends', async () => {
  const { funnel, change, earned } = await makeEarned(2)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const { id } = await compensate(change('600'))
  const shown = async () => (await issuer.get(`${RATES}${id}/compensated/`)).json().data
  expect(await shown()).toEqual({ entries: 2, locked: 0, amount: '200.00' })
  await rule(earned[0], 'reject')
  expect(await shown()).toEqual({ entries: 1, locked: 0, amount: '100.00' })
  await pay(funnel)
  expect(await shown()).toEqual({ entries: 1, locked: 1, amount: '100.00' })
  const stranger = await server.as({ role: 'issuer', issuerId: (await makeIssuer(server.db)).id })
  expect((await stranger.get(`${RATES}${id}/compensated/`)).status).toBe(404)
  // Ended before the change began: what was compensated is earned, and goes on following its lead.
  expect((await admin.delete(`/api/v1/payouts/${funnel.commission.id}/`)).status).toBe(204)
  expect((await issuer.get(`${RATES}${id}/compensated/`)).status).toBe(404)
  expect(await amountsOf(funnel)).toEqual(['100.00 reversed', '100.00 paid'])
  await rule(earned[0], 'restore')
  expect(await amountsOf(funnel)).toEqual(['100.00 accrued', '100.00 paid'])
  await rule(earned[1], 'reject')
  expect(await booksOf(funnel)).toContain('reversal -100.00 accrued')
  await expectConserved(server.db)
})

test('a lead that is rejected while it is compensated keeps nothing', async () => {
  const { funnel, change, earned } = await makeEarned(4)
  const body = { ...change('600'), compensation: { ...since, note: NOTE, entries: 4, amount: '400.00' } }
  const [answer] = await Promise.all([admin.post(RATES, body), ...earned.map((lead) => rule(lead, 'reject'))])
  expect([201, 409]).toContain(answer.status)
  expect((await booksOf(funnel)).every((line) => line.endsWith('reversed'))).toBe(true)
  await expectConserved(server.db)
})

test('administrators alone, since a day that has come, with why', async () => {
  const { funnel, change } = await makeEarned(1)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const whole = { ...since, note: NOTE, entries: 1, amount: '100.00' }
  for (const [path, compensation] of [
    [RATES, whole],
    [`${RATES}preview/`, since],
  ] as const)
    expect((await issuer.post(path, { ...change('600'), compensation })).status).toBe(403)
  const errors = async (compensation: object) =>
    Object.keys((await admin.post(RATES, { ...change('600'), compensation })).json().meta.field_errors)
  expect(await errors({ ...whole, since: addDays(today, 1) })).toEqual(['compensation.since'])
  expect(await errors({ ...whole, since: 'ayer' })).toEqual(['compensation.since'])
  expect(await errors({ ...whole, note: 'corta' })).toEqual(['compensation.note'])
  expect(await amountsOf(funnel)).toEqual([])
})

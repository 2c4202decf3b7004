import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateInMexico } from '#contract/time.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import {
  asOwner,
  makeLead,
  makePair,
  makeProduct,
  makeStep,
  startServer,
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
afterAll(() => server.stop())

const today = dateInMexico()
const NOTE = 'El banco lo confirmó por correo'

async function send({ client, lead }: Funnel, event_type: TypeName, more: Record<string, unknown> = {}) {
  const answer = await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type, ...more })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json()
}

const rule = (client: TestClient, { lead }: Funnel, what: 'reject' | 'restore', body: object) =>
  client.post(`/api/v1/leads/${lead.id}/${what}/`, body)

async function decide(funnel: Funnel, what: 'reject' | 'restore', body: object = { note: NOTE }): Promise<void> {
  const answer = await rule(admin, funnel, what, body)
  expect(answer.status, answer.text).toBe(200)
}

const lineOf = async ({ lead }: Funnel) =>
  (await entriesOf(server, lead.id)).map(({ kind, amount, state }) => [kind, amount, state].join(' '))

const detail = async (client: TestClient, { lead }: Funnel) =>
  (await client.get(`/api/v1/leads/${lead.id}/`)).json().data

async function makePayment({ relationship }: Funnel, days: number, total_amount = '500.00') {
  const period = { period_start: addDays(today, -days), period_end: today }
  const answer = await admin.post('/api/v1/payments/', { ...paymentForm(relationship.id), ...period, total_amount })
  expect(answer.status, answer.text).toBe(201)
  return answer.json().data as { id: number; entries_amount: string }
}

const pay = async (id: number) => {
  const answer = await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'paid' })
  expect(answer.status, answer.text).toBe(200)
}

async function expectSound(): Promise<void> {
  await expectNoDrift(server.db)
  await expectConserved(server.db)
}

test('a rejected lead is taken back: its commission counts again, and the same rejection sent again changes nothing', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  await send(funnel, 'rechazado', { reason_code: 'duplicado' })
  expect(await lineOf(funnel)).toEqual(['commission 500.00 reversed'])
  await decide(funnel, 'restore')
  expect(await detail(admin, funnel)).toMatchObject({ state: 'approved', amount: '500.00', rejection: null })
  expect(await send(funnel, 'rechazado', { reason_code: 'duplicado' })).toMatchObject({ data: { duplicate: true } })
  expect(await lineOf(funnel)).toEqual(['commission 500.00 accrued'])
  await send(funnel, 'rechazado', { event_id: 'otra vez' })
  expect(await detail(admin, funnel)).toMatchObject({ state: 'rejected', rejection: { code: 'sin_motivo' } })
  expect(await lineOf(funnel)).toEqual(['commission 500.00 reversed'])
  await expectSound()
})

test('a lead that was rejected before it earned converts when it is taken back', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'rechazado')
  await send(funnel, 'aprobado')
  await send(funnel, 'entregado')
  await decide(funnel, 'restore')
  const entries = await entriesOf(server, funnel.lead.id)
  expect(entries.map(({ state, converts }) => [state, converts])).toEqual([
    ['accrued', 1],
    ['accrued', 0],
  ])
  await expectSound()
})

test('what was paid is taken back by a negative entry, and given back as often as people change their mind', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  await pay((await makePayment(funnel, 1)).id)
  await decide(funnel, 'reject', { reason_code: 'fraude' })
  const takenBack = ['commission 500.00 paid', 'reversal -500.00 accrued']
  expect(await lineOf(funnel)).toEqual(takenBack)
  // The negative one was never settled, so it only goes.
  await decide(funnel, 'restore')
  expect(await lineOf(funnel)).toEqual(['commission 500.00 paid', 'reversal -500.00 reversed'])
  await decide(funnel, 'reject', { reason_code: 'fraude' })
  expect(await lineOf(funnel)).toEqual(takenBack)
  // Settled against another commission, it is answered by one that gives it back.
  const other = { ...funnel, lead: await makeFunnelLead(funnel) }
  await send(other, 'entregado')
  await send(other, 'aprobado')
  const second = await makePayment(funnel, 2)
  expect(second.entries_amount).toBe('500.00')
  await pay(second.id)
  await decide(funnel, 'restore')
  expect(await lineOf(funnel)).toEqual([
    'commission 500.00 paid',
    'reversal -500.00 paid',
    'restoration 500.00 accrued',
  ])
  expect(await detail(admin, funnel)).toMatchObject({ state: 'approved', amount: '500.00' })
  await decide(funnel, 'reject', { reason_code: 'fraude' })
  expect((await lineOf(funnel)).at(-1)).toBe('restoration 500.00 reversed')
  await expectSound()
})

test('a payment that takes what was taken back, and lets go of it, does not stop who restores the lead', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const { id } = await makePayment(funnel, 1)
  await pay(id)
  await decide(funnel, 'reject', { reason_code: 'fraude' })
  const payment = await server.db.startTransaction().execute()
  // As claimEntries() does of what sums up to less than zero.
  const moveTo = (columns: { state: string; payment_id: number | null }) =>
    payment
      .updateTable('commission_entry')
      .set(columns)
      .where('lead_id', '=', funnel.lead.id)
      .where('kind', '=', 'reversal')
      .execute()
  await moveTo({ state: 'paid', payment_id: id })
  const restored = rule(admin, funnel, 'restore', { note: NOTE })
  await untilLockWait(server.db)
  await moveTo({ state: 'accrued', payment_id: null })
  await payment.commit().execute()
  expect((await restored).status).toBe(200)
  expect(await lineOf(funnel)).toEqual(['commission 500.00 paid', 'reversal -500.00 reversed'])
  await expectSound()
})

const makeFunnelLead = ({ ids }: Pick<Funnel, 'ids'>) => makeLead(server.db, ids)

test('what comes back after its month can be paid from today on; in a payment still open it comes back there', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const { id } = await makePayment(funnel, 1)
  await send(funnel, 'rechazado')
  expect(await lineOf(funnel)).toEqual(['commission 500.00 reversed'])
  await decide(funnel, 'restore')
  expect(await entriesOf(server, funnel.lead.id)).toMatchObject([{ state: 'in_payment', payment_id: id }])
  await decide(funnel, 'reject', { reason_code: 'zona' })
  const cancelled = await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'cancelled' })
  expect(cancelled.status, cancelled.text).toBe(200)
  await asOwner(server.databaseUrl, async (owner) => {
    const past = { earned_at: '2025-03-04T18:00:00Z', due_on: '2025-03-04' }
    await owner.updateTable('rate').set({ valid_from: past.earned_at }).execute()
    await owner.updateTable('commission_entry').set(past).where('lead_id', '=', funnel.lead.id).execute()
  })
  await decide(funnel, 'restore')
  expect(await entriesOf(server, funnel.lead.id)).toMatchObject([
    { state: 'accrued', payment_id: null, due_on: today, reason: 'Reactivada', reason_code: null },
  ])
  expect((await makePayment(funnel, 3)).entries_amount).toBe('500.00')
})

test('reasons: a closed list, any text accepted with a warning, and of a person’s finances only the group', async () => {
  const funnel = await makeFunnel(server)
  const affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  const reasons = (await affiliate.get('/api/v1/reject-reasons/')).json().data
  expect(reasons).toHaveLength(19)
  // The systems of a company, too: what they send names one.
  const byKey = await server.anonymous.get('/api/v1/reject-reasons/', { headers: { 'x-api-key': funnel.key } })
  expect([byKey.status, byKey.json().data]).toEqual([200, reasons])
  expect((await server.anonymous.get('/api/v1/reject-reasons/')).status).toBe(401)
  expect(reasons[0]).toMatchObject({ code: 'buro', group_label: 'Política de crédito', is_financial: true })
  await send(funnel, 'aprobado')
  const sent = await send(funnel, 'rechazado', { reason_code: 'Score bajo 4111 1111 1111 1111' })
  expect(sent.meta.warnings).toEqual(['CARD_NUMBER_MASKED', 'UNKNOWN_REASON'])
  const [, event] = await eventsOf(server, funnel.lead.id)
  const words = { reason_code: expect.stringMatching(/^Score bajo/) }
  expect(event).toMatchObject({ reason_code: 'sin_motivo', event_data: words })
  expect(JSON.stringify(event)).not.toContain('4111 1111 1111 1111')
  await send(funnel, 'rechazado', { event_id: 'con nota', reason_code: 'Score regular', event_data: 'Una nota' })
  expect((await detail(admin, funnel)).events[0].event_data).toEqual({ reason_code: 'Score regular', note: 'Una nota' })
  await decide(funnel, 'restore')
  await send(funnel, 'rechazado', { event_id: 'con motivo', reason_code: 'BURO' })
  expect((await detail(admin, funnel)).rejection).toMatchObject({ code: 'buro', label: 'Historial en buró de crédito' })
  const seen = await affiliate.get(`/api/v1/leads/${funnel.lead.id}/`)
  expect(seen.json().data.rejection).toMatchObject({ code: null, label: 'Política de crédito' })
  expect(seen.json().data.rulings).toMatchObject([{ author_name: null, note: null }])
  const bank = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  expect((await detail(bank, funnel)).rulings).toMatchObject([{ author_name: null, note: NOTE }])
  const entries = await affiliate.get('/api/v1/commission-entries/')
  expect(entries.json().data.results).toMatchObject([{ state: 'reversed', reject_label: 'Política de crédito' }])
  expect(seen.text + entries.text).not.toMatch(/buró de crédito|"buro"|confirmó|Score/)
})

test('bad input, repetitions, strangers and readers change nothing', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const own = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const stranger = await server.as({ role: 'issuer', issuerId: (await makePair(server.db)).issuer.id })
  const affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  const refused = async (client: TestClient, what: 'reject' | 'restore', body: object) => {
    const answer = await rule(client, funnel, what, body)
    return [answer.status, answer.json().meta.code]
  }
  expect(await refused(own, 'restore', { note: NOTE })).toEqual([409, 'NOT_REJECTED'])
  expect(await refused(own, 'reject', { reason_code: 'no existe' })).toEqual([422, 'VALIDATION_ERROR'])
  expect(await refused(own, 'reject', {})).toEqual([422, 'VALIDATION_ERROR'])
  expect(await refused(stranger, 'reject', { reason_code: 'zona' })).toEqual([404, 'NOT_FOUND'])
  expect(await refused(affiliate, 'reject', { reason_code: 'zona' })).toEqual([403, 'FORBIDDEN'])
  expect(await lineOf(funnel)).toEqual(['commission 500.00 accrued'])
  const twice = await Promise.all([1, 2].map(() => rule(own, funnel, 'reject', { reason_code: 'zona' })))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await eventsOf(server, funnel.lead.id)).toHaveLength(2)
  expect(await refused(own, 'restore', { note: 'corta' })).toEqual([422, 'VALIDATION_ERROR'])
  expect(await refused(stranger, 'restore', { note: NOTE })).toEqual([404, 'NOT_FOUND'])
  const restored = await Promise.all([1, 2].map(() => rule(own, funnel, 'restore', { note: NOTE })))
  expect(restored.map(({ status }) => status).sort()).toEqual([200, 409])
  for (const client of [own, admin])
    expect((await detail(client, funnel)).rulings).toMatchObject([{ author_name: expect.stringMatching(/\S+ \S+/) }])
  const rows = (await admin.get('/api/v1/audit/?entity=lead')).json().data.results
  expect(rows.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual(['restore', 'reject'])
  await expectSound()
})

test('a card number in a note is kept nowhere, and what stands for it makes no note too long', async () => {
  const funnel = await makeFunnel(server)
  const card = '4111 1111 1111 1111'
  await decide(funnel, 'reject', { reason_code: 'fraude', note: `Pagó con la ${card}` })
  await decide(funnel, 'restore', { note: `${'x'.repeat(483)} 4111111111111111` })
  const [rejected] = await eventsOf(server, funnel.lead.id)
  expect(rejected?.event_data).toEqual({ note: 'Pagó con la [tarjeta omitida]' })
  const trail = server.db.selectFrom('audit_entry').select('changes').where('entity', '=', 'lead')
  const told = await trail.where('entity_id', '=', funnel.lead.id).orderBy('id').execute()
  expect(told.map(({ changes }) => changes)).toMatchObject([
    { note: [null, 'Pagó con la [tarjeta omitida]'] },
    { note: [null, expect.stringMatching(/x \[tarjeta omitida$/)] },
  ])
})

test('a product without a step for rejections says what is missing', async () => {
  const funnel = await makeFunnel(server)
  const product = await makeProduct(server.db, { issuer_id: funnel.issuer.id })
  const bare = { ...funnel, lead: await makeFunnelLead({ ...funnel, ids: { ...funnel.ids, product_id: product.id } }) }
  expect(await detail(admin, funnel)).toMatchObject({ is_rejectable: true })
  expect(await detail(admin, bare)).toMatchObject({ is_rejectable: false })
  const answer = await rule(admin, bare, 'reject', { reason_code: 'zona' })
  expect([answer.status, answer.json().meta.code]).toEqual([422, 'NO_REJECT_STEP'])
  expect(answer.json().message).toBe(
    'El producto no tiene un paso de tipo rechazado. Quien administra la red puede agregarlo en Eventos.',
  )
  const step = await makeStep(server.db, { product_id: product.id, event_type_id: 4 })
  expect(await detail(admin, bare)).toMatchObject({ is_rejectable: true })
  const removed = await admin.delete(`/api/v1/events/product-steps/${step.id}/`)
  expect(removed.status, removed.text).toBe(204)
  expect(await detail(admin, bare)).toMatchObject({ is_rejectable: false })
})

test('an administrator adds a reason, and archives it: it is offered no longer, and what it rejected keeps it', async () => {
  const funnel = await makeFunnel(server)
  const form = { code: 'sin_cita', label: 'No acudió a su cita', group_label: 'Proceso', advice: 'Recuerda la cita.' }
  const made = await admin.post('/api/v1/reject-reasons/', form)
  expect(made.status, made.text).toBe(201)
  const again = await admin.post('/api/v1/reject-reasons/', form)
  expect([again.status, again.json().meta.code]).toEqual([409, 'REASON_EXISTS'])
  const wrong = await admin.post('/api/v1/reject-reasons/', { ...form, code: 'Con Espacio', label: '' })
  expect([wrong.status, Object.keys(wrong.json().meta.field_errors)]).toEqual([422, ['code', 'label']])
  await decide(funnel, 'reject', { reason_code: 'sin_cita' })
  const archive = (code: string, archived: boolean) => admin.post('/api/v1/reject-reasons/archive/', { code, archived })
  for (const _ of [1, 2]) expect((await archive('sin_cita', true)).status).toBe(200)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const codes = async () =>
    (await issuer.get('/api/v1/reject-reasons/')).json().data.map(({ code }: { code: string }) => code)
  expect(await codes()).not.toContain('sin_cita')
  expect(await detail(issuer, funnel)).toMatchObject({ rejection: { label: 'No acudió a su cita' } })
  const other = await makeFunnel(server)
  expect((await rule(admin, other, 'reject', { reason_code: 'sin_cita' })).status).toBe(422)
  expect((await archive('sin_cita', false)).json().data.archived_at).toBeNull()
  expect((await codes()).at(-1)).toBe('sin_cita')
  expect((await archive('sin_motivo', true)).json().meta.code).toBe('REASON_NEEDED')
  expect((await archive('nunca', true)).status).toBe(422)
})

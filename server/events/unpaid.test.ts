import { afterAll, beforeAll, expect, test } from 'vitest'
import { testTrackingId } from '#contract/integration.ts'
import { makeCommission, makeLead, makePayingStep, startServer, type TestServer } from '../testing.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const archive = (table: 'commission' | 'event_step', id: number) =>
  server.db.updateTable(table).set({ archived_at: new Date() }).where('id', '=', id).execute()

const send = (funnel: Funnel, event: Record<string, unknown>) =>
  funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, ...event })

/** Its pair has no commission, and had none when the lead clicked. */
async function makeUnpaid() {
  const funnel = await makeFunnel(server)
  await archive('commission', funnel.commission.id)
  return { ...funnel, lead: await makeLead(server.db, funnel.ids) }
}

test('a paying event of a pair without commission is stored, and its sender is warned each time', async () => {
  const funnel = await makeUnpaid()
  const first = await send(funnel, { event_type: 'aprobado', event_id: 'a' })
  expect([first.status, first.json().data.commission]).toEqual([201, null])
  expect(first.json().meta.warnings).toEqual(['NO_COMMISSION'])
  const again = await send(funnel, { event_type: 'aprobado', event_id: 'a' })
  expect([again.status, again.json().data]).toEqual([200, { ...first.json().data, duplicate: true }])
  expect(again.json().meta.warnings).toEqual(['NO_COMMISSION'])
  const masked = await send(funnel, { event_type: 'entregado', event_data: '4111111111111111' })
  expect(masked.json().meta.warnings).toEqual(['CARD_NUMBER_MASKED', 'NO_COMMISSION'])
  expect(await entriesOf(server, funnel.lead.id)).toEqual([])
})

test('a postback and a batch warn, too', async () => {
  const funnel = await makeUnpaid()
  const { client, token, lead } = funnel
  const parameters = new URLSearchParams({ token, click_id: lead.tracking_id, event: 'aprobado', txid: 'p-1' })
  const postback = await server.anonymous.get(`/api/v1/events/postback/?${parameters}`)
  expect([postback.status, postback.json().meta.warnings]).toEqual([200, ['NO_COMMISSION']])
  const events = ['step_1', 'entregado', 'inexistente'].map((event_type) => ({
    tracking_id: lead.tracking_id,
    event_type,
  }))
  const batch = await client.post(`${EVENTS}batch/`, { events })
  expect(batch.json().meta.warnings).toEqual(['NO_COMMISSION'])
  expect(batch.json().data.results.map(({ status }: { status: number }) => status)).toEqual([201, 201, 422])
  const rehearsed = await client.post(EVENTS, {
    tracking_id: testTrackingId(funnel.product.id),
    event_type: 'aprobado',
  })
  expect(rehearsed.json().meta.warnings).toEqual(['NO_COMMISSION'])
})

test('what earns, earned before, never pays or rejects is no reason to warn', async () => {
  const funnel = await makeFunnel(server)
  const { steps, product, commission } = funnel
  await server.db
    .updateTable('event_step')
    .set({ is_payout_event: true })
    .where('id', '=', steps.rechazado.id)
    .execute()
  const warnings = async (event: Record<string, unknown>) => (await send(funnel, event)).json().meta.warnings
  expect(await warnings({ event_type: 'step_1' })).toBeUndefined()
  expect(await warnings({ event_type: 'aprobado', event_id: 'a' })).toBeUndefined()
  await archive('commission', commission.id)
  expect(await warnings({ event_type: 'aprobado', event_id: 'a' })).toBeUndefined()
  expect(await warnings({ event_type: 'aprobado', event_id: 'b' })).toEqual(['SECOND_APPROVAL'])
  await archive('event_step', steps.aprobado.id)
  await makePayingStep(server.db, { product_id: product.id })
  expect(await warnings({ event_type: 'aprobado', event_id: 'c' })).toEqual(['SECOND_APPROVAL'])
  expect(await warnings({ event_type: 'rechazado' })).toBeUndefined()
})

test('what was earned by an archived step does not hide that its twin pays nothing', async () => {
  const made = await makeFunnel(server)
  // It clicked before there was a commission.
  const lead = await makeLead(server.db, { ...made.ids, created_at: Date.now() - 86_400_000 })
  const funnel = { ...made, lead }
  const { steps, product, commission } = funnel
  const twin = await makePayingStep(server.db, { product_id: product.id })
  expect((await send(funnel, { step_id: steps.aprobado.id })).json().data.commission).not.toBeNull()
  await archive('event_step', steps.aprobado.id)
  await archive('commission', commission.id)
  expect((await send(funnel, { step_id: twin.id })).json().meta.warnings).toEqual(['NO_COMMISSION'])
})

test('sent again under another event_id after the commission was set, the event earns it', async () => {
  const funnel = await makeUnpaid()
  await send(funnel, { event_type: 'aprobado', event_id: 'a' })
  await makeCommission(server.db, { ...funnel.ids, payout: '750.00' })
  const again = await send(funnel, { event_type: 'aprobado', event_id: 'a-2' })
  expect(again.json().data.commission).toMatchObject({ amount: '750.00', status: 'accrued' })
  expect(again.json().meta.warnings).toBeUndefined()
})

test('of two steps that stood side by side an event without event_id is one, also when one of them is gone', async () => {
  const funnel = await makeFunnel(server)
  const told = async (event: object = {}) => {
    const answer = await send(funnel, { event_type: 'aprobado', ...event })
    return [answer.status, answer.json().data.step_id]
  }
  const { steps, product } = funnel
  expect(await told()).toEqual([201, steps.aprobado.id])
  const twin = await makePayingStep(server.db, { product_id: product.id })
  expect(await told()).toEqual([200, steps.aprobado.id])
  await archive('event_step', steps.aprobado.id)
  expect(await told()).toEqual([200, steps.aprobado.id])
  expect(await entriesOf(server, funnel.lead.id)).toHaveLength(1)
  expect(await told({ event_id: 'a' })).toEqual([201, twin.id])
  expect(await entriesOf(server, funnel.lead.id)).toHaveLength(2)
})

test('an approval of a lead that was approved or rejected before is told by every door, and in what was received', async () => {
  const funnel = await makeFunnel(server)
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const receipts = async () => {
    const { data } = (await issuer.get('/api/v1/integration/postbacks/')).json()
    return Object.fromEntries(data.map((row: { event_id: string; warnings: string[] }) => [row.event_id, row.warnings]))
  }
  const told = async (event: Record<string, unknown>) => {
    const { data, meta } = (await send(funnel, event)).json()
    return [data.commission?.status, meta.warnings]
  }
  expect(await told({ event_type: 'aprobado', event_id: 'a' })).toEqual(['accrued', undefined])
  expect(await told({ event_type: 'aprobado', event_id: 'b' })).toEqual([undefined, ['SECOND_APPROVAL']])
  expect(await told({ event_type: 'entregado', event_id: 'c' })).toEqual(['accrued', undefined])
  const rejected = { ...funnel, lead: await makeLead(server.db, funnel.ids) }
  const { token, client, lead } = rejected
  expect((await send(rejected, { event_type: 'rechazado', event_id: 'r' })).json().meta.warnings).toBeUndefined()
  const parameters = new URLSearchParams({ token, click_id: lead.tracking_id, event: 'aprobado', txid: 's' })
  for (const duplicate of [false, true]) {
    const { data, meta } = (await server.anonymous.get(`/api/v1/events/postback/?${parameters}`)).json()
    expect([data.duplicate, data.commission.status, meta.warnings]).toEqual([
      duplicate,
      'reversed',
      ['REJECTED_BEFORE'],
    ])
  }
  const events = [{ tracking_id: lead.tracking_id, event_type: 'aprobado', event_id: 't' }]
  const batch = (await client.post(`${EVENTS}batch/`, { events })).json()
  expect(batch.data.results[0].warnings).toEqual(['SECOND_APPROVAL', 'REJECTED_BEFORE'])
  const second = { a: [], b: ['SECOND_APPROVAL'], c: [], r: [] }
  const odd = { s: ['REJECTED_BEFORE'], t: ['SECOND_APPROVAL', 'REJECTED_BEFORE'] }
  expect(await receipts()).toEqual({ ...second, ...odd })
  const note = { note: 'Se reactivó: el segundo intento pasó' }
  expect((await issuer.post(`/api/v1/leads/${lead.id}/restore/`, note)).status).toBe(200)
  expect(await receipts()).toEqual({ ...second, s: [], t: ['SECOND_APPROVAL'] })
})

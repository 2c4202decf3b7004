import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateInMexico } from '#contract/time.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { startServer, type TestServer } from '../testing.ts'
import { makeReceiver, ok, startReceiver, until } from './deliveries.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
})
afterAll(() => server.stop())

test('a paid commission that is taken back, given back and taken back again is told so', async () => {
  const receiver = await startReceiver()
  const funnel = await makeFunnel(server)
  const { tracking_id, id } = funnel.lead
  const admin = await server.as({ role: 'admin' })
  const send = (event_type: string, event_id: string) =>
    ok(funnel.client.post(EVENTS, { tracking_id, event_type, event_id }))
  await send('aprobado', 'a')
  const period = { period_start: addDays(dateInMexico(), -1), period_end: dateInMexico() }
  const form = { ...paymentForm(funnel.relationship.id), ...period, total_amount: '500.00', payment_status: 'paid' }
  await ok(admin.post('/api/v1/payments/', form))
  const types = ['commission.accrued', 'commission.reversed']
  await makeReceiver(await server.as({ role: 'issuer', issuerId: funnel.issuer.id }), receiver.url, { types })
  await send('rechazado', 'b')
  await ok(admin.post(`/api/v1/leads/${id}/restore/`, { note: 'El banco lo aclaró' }))
  await send('rechazado', 'c')
  await until(() => receiver.got.length).toBe(3)
  const told = receiver.got.map(({ body }) => JSON.parse(body))
  expect(told.map(({ type, data }) => [type, data.event_type, data.commission.amount, data.commission.status])).toEqual(
    [
      ['commission.reversed', 'rechazado', '-500.00', 'accrued'],
      ['commission.accrued', 'aprobado', '500.00', 'paid'],
      ['commission.reversed', 'rechazado', '-500.00', 'accrued'],
    ],
  )
  await receiver.close()
})

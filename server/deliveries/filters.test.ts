import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Receiver } from '#contract/receivers.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import {
  makeCommission,
  makeLead,
  makeProduct,
  makeStep,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { deliveriesOf, makeReceiver, ok, startReceiver, type TestReceiver, until } from './deliveries.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
})
afterAll(() => server.stop())

let receiver: TestReceiver
let funnel: Funnel
let issuer: TestClient
beforeEach(async () => {
  receiver = await startReceiver()
  funnel = await makeFunnel(server)
  issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
})
afterEach(() => receiver.close())

const send = (event_type: TypeName, tracking_id = funnel.lead.tracking_id) =>
  ok(funnel.client.post(EVENTS, { tracking_id, event_type }))
const states = async (made: Receiver) => (await deliveriesOf(issuer, made)).map(({ state }) => state)

test('only what is of the chosen product and of the chosen steps is sent', async () => {
  const product = await makeProduct(server.db, { issuer_id: funnel.issuer.id })
  const ids = { ...funnel.ids, product_id: product.id }
  await makeCommission(server.db, ids)
  for (const event_type_id of [1, 3])
    await makeStep(server.db, { product_id: product.id, event_type_id, is_payout_event: true })
  const { tracking_id } = await makeLead(server.db, ids)
  const types = ['lead.event', 'commission.accrued', 'payment.created']
  const made = await makeReceiver(issuer, receiver.url, { types, product_id: product.id, event_types: [3] })
  const earned = await makeReceiver(issuer, `${receiver.url}/earned`, {
    types: ['commission.accrued'],
    event_types: [3],
  })
  // Of another product; of another step, though it earns; then the one that is asked for.
  await send('aprobado')
  await send('step_1', tracking_id)
  await send('aprobado', tracking_id)
  await until(async () => [...(await states(made)), ...(await states(earned))]).toEqual(Array(3).fill('delivered'))
  const told = receiver.got.map(({ url, body }) => {
    const { type, data } = JSON.parse(body)
    return [url, type, data.tracking_id, data.event_type]
  })
  expect(told.toSorted()).toEqual(
    [
      ['/', 'lead.event', tracking_id, 'aprobado'],
      ['/earned', 'commission.accrued', funnel.lead.tracking_id, 'aprobado'],
      ['/earned', 'commission.accrued', tracking_id, 'aprobado'],
    ].toSorted(),
  )
})

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryDetail } from '#contract/deliveries.ts'
import type { ReceiverPreview, ReceiverSecret } from '#contract/receivers.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { makeLead, startServer, type TestServer } from '../testing.ts'
import {
  deliveriesOf,
  detailOf,
  makeReceiver,
  ok,
  RECEIVERS,
  type Received,
  startReceiver,
  type TestReceiver,
  until,
} from './deliveries.testing.ts'

let server: TestServer
let receiver: TestReceiver
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
  receiver = await startReceiver()
})
afterAll(() => Promise.all([server.stop(), receiver.close()]))

/** As whoever gets the call does it, who knows no more than the call itself. */
function isSigned(secret: string, { url, headers }: Received): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-url-signature': signature } = headers
  const signed = new Webhook(secret).sign(String(id), new Date(Number(at) * 1000), `http://${headers.host}${url}`)
  return signature === signed
}

test.for(['?s={external_id}', "/niño/aviso's?s={external_id}&q=año#parte-{seq}", '/a/../b?s={external_id}'])(
  'a GET is signed with the address that is called: %s',
  async (rest) => {
    const funnel = await makeFunnel(server)
    const client = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
    const { tracking_id } = await makeLead(server.db, { ...funnel.ids, external_id: "clic d'oro" })
    const url = receiver.url.replace('http:', 'HTTP:') + rest
    const made = await makeReceiver(client, url, { method: 'GET' })
    const { secret } = await ok<ReceiverSecret>(client.get(`${RECEIVERS}${made.id}/secret/`))
    const before = receiver.got.length
    const tried = await ok<DeliveryDetail>(client.post(`${RECEIVERS}${made.id}/test/`))
    await ok(funnel.client.post(EVENTS, { tracking_id, event_type: 'step_1' }))
    await until(() => receiver.got.length).toBe(before + 2)
    const calls = receiver.got.slice(before)
    expect(calls.map((call) => isSigned(secret, call))).toEqual([true, true])
    await until(async () => (await deliveriesOf(client, made))[0]?.state).toBe('delivered')
    const told = await detailOf(client, (await deliveriesOf(client, made))[0]?.id ?? '')
    const logged = [tried, told].map(({ tries }) => tries[0]?.request_url)
    expect(logged).toEqual(calls.map((call) => receiver.url + call.url))
    const preview = await ok<ReceiverPreview>(client.post(`${RECEIVERS}preview/`, { url, method: 'GET' }))
    expect(preview.url).toContain(`${receiver.url}/`)
  },
)

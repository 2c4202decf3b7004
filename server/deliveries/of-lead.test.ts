import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PrivacyFile } from '#contract/privacy.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { makeLead, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import {
  answering,
  deliveriesOf,
  detailOf,
  letPass,
  makeReceiver,
  ok,
  startReceiver,
  type TestReceiver,
  until,
} from './deliveries.testing.ts'

const grounds = { folio: 'ARCO-2026-014', reason: 'Solicitud del titular' }

let server: TestServer
let admin: TestClient
let receiver: TestReceiver
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
  admin = await server.as({ role: 'admin' })
  receiver = await startReceiver()
})
afterAll(() => Promise.all([server.stop(), receiver.close()]))

/** A lead with a name in all that its click said, a postback that names it, and an event to tell. */
async function makePerson(form: object = {}) {
  const funnel = await makeFunnel(server)
  const mark = `marta${unique()}`
  const { id, tracking_id } = await makeLead(server.db, {
    ...funnel.ids,
    external_id: mark,
    utm_term: mark,
    lead_data: JSON.stringify({ params: { sub1: mark } }),
  })
  const client = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  const made = await makeReceiver(client, `${receiver.url}/clave-9/{external_id}?s={external_id}&k=t-7`, form)
  const send = () => ok(funnel.client.post(EVENTS, { tracking_id, event_type: 'step_1' }))
  const first = async () => (await deliveriesOf(client, made)).at(-1)
  const logged = async () => JSON.stringify(await detailOf(client, (await first())?.id ?? ''))
  return { id, mark, client, made, send, first, logged }
}
const fileOf = (id: number): Promise<PrivacyFile> => ok(admin.post(`/api/v1/privacy/leads/${id}/file/`, grounds))
const erase = (id: number) => ok<{ deliveries: number }>(admin.post(`/api/v1/privacy/leads/${id}/erase/`, grounds))
/** Answers with what it was sent. */
const echoing: TestReceiver['behave'] = ({ url, body }, response) => void response.end(url + body)

test('what receivers were told of a person is shown to who asks for it, and erased with the rest', async () => {
  const { id, mark, made, send, first, logged } = await makePerson()
  receiver.behave = echoing
  await send()
  await until(async () => (await first())?.state).toBe('delivered')
  const [told, ...others] = (await fileOf(id)).deliveries
  expect(others).toEqual([])
  expect(told).toMatchObject({
    receiver: made.name,
    request_url: `${receiver.url}/***/${mark}?s=${mark}&k=***`,
    request_body: expect.stringContaining(mark),
    answer: expect.stringContaining(mark),
  })
  expect(await logged()).toContain(mark)
  expect((await erase(id)).deliveries).toBe(1)
  expect(await logged()).not.toContain(mark)
  expect((await fileOf(id)).deliveries).toEqual([])
  expect((await erase(id)).deliveries).toBe(0)
})

test('what still waits goes out without the person, and so it stays in the log', async () => {
  const { id, mark, made, send, first, logged } = await makePerson({ skip_without_external_id: false })
  receiver.behave = answering(500)
  const before = receiver.got.length
  await send()
  await until(async () => (await first())?.attempts).toBe(1)
  await erase(id)
  receiver.behave = echoing
  await letPass(server, made, 1)
  await until(async () => (await first())?.state).toBe('delivered')
  const [known, unknown] = receiver.got.slice(before).map(({ url, body }) => url + body)
  expect(known).toContain(mark)
  expect(unknown).not.toContain(mark)
  expect(await logged()).not.toContain(mark)
})

test('a call that is under way while its person is erased is noted without what it said', async () => {
  const { id, mark, send, first, logged } = await makePerson()
  const held: ServerResponse[] = []
  receiver.behave = (_, response) => void held.push(response)
  const before = receiver.got.length
  await send()
  await until(() => held.length).toBe(1)
  await erase(id)
  held[0]?.end(`gracias, ${mark}`)
  await until(async () => (await first())?.state).toBe('delivered')
  expect(receiver.got[before]?.body).toContain(mark)
  expect(await logged()).not.toContain(mark)
})

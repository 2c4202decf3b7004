import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Receiver } from '#contract/receivers.ts'
import {
  answering,
  deliveriesOf,
  letPass,
  makeReceiver,
  ok,
  RECEIVERS,
  receiverOf,
  startReceiver,
  type TestReceiver,
  until,
} from '../deliveries/deliveries.testing.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
})
afterAll(() => server.stop())

let outside: TestReceiver
let funnel: Funnel
let issuer: TestClient
let made: Receiver
beforeEach(async () => {
  outside = await startReceiver()
  onTestFinished(() => outside.close())
  funnel = await makeFunnel(server)
  issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  made = await makeReceiver(issuer, outside.url)
})

const pause = (client: TestClient) => ok<Receiver>(client.post(`${RECEIVERS}${made.id}/pause/`))
const resume = () => ok<Receiver>(issuer.post(`${RECEIVERS}${made.id}/resume/`))
const send = (event_type: TypeName) =>
  ok(funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type }))
const waiting = async () => (await receiverOf(issuer, made)).waiting
const states = async () => (await deliveriesOf(issuer, made)).map(({ state }) => state)
const set = (columns: object) => server.db.updateTable('receiver').set(columns).where('id', '=', made.id).execute()

/** What anybody was told of it since it was made. */
const announced = async () =>
  (
    await server.db.selectFrom('occurrence').select('type').where('receiver_id', '=', made.id).orderBy('id').execute()
  ).filter(({ type }) => type !== 'receiver.changed')
const trail = async () =>
  (
    await server.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_name'])
      .where('entity', '=', 'receiver')
      .where('entity_id', '=', made.id)
      .orderBy('id')
      .execute()
  ).map(({ action, actor_name }) => `${actor_name}: ${action}`)

test('paused by hand: it says who did it, what happens waits, and all goes out when it is resumed', async () => {
  const paused = await pause(issuer)
  expect(paused).toMatchObject({ state: 'paused', reason: 'person', paused_by: 'Ana Prueba', failing_since: null })
  expect(Date.parse(paused.paused_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  await send('step_1')
  await send('aprobado')
  await until(waiting).toBe(2)
  // Time enough for a paused one to be tried, were it not.
  await letPass(server, made, 80)
  const other = await makeReceiver(issuer, `${outside.url}/otro`)
  await send('entregado')
  await until(async () => (await deliveriesOf(issuer, other))[0]?.state).toBe('delivered')
  expect(outside.got.map(({ url }) => url)).toEqual(['/otro'])
  expect(await announced()).toEqual([])
  expect(await resume()).toMatchObject({ state: 'active', reason: null, paused_at: null, paused_by: null })
  await until(states).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await trail()).toEqual(['Ana Prueba: create', 'Ana Prueba: pause', 'Ana Prueba: resume'])
})

test('the first who paused it is named, and one that paused by itself keeps its reason', async () => {
  const colleague = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  await server.db
    .updateTable('user')
    .set({ first_name: 'Luz', last_name: 'Nava' })
    .where(
      'id',
      '=',
      server.db.selectFrom('user').select((eb) => eb.fn.max('id').as('id')),
    )
    .execute()
  const first = await pause(issuer)
  expect(await pause(colleague)).toEqual(first)
  await resume()
  expect(await pause(colleague)).toMatchObject({ paused_by: 'Luz Nava' })
  await set({ reason: 'gone', paused_by: null })
  expect(await pause(issuer)).toMatchObject({ reason: 'gone', paused_by: null })
})

test('one that fails is not probed while it is paused by hand, and begins anew when it is resumed', async () => {
  await set({ state: 'failing', failures: 9, failing_since: new Date(Date.now() - 3_600_000) })
  await pause(issuer)
  await send('aprobado')
  await until(waiting).toBe(1)
  await letPass(server, made, 100)
  const other = await makeReceiver(issuer, `${outside.url}/otro`)
  await send('entregado')
  await until(async () => (await deliveriesOf(issuer, other))[0]?.state).toBe('delivered')
  expect(outside.got.map(({ url }) => url)).toEqual(['/otro'])
  expect(await resume()).toMatchObject({ state: 'active', failing_since: null })
  await until(states).toEqual(['delivered', 'delivered'])
})

test.for([
  ['410', answering(410)],
  ['500', answering(500)],
] as const)('a call that is under way when it is paused and fails (%s) is no news', async ([, behave]) => {
  const held: ServerResponse[] = []
  outside.behave = (_, response) => void held.push(response)
  await set({ failures: 4, failing_since: new Date(Date.now() - 80 * 3_600_000) })
  await send('aprobado')
  await until(() => held.length).toBe(1)
  await pause(issuer)
  for (const response of held) behave(outside.got[0] as never, response)
  await until(async () => (await deliveriesOf(issuer, made))[0]?.attempts).toBe(1)
  expect(await receiverOf(issuer, made)).toMatchObject({ state: 'paused', reason: 'person', waiting: 1 })
  expect(await announced()).toEqual([])
})

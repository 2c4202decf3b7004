import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Receiver, ReceiverSecret } from '#contract/receivers.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { type DeliveryVerdict, unmeasured } from '../monitoring/measures.ts'
import { makeLead, startServer, type TestClient, type TestServer } from '../testing.ts'
import {
  answering,
  deliveriesOf,
  detailOf,
  isAtRest,
  letPass,
  makeReceiver,
  ok,
  RECEIVERS,
  receiverOf,
  startReceiver,
  type TestReceiver,
  until,
} from './deliveries.testing.ts'
import { Dialer } from './dial.ts'
import { ReceiverSecrets } from './secrets.ts'
import { claim, fanOut, Sender } from './sender.ts'

/** As they are counted. */
const verdicts: DeliveryVerdict[] = []
let server: TestServer
beforeAll(async () => {
  const measures = { ...unmeasured, delivery: (verdict: DeliveryVerdict) => void verdicts.push(verdict) }
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' }, { measures })
})
afterAll(() => server.stop())

let receiver: TestReceiver
let funnel: Funnel
let affiliate: TestClient
let issuer: TestClient
beforeEach(async () => {
  receiver = await startReceiver()
  funnel = await makeFunnel(server)
  affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
})
afterEach(() => receiver.close())

const send = async (event_type: TypeName, tracking_id = funnel.lead.tracking_id, event_id?: string) =>
  ok(funnel.client.post(EVENTS, { tracking_id, event_type, ...(event_id && { event_id }) }))
const newLead = (columns: object = {}) => makeLead(server.db, { ...funnel.ids, ...columns })
const states = async (client: TestClient, made: Receiver) =>
  (await deliveriesOf(client, made)).map(({ state }) => state)

test('an issuer is told what became of a lead, signed as Standard Webhooks says', async () => {
  const made = await makeReceiver(issuer, receiver.url)
  const { secret } = await ok<ReceiverSecret>(issuer.get(`${RECEIVERS}${made.id}/secret/`))
  await send('aprobado')
  await until(() => receiver.got.length).toBe(1)
  const [{ headers, body, method } = {} as never] = receiver.got
  expect(method).toBe('POST')
  const told = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(told).toMatchObject({
    type: 'lead.event',
    data: {
      tracking_id: funnel.lead.tracking_id,
      affiliate_id: funnel.affiliate.id,
      event_type: 'aprobado',
      commission: { amount: '500.00', currency: 'MXN', status: 'accrued' },
    },
  })
  expect(body).not.toContain('redirect_url')
  await until(async () => (await deliveriesOf(issuer, made))[0]?.state).toBe('delivered')
  const [delivery] = await deliveriesOf(issuer, made)
  expect(headers['webhook-id']).toBe(delivery?.id)
  expect((await detailOf(issuer, delivery?.id ?? '')).tries).toMatchObject([{ number: 1, status: 200, answer: 'ok' }])
})

test("a tracker's postback, in its own words: Keitaro", async () => {
  const url = `${receiver.url}/a1b2c3/postback?subid={external_id}&status={status}&payout={payout}&currency={currency}&tid={event_id}&token=clave-1`
  const status_map = { step_1: 'lead', aprobado: 'sale', rechazado: 'rejected' }
  const made = await makeReceiver(affiliate, url, { method: 'GET', status_map, event_types: [1, 3, 4] })
  const { tracking_id } = await newLead({ external_id: 'clic 1&x=2' })
  for (const type of ['step_1', 'step_2', 'aprobado', 'rechazado'] as const) await send(type, tracking_id)
  await until(() => receiver.got.length).toBe(3)
  const asked = receiver.got.map(({ url: at, headers }) => [new URL(at, receiver.url), headers['webhook-id']] as const)
  expect(asked.map(([at]) => [at.searchParams.get('subid'), at.searchParams.get('status')])).toEqual([
    ['clic 1&x=2', 'lead'],
    ['clic 1&x=2', 'sale'],
    ['clic 1&x=2', 'rejected'],
  ])
  expect(asked.map(([at, id]) => at.searchParams.get('tid') === id)).toEqual([true, true, true])
  expect(asked[1]?.[0].searchParams.get('payout')).toBe('500.00')
  await until(async () => states(affiliate, made)).toEqual(['delivered', 'delivered', 'delivered'])
  const [{ id } = { id: '' }] = await deliveriesOf(affiliate, made)
  const { tries } = await detailOf(affiliate, id)
  expect(tries[0]?.request_url).toMatch(/status=rejected.*token=\*\*\*$/)
})

test('a click without external_id is left out, and said so', async () => {
  const made = await makeReceiver(affiliate, `${receiver.url}/?s={external_id}`, { method: 'GET' })
  await send('aprobado')
  await until(async () => (await deliveriesOf(affiliate, made))[0]?.reason).toBe('no_external_id')
  expect(receiver.got).toEqual([])
})

test('of a lead the later waits for the earlier, other leads do not', async () => {
  const other = await newLead()
  const made = await makeReceiver(issuer, receiver.url, { per_second: 50 })
  let isDown = true
  receiver.behave = ({ body }, response) =>
    void response.writeHead(isDown && body.includes(funnel.lead.tracking_id) ? 500 : 200).end()
  await send('step_1')
  await until(() => receiver.got.length).toBe(1)
  await send('aprobado')
  await send('step_1', other.tracking_id)
  await until(() => receiver.got.filter(({ body }) => body.includes(other.tracking_id)).length).toBe(1)
  isDown = false
  await letPass(server, made, 1)
  await until(async () => states(issuer, made)).toEqual(['delivered', 'delivered', 'delivered'])
  const own = receiver.got.filter(({ body }) => body.includes(funnel.lead.tracking_id))
  const types = own.map(({ body }) => JSON.parse(body).data.event_type)
  expect(types.at(-1)).toBe('aprobado')
  expect(types.slice(0, -1).every((type) => type === 'step_1')).toBe(true)
  expect(new Set(own.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
})

const announcedOf = async ({ id }: { id: number }) =>
  (await server.db.selectFrom('occurrence').select('type').where('receiver_id', '=', id).orderBy('id').execute()).map(
    ({ type }) => type,
  )

test('five failures: one probe at a time while the rest waits; one good answer, and all goes out', async () => {
  receiver.behave = answering(500)
  const made = await makeReceiver(issuer, receiver.url, { per_second: 50 })
  for (let each = 0; each < 8; each += 1) await send('step_1', (await newLead()).tracking_id)
  // Never 72 hours in all, however often it is asked.
  await until(async () => {
    await letPass(server, made, 0.02)
    return (await receiverOf(issuer, made)).state
  }).toBe('failing')
  const noted = async () => (await deliveriesOf(issuer, made)).reduce((sum, { attempts }) => sum + attempts, 0)
  // The time that passed last may have let one more probe begin.
  await until(() => isAtRest(server, made)).toBe(true)
  const tried = receiver.got.length
  await letPass(server, made, 0.5)
  await until(noted).toBe(tried + 1)
  expect([receiver.got.length, (await receiverOf(issuer, made)).waiting]).toEqual([tried + 1, 8])
  receiver.behave = answering(200)
  await letPass(server, made, 0.5)
  await until(async () => (await receiverOf(issuer, made)).waiting).toBe(0)
  expect(await receiverOf(issuer, made)).toMatchObject({ state: 'active', failing_since: null })
  // That each probe failed again is no news.
  expect(await announcedOf(made)).toEqual(['receiver.changed', 'receiver.failing'])
})

test('many that fail at the same time are one failure: nobody rests for an outage of a moment', async () => {
  const made = await makeReceiver(issuer, receiver.url, { per_second: 50 })
  await send('step_1')
  await until(async () => states(issuer, made)).toEqual(['delivered'])
  const held: ServerResponse[] = []
  receiver.behave = (_, response) => void held.push(response)
  for (let each = 0; each < 10; each += 1) await send('step_1', (await newLead()).tracking_id)
  await until(() => held.length).toBe(10)
  receiver.behave = answering(200)
  for (const response of held) response.destroy()
  await until(async () => (await deliveriesOf(issuer, made)).reduce((sum, { attempts }) => sum + attempts, 0)).toBe(11)
  const { state, failures } = await server.db
    .selectFrom('receiver')
    .select(['state', 'failures'])
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  expect([state, failures]).toEqual(['active', 1])
  await letPass(server, made, 0.01)
  await until(async () => (await receiverOf(issuer, made)).waiting).toBe(0)
})

test('72 hours without a good answer: paused with its reason; resumed, nothing is lost', async () => {
  receiver.behave = answering(503)
  const made = await makeReceiver(issuer, receiver.url)
  await send('aprobado')
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await until(() => receiver.got.length).toBe(attempt)
    await until(async () => (await deliveriesOf(issuer, made))[0]?.attempts).toBe(attempt)
    await letPass(server, made, 73)
  }
  await until(async () => (await receiverOf(issuer, made)).state).toBe('paused')
  expect(await receiverOf(issuer, made)).toMatchObject({ reason: 'failures', waiting: 1 })
  expect(await announcedOf(made)).toEqual(['receiver.changed', 'receiver.paused'])
  const called = receiver.got.length
  await letPass(server, made, 24)
  await send('rechazado')
  receiver.behave = answering(200)
  await until(async () => (await receiverOf(issuer, made)).waiting).toBe(2)
  expect(receiver.got.length).toBe(called)
  await ok(issuer.post(`${RECEIVERS}${made.id}/resume/`))
  await until(async () => states(issuer, made)).toEqual(['delivered', 'delivered'])
})

test('attempts are counted by what became of the delivery', async () => {
  const made = await makeReceiver(issuer, receiver.url)
  const tries = async () => (await deliveriesOf(issuer, made)).reduce((sum, { attempts }) => sum + attempts, 0)
  verdicts.length = 0
  await makeReceiver(affiliate, `${receiver.url}/?s={external_id}`, { method: 'GET' })
  receiver.behave = answering(404)
  await send('step_1')
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await until(tries).toBe(attempt)
    await letPass(server, made, 1)
  }
  receiver.behave = answering(200)
  await send('aprobado')
  await until(() => verdicts.filter((verdict) => verdict !== 'skipped')).toEqual([
    ...['waiting', 'waiting', 'waiting', 'failed', 'delivered'],
  ])
  await until(() => verdicts.filter((verdict) => verdict === 'skipped').length).toBe(2)
})

test('410 pauses at once', async () => {
  receiver.behave = answering(410)
  const made = await makeReceiver(issuer, receiver.url)
  await send('aprobado')
  await until(async () => (await receiverOf(issuer, made)).reason).toBe('gone')
})

test('while a secret is changed both sign, for a day', async () => {
  const made = await makeReceiver(issuer, receiver.url)
  const path = `${RECEIVERS}${made.id}/secret/`
  const before = await ok<ReceiverSecret>(issuer.get(path))
  const now = await ok<ReceiverSecret>(issuer.post(path))
  expect(now.secret).not.toBe(before.secret)
  const verified = () =>
    [before, now].map(({ secret }) => {
      const { body = '', headers } = receiver.got.at(-1) ?? {}
      try {
        return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    })
  await send('step_1')
  await until(() => receiver.got.length).toBe(1)
  expect(verified()).toEqual([true, true])
  await letPass(server, made, 25)
  await send('aprobado')
  await until(() => receiver.got.length).toBe(2)
  expect(verified()).toEqual([false, true])
})

test('what was delivered is sent again under its id, one or a whole period', async () => {
  const made = await makeReceiver(issuer, receiver.url)
  await send('step_1')
  await send('aprobado')
  await until(async () => states(issuer, made)).toEqual(['delivered', 'delivered'])
  const [newest] = await deliveriesOf(issuer, made)
  await ok(issuer.post(`/api/v1/deliveries/${newest?.id}/replay/`))
  await until(() => receiver.got.length).toBe(3)
  const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString(), state: 'delivered' }
  await until(async () => states(issuer, made)).toEqual(['delivered', 'delivered'])
  expect(await ok(issuer.post(`${RECEIVERS}${made.id}/replay/`, range))).toEqual({ count: 2 })
  await until(() => receiver.got.length).toBe(5)
  const ids = receiver.got.map(({ headers }) => headers['webhook-id'])
  expect([ids[2], ids[3], ids[4]]).toEqual([ids[1], ids[0], ids[1]])
})

test('two copies never make the same attempt', async () => {
  const made = await makeReceiver(issuer, receiver.url, { per_second: 50 })
  const secrets = new ReceiverSecrets('1f0c7e5b9a3d48629be4c0d7f63a58217c94e6ab0d352f81')
  const dialer = new Dialer({ ownHost: '', loopback: true })
  const others = [1, 2].map(() => new Sender({ db: server.appDb, dialer, secrets, report: () => undefined }))
  for (let each = 0; each < 30; each += 1) await send('step_1', (await newLead()).tracking_id)
  await until(async () => {
    await Promise.all(others.map((other) => other.run((error) => expect.unreachable(String(error)))))
    return (await receiverOf(issuer, made)).waiting
  }).toBe(0)
  expect(receiver.got).toHaveLength(30)
  await Promise.all(others.map((other) => other.close()))
})

test('one that hangs is called once at a time until it has answered well, and keeps nobody waiting', async () => {
  const hanging = await startReceiver(() => undefined)
  onTestFinished(() => hanging.close())
  for (let each = 0; each < 3; each += 1) await makeReceiver(issuer, `${hanging.url}/${each}`, { per_second: 50 })
  await makeReceiver(issuer, receiver.url, { per_second: 50 })
  for (let each = 0; each < 30; each += 1) await send('step_1', (await newLead()).tracking_id)
  await until(() => receiver.got.length).toBe(30)
  expect(hanging.got.map(({ url }) => url).toSorted()).toEqual(['/0', '/1', '/2'])
})

test('claimed are as many as a receiver has room for, and none behind those for which nothing can be', async () => {
  // At nobody's address, and resting: the server itself claims none of them.
  const away = 'http://127.0.0.1:1/'
  const [first, second] = [await makeReceiver(issuer, away), await makeReceiver(affiliate, away, { method: 'POST' })]
  const set = (made: Receiver, columns: object) =>
    server.db.updateTable('receiver').set(columns).where('id', '=', made.id).execute()
  for (const made of [first, second]) await set(made, { rest_until: new Date(Date.now() + 3_600_000) })
  for (let each = 0; each < 5; each += 1) await send('step_1', (await newLead()).tracking_id)
  await until(
    async () => (await deliveriesOf(issuer, first)).length + (await deliveriesOf(affiliate, second)).length,
  ).toBe(10)
  const claimed = (atMost: number, ...underWay: Receiver[]) =>
    server.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('receiver')
        .set({ rest_until: sql<string>`now() - interval '1 second'` })
        .where('id', 'in', [first.id, second.id])
        .execute()
      const jobs = await claim(tx, { atMost, isFailing: false, underWay: underWay.map(({ id }) => id) })
      await sql`update receiver set rest_until = now() + interval '1 hour' where id in (${first.id}, ${second.id})`.execute(
        tx,
      )
      await sql`update delivery set claimed_until = null where receiver_id in (${first.id}, ${second.id})`.execute(tx)
      return [first, second].map(({ id }) => jobs.filter((job) => job.receiver_id === id).length)
    })
  expect(await claimed(10)).toEqual([1, 1])
  expect(await claimed(10, first)).toEqual([0, 1])
  await set(first, { last_ok_at: new Date() })
  expect(await claimed(10)).toEqual([2, 1])
  expect(await claimed(10, first)).toEqual([1, 1])
  await set(first, { per_second: 50 })
  expect(await claimed(10)).toEqual([5, 1])
  // The first has what is due, all of it behind an earlier one of its lead; the next is looked at all the same.
  await sql`update delivery set next_at = now() + interval '1 hour', tracking_id = ${funnel.lead.tracking_id}
    where seq = (select min(seq) from delivery where receiver_id = ${first.id})`.execute(server.db)
  await sql`update delivery set tracking_id = ${funnel.lead.tracking_id} where receiver_id = ${first.id}`.execute(
    server.db,
  )
  expect(await claimed(1)).toEqual([0, 1])
})

test('stopped while it waits for an answer, it leaves the delivery to whoever comes next at once', async () => {
  const hanging = await startReceiver(() => undefined)
  onTestFinished(() => hanging.close())
  const made = await makeReceiver(issuer, hanging.url)
  await send('step_1')
  await until(() => hanging.got.length).toBe(1)
  // The server has a call under way, and begins no other; another copy does.
  const secrets = new ReceiverSecrets('1f0c7e5b9a3d48629be4c0d7f63a58217c94e6ab0d352f81')
  const dialer = new Dialer({ ownHost: '', loopback: true })
  const stopping = new Sender({ db: server.appDb, dialer, secrets, report: () => undefined })
  await send('step_1', (await newLead()).tracking_id)
  await until(async () => {
    await stopping.run((error) => expect.unreachable(String(error)))
    return hanging.got.length
  }).toBe(2)
  await server.db
    .updateTable('receiver')
    .set({ state: 'failing', failures: 5, rest_until: new Date(Date.now() + 3_600_000) })
    .where('id', '=', made.id)
    .execute()
  await stopping.close()
  const claimed = await server.db
    .selectFrom('delivery')
    .innerJoin('receiver', 'receiver.id', 'receiver_id')
    .select([sql<boolean>`claimed_until is not null`.as('is'), sql<boolean>`rest_until <= now()`.as('isRested')])
    .where('receiver_id', '=', made.id)
    .orderBy('seq')
    .execute()
  expect(claimed).toEqual([
    { is: true, isRested: true },
    { is: false, isRested: true },
  ])
})

test('what a slow writer commits late is told too, in its place', async () => {
  const made = await makeReceiver(issuer, 'http://127.0.0.1:1/')
  const { affiliate_id, issuer_id } = funnel.ids
  const row = { type: 'lead.event', affiliate_id, issuer_id }
  const slow = await server.db.startTransaction().execute()
  await slow.insertInto('occurrence').values(row).execute()
  await server.db.insertInto('occurrence').values(row).execute()
  for (let round = 0; round < 3; round += 1) await fanOut(server.appDb)
  const made1 = await deliveriesOf(issuer, made)
  await slow.commit().execute()
  expect(made1).toEqual([])
  await until(async () => (await deliveriesOf(issuer, made)).length).toBe(2)
})

test('an attempt that nobody noted is made again, under the same id', async () => {
  const made = await makeReceiver(issuer, receiver.url)
  await server.db
    .updateTable('receiver')
    .set({ rest_until: sql`now() + interval '1 hour'` })
    .where('id', '=', made.id)
    .execute()
  await send('aprobado')
  await until(async () => (await deliveriesOf(issuer, made)).length).toBe(1)
  await letPass(server, made, 1)
  // Claimed, and never noted: the copy that did so is gone. Tests before have left others waiting.
  const claimed = async () =>
    (await claim(server.appDb, { atMost: 10, isFailing: false })).filter(({ receiver_id }) => receiver_id === made.id)
  const [job] = await claimed()
  if (!job) return // the server itself was faster
  expect(await claimed()).toEqual([])
  await letPass(server, made, 1)
  await until(() => receiver.got.length).toBe(1)
  expect(receiver.got[0]?.headers['webhook-id']).toBe(job.id)
})

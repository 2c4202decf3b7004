import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../testing.ts'
import { EVENTS, entriesOf, eventsOf, makeFunnel } from './testing.ts'

const CARD = '4111111111111111'
const OTHER_CARD = '5500000000000004'
const CURP = 'GODE561231HDFRRN04'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** How often a text stands in what is kept of events, whatever the column. */
async function countIn(text: string): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (
      select event::text as kept from lead_event as event
      union all select receipt::text from event_receipt as receipt
      union all select rejected::text from rejected_postback as rejected
    ) as everything where kept ilike ${`%${text}%`}`.execute(server.db)
  return rows[0]?.found ?? 0
}

test('an event id with a card in it is masked, and still counts once', async () => {
  const { client, lead } = await makeFunnel(server)
  const send = (event_id: string, event_type = 'step_1') =>
    client.post(EVENTS, { tracking_id: lead.tracking_id, event_type, event_id })
  const first = await send(`pago ${CARD}`)
  expect(first.status).toBe(201)
  expect(first.json().meta.warnings).toEqual(['CARD_NUMBER_MASKED'])
  const { event_id } = first.json().data
  expect(event_id).toMatch(/^pago \[tarjeta omitida\]#[0-9a-f]{16}$/)
  const again = await send(`pago ${CARD}`)
  expect([again.status, again.json().data]).toEqual([200, { ...first.json().data, duplicate: true }])
  // Another card is another event, and so is the same one at another step.
  const other = await send(`pago ${OTHER_CARD}`)
  expect([other.status, other.json().data.event_id === event_id]).toEqual([201, false])
  expect((await send(`pago ${CARD}`, 'step_2')).json().data).toMatchObject({ event_id, duplicate: false })
  expect((await eventsOf(server, lead.id)).map((event) => event.event_id)).toEqual([
    event_id,
    other.json().data.event_id,
    event_id,
  ])
  expect([await countIn(CARD), await countIn(OTHER_CARD)]).toEqual([0, 0])
})

test('transactions with a card in their id are told apart, too', async () => {
  const { client, lead, steps } = await makeFunnel(server)
  const send = (transaction_id: string) =>
    client.post(EVENTS, { tracking_id: lead.tracking_id, step_id: steps.aprobado.id, transaction_id })
  const answers = [await send(CARD), await send(CARD), await send(OTHER_CARD)]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201])
  expect(await entriesOf(server, lead.id)).toHaveLength(1)
})

test('source, type, id and step are masked in what is stored, received and rejected, by every door', async () => {
  const { client, lead, token } = await makeFunnel(server)
  const texts = { event_id: `x${CARD}`, source: `caja ${CURP}`, transaction_id: CARD }
  const base = { tracking_id: lead.tracking_id, ...texts }
  expect((await client.post(EVENTS, { ...base, event_type: 'step_1' })).status).toBe(201)
  expect((await client.post(EVENTS, { ...base, event_type: 'step_1' })).status).toBe(200)
  expect((await client.post(EVENTS, { ...base, event_id: 'otro', event_type: CURP })).status).toBe(422)
  const unknown = { ...base, tracking_id: CARD, event_type: 'step_1' }
  const batch = await client.post(`${EVENTS}batch/`, {
    events: [unknown, { ...base, event_type: 'step_2', step_id: 1 }],
  })
  expect(batch.json().data.results.map(({ status }: { status: number }) => status)).toEqual([404, 422])
  const header = { headers: { 'idempotency-key': CURP } }
  expect((await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'nada' }, header)).status).toBe(422)
  const parameters = { token, click_id: lead.tracking_id, event: 'entregado', txid: CURP, cvv: '123', nota: CARD }
  const postback = await server.anonymous.get(`/api/v1/events/postback/?${new URLSearchParams(parameters)}`)
  expect(postback.json().meta.warnings.sort()).toEqual(['CARD_NUMBER_MASKED', 'CURP_MASKED', 'SECRET_MASKED'])
  expect([await countIn(CARD), await countIn(CURP)]).toEqual([0, 0])
  const stored = await eventsOf(server, lead.id)
  expect(stored.map(({ source }) => source)).toEqual(['caja [CURP omitida]', 'postback'])
  expect(stored[1]?.event_data).toEqual({ cvv: '[dato omitido]', nota: '[tarjeta omitida]' })
  expect(await countIn('[tarjeta omitida]')).toBeGreaterThan(3)
})

test('a source that grows by masking still fits its column', async () => {
  const { client, lead } = await makeFunnel(server)
  const source = `${'x'.repeat(34)}${CARD}`
  expect((await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'step_1', source })).status).toBe(201)
  expect((await eventsOf(server, lead.id))[0]?.source).toBe(`${'x'.repeat(34)}[tarjeta omitida`)
})

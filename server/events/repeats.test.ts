import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLead, startServer, type TestServer } from '../testing.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel, makeFunnel } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

type Sent = Record<string, unknown>

/** 'STORED', 'DUPLICATE' or the code of the refusal, by each door. */
const doors = {
  json: async ({ client, lead }: Funnel, sent: Sent) => {
    const { data, meta } = (await client.post(EVENTS, { tracking_id: lead.tracking_id, ...sent })).json()
    return data ? (data.duplicate ? 'DUPLICATE' : 'STORED') : meta.code
  },
  batch: async ({ client, lead }: Funnel, sent: Sent) => {
    const events = [{ tracking_id: lead.tracking_id, ...sent }]
    return (await client.post(`${EVENTS}batch/`, { events })).json().data.results[0].code
  },
  postback: async ({ token, lead }: Funnel, { event_type: event, ...sent }: Sent) => {
    const query = new URLSearchParams({ token, tracking_id: lead.tracking_id, event, ...sent } as Record<
      string,
      string
    >)
    const { data, meta } = (await server.anonymous.get(`/api/v1/events/postback/?${query}`)).json()
    return data ? (data.duplicate ? 'DUPLICATE' : 'STORED') : meta.code
  },
}
type Door = keyof typeof doors
const names = Object.keys(doors) as Door[]

test.for(names)('one id goes through the steps of a lead, and belongs to it alone (%s)', async (door) => {
  const funnel = await makeFunnel(server)
  const other = { ...funnel, lead: await makeLead(server.db, funnel.ids) }
  const tell = (event_type: string, event_id = 'T-1') => doors[door](funnel, { event_type, event_id })
  const told = [await tell('step_1'), await tell('aprobado'), await tell('entregado'), await tell('aprobado')]
  expect(told).toEqual(['STORED', 'STORED', 'STORED', 'DUPLICATE'])
  expect([await tell('step_1'), await tell('rechazado'), await tell('rechazado')]).toEqual([
    ...['DUPLICATE', 'STORED', 'DUPLICATE'],
  ])
  for (const event_type of ['aprobado', 'step_2'])
    expect(await doors[door](other, { event_type, event_id: 'T-1' })).toBe('IDEMPOTENCY_MISMATCH')
  expect(await entriesOf(server, funnel.lead.id)).toMatchObject([{ amount: '500.00' }, { amount: '500.00' }])
  expect([await eventsOf(server, other.lead.id), await entriesOf(server, other.lead.id)]).toEqual([[], []])
})

const pairs = names.flatMap((first) => names.map((second) => [first, second] as const))

test('what repeats is told by lead, step and id, whatever is around it and whichever door it came by', async () => {
  const funnel = await makeFunnel(server)
  const repeat = async (first: Door, second: Door, id: Sent) => {
    const lead = await makeLead(server.db, funnel.ids)
    const own = Object.fromEntries(Object.entries(id).map(([name, text]) => [name, `${text}-${lead.id}`]))
    const tell = (door: Door, more: Sent) =>
      doors[door]({ ...funnel, lead }, { event_type: 'aprobado', ...own, ...more })
    const codes = [
      await tell(first, { source: 'uno', ts: '1', amount: '500', occurred_at: '2026-11-27T10:00:00Z' }),
      await tell(second, { source: 'dos', ts: '2', amount: '500.00', event_data: 'rnd=7' }),
    ]
    const [events, entries] = [await eventsOf(server, lead.id), await entriesOf(server, lead.id)]
    return [codes, events.length, entries.length]
  }
  for (const id of [{ event_id: 'R' }, { transaction_id: 'R' }, {}])
    for (const [first, second] of pairs)
      expect([first, second, id, await repeat(first, second, id)]).toEqual([
        ...[first, second, id],
        [['STORED', 'DUPLICATE'], 1, 1],
      ])
})

test('one id at every step at once, from all doors and in a batch, is each step once', async () => {
  const funnel = await makeFunnel(server)
  const steps = ['step_1', 'step_2', 'aprobado', 'entregado']
  const calls = [...steps, ...steps, ...steps].map((event_type, index) =>
    doors[names[index % 3] as Door](funnel, { event_type, event_id: 'a la vez' }),
  )
  const events = steps.map((event_type) => ({ tracking_id: funnel.lead.tracking_id, event_type, event_id: 'a la vez' }))
  const batch = funnel.client.post(`${EVENTS}batch/`, { events: [...events, ...events] })
  const codes = [
    ...(await Promise.all(calls)),
    ...(await batch).json().data.results.map((r: { code: string }) => r.code),
  ]
  expect(codes.filter((code) => code === 'STORED')).toHaveLength(4)
  expect(codes.filter((code) => code === 'DUPLICATE')).toHaveLength(16)
  const stored = await eventsOf(server, funnel.lead.id)
  expect(stored.map(({ event_type_name }) => event_type_name).sort()).toEqual(steps.toSorted())
  expect(await entriesOf(server, funnel.lead.id)).toHaveLength(2)
})

test('an event under the key that earlier versions gave it is still the same', async () => {
  const funnel = await makeFunnel(server)
  await doors.json(funnel, { event_type: 'step_1', event_id: 'viejo' })
  expect(await eventsOf(server, funnel.lead.id)).toMatchObject([{ idempotency_key: 'i:viejo' }])
  const told = ['step_1', 'aprobado', 'aprobado'].map((event_type) => ({ event_type, event_id: 'viejo' }))
  const codes: string[] = []
  for (const event of told) codes.push(await doors.json(funnel, event))
  expect(codes).toEqual(['DUPLICATE', 'STORED', 'DUPLICATE'])
  const other = { ...funnel, lead: await makeLead(server.db, funnel.ids) }
  expect(await doors.json(other, { event_type: 'step_1', event_id: 'viejo' })).toBe('IDEMPOTENCY_MISMATCH')
})

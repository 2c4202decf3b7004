import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import { makeEvent } from '#db/factories.ts'
import { makeLead, makePair, makeStep, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { SHOWN_EVENTS } from './wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('a lead with too many events shows the newest of them, its neighbours all of theirs', async () => {
  const { ids } = await makePair(server.db)
  const [busy, calm] = [await makeLead(server.db, ids), await makeLead(server.db, ids)]
  const step = await makeStep(server.db, { product_id: ids.product_id })
  const { id: _, ...event } = await makeEvent(server.db, busy, step)
  const many = Array.from({ length: SHOWN_EVENTS + 4 }, () => ({ ...event, idempotency_key: `prueba ${unique()}` }))
  await server.db.insertInto('lead_event').values(many).execute()
  const [only] = [await makeEvent(server.db, calm, step)]
  const newest = await makeEvent(server.db, busy, step)
  const admin = await server.as({ role: 'admin' })
  const page: Lead[] = (await admin.get('/api/v1/leads/')).json().data.results
  const eventsOf = (id: number) => page.find((lead) => lead.id === id)?.events ?? []
  expect(eventsOf(calm.id).map(({ id }) => id)).toEqual([only.id, 0])
  expect(eventsOf(busy.id)).toHaveLength(SHOWN_EVENTS + 1)
  expect([eventsOf(busy.id)[0]?.id, eventsOf(busy.id).at(-1)?.id]).toEqual([newest.id, 0])
  const detail = (await admin.get(`/api/v1/leads/${busy.id}/`)).json().data
  expect(detail.events).toEqual(eventsOf(busy.id))
})

test('a list says what the newest events of a lead say up to a size, the lead by itself all', async () => {
  const { ids } = await makePair(server.db)
  const lead = await makeLead(server.db, ids)
  const step = await makeStep(server.db, { product_id: ids.product_id })
  const data = (size: number) => ({ event_data: JSON.stringify({ note: 'x'.repeat(size) }) })
  for (const size of [100, 16_000, 16_000, 100]) await makeEvent(server.db, lead, step, data(size))
  const sizesOf = (found: Lead) =>
    found.events.map(({ event_data }) => (event_data as { note: string } | null)?.note.length ?? 0)
  const sizes = async (client: TestClient) => [
    sizesOf((await client.get(`/api/v1/leads/?product_id=${ids.product_id}`)).json().data.results[0]),
    sizesOf((await client.get(`/api/v1/leads/${lead.id}/`)).json().data),
  ]
  const issuer = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const affiliate = await server.as({ role: 'affiliate', affiliateId: ids.affiliate_id })
  expect(await sizes(issuer)).toEqual([
    [100, 16_000, 16_000, 100, 0],
    [100, 16_000, 16_000, 100, 0],
  ])
  await makeEvent(server.db, lead, step, data(1_000))
  expect(await sizes(issuer)).toEqual([
    [1_000, 100, 16_000, 0, 0, 0],
    [1_000, 100, 16_000, 16_000, 100, 0],
  ])
  expect(await sizes(affiliate)).toEqual([Array(6).fill(0), Array(6).fill(0)])
})

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '#db/connect.ts'
import { historiesOr } from '#db/testing.ts'
import { asOwner, makeLead, startServer, type TestServer } from '../testing.ts'
import { expectNoDrift } from '../totals/testing.ts'
import { EVENTS_POOL, EventStore } from './store.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel, type TypeName } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const makeLeads = (funnel: Funnel, count: number) =>
  Promise.all(Array.from({ length: count }, () => makeLead(server.db, funnel.ids)))

test('events that arrive together share a transaction, and one that the database refuses fails alone', async () => {
  const funnel = await makeFunnel(server)
  const leads = await makeLeads(funnel, 12)
  const db = connect(server.databaseUrl, { ...EVENTS_POOL, role: 'afluente_app' })
  const store = new EventStore(db)
  const send = (source: (index: number) => string, mark: string) =>
    Promise.allSettled(
      leads.map(({ tracking_id }, index) => {
        const event = { tracking_id, event_type: 'aprobado', event_id: `${mark}${index}`, source: source(index) }
        return store.store(funnel.issuer.id, event)
      }),
    )
  const transactionsOf = async (mark: string) => {
    const { rows } = await sql<{ events: number; transactions: number }>`
      select count(*) as events, count(distinct xmin::text) as transactions
      from lead_event where issuer_id = ${funnel.issuer.id} and event_id like ${`${mark}%`}`.execute(server.db)
    return rows[0]
  }
  await send(() => 'api', 'juntos')
  expect(await transactionsOf('juntos')).toEqual({ events: 12, transactions: 1 })
  const outcomes = await send((index) => (index === 5 ? 'x'.repeat(51) : 'api'), 'uno malo')
  await db.destroy()
  expect(outcomes.map(({ status }) => status)).toEqual(
    leads.map((_, index) => (index === 5 ? 'rejected' : 'fulfilled')),
  )
  expect(await transactionsOf('uno malo')).toMatchObject({ events: 11 })
  await expectNoDrift(server.db)
})

interface Said {
  lead: number
  type: TypeName | 'inventado'
  id: number | undefined
  data: string | undefined
}

const anySaid: fc.Arbitrary<Said> = fc.record({
  lead: fc.nat(3),
  type: fc.constantFrom<Said['type']>('step_1', 'aprobado', 'entregado', 'rechazado', 'inventado'),
  id: fc.option(fc.nat(4), { nil: undefined }),
  data: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
})

test('a batch comes to the same as its events one after another', async () => {
  const funnel = await makeFunnel(server)
  await fc.assert(
    fc.asyncProperty(fc.array(anySaid, { minLength: 1, maxLength: 12 }), async (said) => {
      expect(await outcomeOf(funnel, said, true)).toEqual(await outcomeOf(funnel, said, false))
    }),
    { numRuns: historiesOr(5) },
  )
  await expectNoDrift(server.db)
})

/** For leads and ids of its own; the last lead does not exist. */
async function outcomeOf(funnel: Funnel, said: Said[], together: boolean) {
  const leads = await makeLeads(funnel, 3)
  const events = said.map(({ lead, type, id, data }) => ({
    tracking_id: leads[lead]?.tracking_id ?? '019bc1d6-0000-7000-8000-000000000000',
    event_type: type,
    ...(id !== undefined && { event_id: `${leads[0]?.id} ${id}` }),
    ...(data !== undefined && { event_data: data }),
  }))
  const results = together
    ? (await funnel.client.post(`${EVENTS}batch/`, { events })).json().data.results.map(codeAndCommission)
    : await inTurn(events, async (event) => codeAndCommission(await resultOf(funnel, event)))
  const entries = await Promise.all(leads.map(({ id }) => entriesOf(server, id)))
  return { results, entries: entries.map((own) => own.map(({ amount, state, reason }) => ({ amount, state, reason }))) }
}

const codeAndCommission = ({ code, data }: { code: string; data: { commission: unknown } | null }) => ({
  code,
  commission: data?.commission,
})

async function resultOf({ client }: Funnel, event: unknown) {
  const answer = (await client.post(EVENTS, event)).json()
  const stored = answer.data?.duplicate ? 'DUPLICATE' : 'STORED'
  return { code: answer.success ? stored : answer.meta.code, data: answer.data }
}

async function inTurn<T, R>(all: T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const one of all) results.push(await run(one))
  return results
}

test('batches that want the same leads and the same ids in opposite orders are all stored', async () => {
  const funnel = await makeFunnel(server)
  const leads = await makeLeads(funnel, 6)
  const others = await makeLeads(funnel, 6)
  const batchOf = (own: typeof leads, ids: number[]) => ({
    // Twice each lead, so that a batch takes more than one part.
    events: [...own, ...own].map(({ tracking_id }, index) => ({
      ...{ tracking_id, event_type: index < own.length ? 'aprobado' : 'rechazado' },
      event_id: `${index < own.length}${ids[index % own.length]}`,
    })),
  })
  const order = [0, 1, 2, 3, 4, 5]
  const batches = [batchOf(leads, order), batchOf(leads.toReversed(), order.toReversed())]
  const crossed = [batchOf(others, order.toReversed()), batchOf(others.toReversed(), order)]
  const answers = await Promise.all(
    [...batches, ...crossed, ...batches].map((batch) => funnel.client.post(`${EVENTS}batch/`, batch)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const codes = answers.flatMap((answer) => answer.json().data.results.map(({ code }: { code: string }) => code))
  expect(codes.filter((code) => code === 'STORED')).toHaveLength(12)
  await expectNoDrift(server.db)
})

const waitingForLocks = async () => {
  const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`.execute(server.db)
  return rows.length
}

test("one issuer's batches leave connections to the others, and more of them than can wait are a 503", async () => {
  const [busy, other] = [await makeFunnel(server), await makeFunnel(server)]
  const batches: ReturnType<typeof busy.client.post>[] = []
  await asOwner(server.databaseUrl, (owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`select from lead where tracking_id = ${busy.lead.tracking_id} for update`.execute(tx)
      let answered = 0
      for (let index = 0; index < 30; index += 1) {
        const event = { tracking_id: busy.lead.tracking_id, event_type: 'aprobado', event_id: `mucho ${index}` }
        const batch = busy.client.post(`${EVENTS}batch/`, { events: [event] })
        batches.push(batch)
        void batch.finally(() => (answered += 1))
      }
      // All have come: those for which there was no room are answered.
      await expect.poll(() => answered).toBe(7)
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(3), 20_000)
      const event = { tracking_id: other.lead.tracking_id, event_type: 'aprobado' }
      expect((await other.client.post(EVENTS, event)).status).toBe(201)
      expect(await waitingForLocks()).toBe(3)
    }),
  )
  const statuses = (await Promise.all(batches)).map(({ status }) => status)
  expect(Map.groupBy(statuses, (status) => status)).toEqual(
    new Map([
      [200, Array(23).fill(200)],
      [503, Array(7).fill(503)],
    ]),
  )
})

test('an event whose key is taken between lookup and insert is a repetition, whatever else it says', async () => {
  const { client, lead } = await makeFunnel(server)
  const calls: ReturnType<typeof client.post>[] = []
  await asOwner(server.databaseUrl, (owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`select from lead where tracking_id = ${lead.tracking_id} for update`.execute(tx)
      // Without event_id, each is alone in its batch: all have found nothing when the first one is let in.
      for (const event_data of ['a', 'a', 'b']) {
        const event = { tracking_id: lead.tracking_id, event_type: 'aprobado', event_data }
        calls.push(client.post(`${EVENTS}batch/`, { events: [event] }))
        await vi.waitFor(async () => expect(await waitingForLocks()).toBe(calls.length), 20_000)
      }
    }),
  )
  const results = (await Promise.all(calls)).map((answer) => codeAndCommission(answer.json().data.results[0]))
  const commission = { amount: '500.00', currency: 'MXN', status: 'accrued' }
  expect(results).toEqual([
    { code: 'STORED', commission },
    { code: 'DUPLICATE', commission },
    { code: 'DUPLICATE', commission },
  ])
  expect(await entriesOf(server, lead.id)).toHaveLength(1)
})

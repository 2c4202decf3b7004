import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lead, LeadState, leadStateLabels } from '#contract/leads.ts'
import type { PaymentStatus } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEvent } from '#db/factories.ts'
import { historiesOr } from '#db/testing.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import {
  asOwner,
  makeLead,
  makePair,
  makeStep,
  makeUser,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import type { Reader } from '../viewer.ts'
import { findPage } from './pages.ts'
import { fileAll, readWrongStates } from './states.testing.ts'
import { fileStatesOnce } from './states.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const states = LeadState.options

async function send({ client }: Funnel, { tracking_id }: { tracking_id: string }, event_type: TypeName) {
  const answer = await client.post(EVENTS, { tracking_id, event_type, event_id: `${tracking_id} ${event_type}` })
  expect([200, 201, 409], answer.text).toContain(answer.status)
}

async function listed(client: TestClient, query: string) {
  const { results, pagination } = (await client.get(`/api/v1/leads/?${query}`)).json().data
  return { results: results as Lead[], count: pagination.count as number }
}

/** All leads of a product by the state that they show, and by the one that they are found with. */
async function shownAndFound(client: TestClient, query: string) {
  const shown = Map.groupBy((await listed(client, query)).results, ({ state }) => state)
  const found = new Map<LeadState, Lead[]>()
  for (const state of states) {
    const { results, count } = await listed(client, `${query}&state=${state}`)
    expect(count).toBe(results.length)
    if (results.length) found.set(state, results)
  }
  const idsOf = (leads: Map<LeadState, Lead[]>) =>
    Object.fromEntries(states.map((state) => [state, leads.get(state)?.map(({ id }) => id) ?? []]))
  return { shown: idsOf(shown), found: idsOf(found) }
}

async function expectAgreement(client: TestClient, query: string) {
  const { shown, found } = await shownAndFound(client, query)
  expect(found).toEqual(shown)
  return found
}

async function readDue(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from lead_state_due`.execute(server.db)
  return rows[0]?.count ?? 0
}

/** While `during` runs, nothing is filed. */
async function unfiled(during: () => Promise<void>): Promise<void> {
  return asOwner(server.databaseUrl, (owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('file_lead_states', 0))`.execute(tx)
      await during()
    }),
  )
}

let made = 0

/** Each in a period of its own. */
async function pay({ relationship }: Funnel, payment_status: PaymentStatus = 'paid') {
  made += 1
  const period = { period_start: addDays(dateInMexico(), -made), period_end: dateInMexico() }
  const path = `/api/v1/payments/preview/?relationship=${relationship.id}&period_start=${period.period_start}&period_end=${period.period_end}`
  const { total_amount } = (await admin.get(path)).json().data
  const form = { ...paymentForm(relationship.id), ...period, total_amount, payment_status }
  return admin.post('/api/v1/payments/', form)
}

/** A lead in each state, all of one product. */
async function makeLeadOfEach() {
  const funnel = await makeFunnel(server)
  const [click, in_process, approved, rejected] = [
    await makeLead(server.db, funnel.ids),
    await makeLead(server.db, funnel.ids),
    await makeLead(server.db, funnel.ids),
    await makeLead(server.db, funnel.ids),
  ]
  await send(funnel, funnel.lead, 'aprobado')
  expect((await pay(funnel)).status).toBe(201)
  await send(funnel, in_process, 'step_1')
  await send(funnel, approved, 'aprobado')
  await send(funnel, rejected, 'rechazado')
  const ids = {
    ...{ click: [click.id], in_process: [in_process.id], approved: [approved.id], rejected: [rejected.id] },
    paid: [funnel.lead.id],
  }
  return { funnel, ids }
}

test('the three roles find their leads by state, at once and after it is filed, also in the file', async () => {
  const { funnel, ids } = await makeLeadOfEach()
  await makeLeadOfEach() // somebody else's
  const clients = [
    await server.as({ role: 'issuer', issuerId: funnel.issuer.id }),
    await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id }),
  ]
  const look = async () => {
    expect(await expectAgreement(admin, `product_id=${funnel.product.id}`)).toEqual(ids)
    for (const client of clients) {
      expect(await expectAgreement(client, '')).toEqual(ids)
      for (const state of states) {
        const lines = (await client.get(`/api/v1/exports/leads/?state=${state}`)).text.trimEnd().split('\r\n')
        expect(lines.map((line) => line.split(',')[0])).toEqual(['ID', ...ids[state].map(String)])
        expect(lines[1]).toContain(`,${leadStateLabels[state]},`)
      }
    }
  }
  await unfiled(async () => {
    const lead = await makeLead(server.db, funnel.ids)
    await send(funnel, lead, 'step_1')
    ids.in_process.unshift(lead.id)
    expect(await readDue()).toBeGreaterThan(0)
    await look()
  })
  await fileAll(server)
  expect(await readWrongStates(server)).toEqual([])
  await look()
})

test('a state goes with every other filter, order and page', async () => {
  const { ids } = await makePair(server.db)
  const step = await makeStep(server.db, { product_id: ids.product_id })
  for (const [place, external_id] of ['b', 'a', 'c', 'd'].entries()) {
    const created_at = `2025-03-0${place + 1}T18:00:00Z`
    const lead = await makeLead(server.db, { ...ids, external_id, utm_source: `fuente ${place % 2}`, created_at })
    if (external_id !== 'd') await makeEvent(server.db, lead, step, {})
  }
  const named = async (query: string) =>
    (await listed(admin, `product_id=${ids.product_id}&${query}`)).results.map(({ external_id }) => external_id)
  const look = async () => {
    expect(await named('state=in_process')).toEqual(['c', 'a', 'b'])
    expect(await named('state=in_process&ordering=external_id')).toEqual(['a', 'b', 'c'])
    expect(await named('state=in_process&ordering=-id')).toEqual(['c', 'a', 'b'])
    expect(await named('state=in_process&page_size=1&page=2')).toEqual(['a'])
    expect(await named('state=in_process&page_size=1&page=4')).toEqual([])
    expect(await named('state=in_process&utm_source=fuente%200')).toEqual(['c', 'b'])
    expect(await named('state=click&utm_source=fuente%201')).toEqual(['d'])
    expect(await named('state=in_process&from=2025-03-02&to=2025-03-02')).toEqual(['a'])
    expect(await named('state=in_process&from=2025-03-02&external_id=c')).toEqual(['c'])
    expect(await named(`state=in_process&affiliate_id=${ids.affiliate_id}`)).toEqual(['c', 'a', 'b'])
    expect(await named('state=in_process&affiliate_id=999999')).toEqual([])
    expect(await named('state=paid')).toEqual([])
  }
  await unfiled(look)
  await fileAll(server)
  await look()
})

test('a lead of which all events are voided is found as a click at once', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, funnel.lead, 'step_1')
  await fileAll(server)
  const { id: author_id } = await makeUser(server.db, { role: 'admin' })
  await unfiled(async () => {
    await sql`insert into lead_ruling (lead_id, tracking_id, kind, lead_event_id, note, author_id)
      select lead_id, tracking_id, 'void', id, 'El banco mandó otro archivo', ${author_id}
      from lead_event where lead_id = ${funnel.lead.id}`.execute(server.db)
    const { click } = await expectAgreement(admin, `product_id=${funnel.product.id}`)
    expect(click).toEqual([funnel.lead.id])
  })
  await fileAll(server)
  expect(await readWrongStates(server)).toEqual([])
})

test('an unknown state is refused', async () => {
  const answer = await admin.get('/api/v1/leads/?state=perdido')
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('Estado no válido')
})

test('a batch and one more lead take two calls, and one that is killed is simply made again', async () => {
  await fileAll(server)
  const { ids } = await makePair(server.db)
  const step = await makeStep(server.db, { product_id: ids.product_id })
  await asOwner(server.databaseUrl, async (owner) => {
    const killed = owner.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('file_lead_states', 0))`.execute(tx)
      for (const _ of [1, 2, 3, 4]) await makeEvent(server.db, await makeLead(server.db, ids), step, {})
      const { rows } = await sql<{ filed: number }>`select file_lead_states(3) as filed`.execute(tx)
      expect(rows[0]?.filed).toBe(3)
      expect(await fileStatesOnce(server.appDb, 3)).toBe(0) // another has its turn
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
  })
  await fileAll(server)
  expect(await readWrongStates(server)).toEqual([])
  expect((await listed(admin, `product_id=${ids.product_id}&state=in_process`)).count).toBe(4)
})

type Step =
  | { kind: 'event'; lead: number; type: TypeName }
  | { kind: 'pay'; status: PaymentStatus }
  | { kind: 'status'; payment: number; status: PaymentStatus }
  | { kind: 'remove'; payment: number }
  | { kind: 'file' }

const LEADS = 4
const is = <K extends Step['kind']>(kind: K) => fc.constant(kind)
const status = fc.constantFrom<PaymentStatus>('pending', 'processing', 'paid', 'cancelled')
const type = fc.constantFrom<TypeName>('step_1', 'aprobado', 'entregado', 'rechazado')
const payment = fc.nat(2)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: is('event'), lead: fc.nat(LEADS - 1), type }) },
  { weight: 2, arbitrary: fc.record({ kind: is('pay'), status }) },
  { weight: 3, arbitrary: fc.record({ kind: is('status'), payment, status }) },
  { weight: 1, arbitrary: fc.record({ kind: is('remove'), payment }) },
  { weight: 2, arbitrary: fc.record({ kind: is('file') }) },
)

async function makeWorld() {
  const funnel = await makeFunnel(server)
  const leads: { tracking_id: string }[] = [funnel.lead]
  while (leads.length < LEADS) leads.push(await makeLead(server.db, funnel.ids))
  const payments: number[] = []
  const run = async (step: Step) => {
    if (step.kind === 'event') return send(funnel, leads[step.lead] as { tracking_id: string }, step.type)
    if (step.kind === 'file') return void (await fileStatesOnce(server.appDb, 3))
    if (step.kind === 'pay') {
      const answer = await pay(funnel, step.status)
      expect([201, 409, 422], answer.text).toContain(answer.status)
      if (answer.status === 201) payments.push(answer.json().data.id)
      return
    }
    const path = `/api/v1/payments/${payments[step.payment] ?? 0}/`
    const changes = 'status' in step && { payment_status: step.status, cancel_reason: 'Se pagó a otra cuenta' }
    const answer = changes ? await admin.put(path, changes) : await admin.delete(path)
    expect([200, 204, 404, 409, 422], answer.text).toContain(answer.status)
  }
  return { query: `product_id=${funnel.product.id}`, run }
}

test('after any history leads are found by the state that they show, filed or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 16, size: 'max' }), async (steps) => {
      const { query, run } = await makeWorld()
      for (const step of steps) await run(step)
      await expectAgreement(admin, query)
      await fileAll(server)
      expect(await readWrongStates(server)).toEqual([])
      await expectAgreement(admin, query)
    }),
    { numRuns: historiesOr(5) },
  )
})

test('also when all happens at once, filed by many', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 16, maxLength: 30, size: 'max' }), async (steps) => {
      const { query, run } = await makeWorld()
      const groups = [0, 1, 2].map((part) => steps.filter((_, at) => at % 3 === part))
      for (const group of groups) await Promise.all(group.map(run))
      await expectAgreement(admin, query)
      await Promise.all(Array.from({ length: 4 }, () => fileStatesOnce(server.appDb, 2)))
      await fileAll(server)
      expect(await readWrongStates(server)).toEqual([])
    }),
    { numRuns: historiesOr(3) },
  )
})

test('beyond 10,000 leads of a state are counted as more, and the deepest pages refused', async () => {
  const { ids } = await makePair(server.db)
  await asOwner(server.databaseUrl, async (owner) => {
    await sql`with made as (
        insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, utm_term)
        select gen_random_uuid(), 1, ${ids.affiliate_id}, ${ids.issuer_id}, ${ids.product_id}, 'credito' from generate_series(1, 10001)
        returning *
      )
      insert into lead_state select tracking_id, affiliate_id, issuer_id, product_id, 'in_process' from made`.execute(
      owner,
    )
  })
  for (const query of [
    'ordering=-created_at',
    'ordering=external_id',
    'utm_term=credito',
    'utm_term=credito&ordering=id',
  ]) {
    const path = `/api/v1/leads/?product_id=${ids.product_id}&state=in_process&${query}`
    const { data, meta } = (await admin.get(path)).json()
    expect([data.pagination.count, data.results.length, meta.count_is_capped]).toEqual([10_000, 50, true])
    const last = await admin.get(`${path}&page=200`)
    expect(last.json().data.results).toHaveLength(50)
    const part = await admin.get(`${path}&page_size=30&page=334`)
    expect(part.json().data.results).toHaveLength(10)
    expect((await admin.get(`${path}&page=201`)).json()).toMatchObject({ meta: { code: 'PAGE_TOO_DEEP' } })
  }
})

test('a page of many leads of a state reads no more of them than are counted', async () => {
  const { ids } = await makePair(server.db)
  await asOwner(server.databaseUrl, async (owner) => {
    await sql`insert into lead_state
      select gen_random_uuid(), ${ids.affiliate_id}, ${ids.issuer_id}, ${ids.product_id}, 'rejected'
      from generate_series(1, 30000)`.execute(owner)
    await sql`analyze lead_state`.execute(owner)
  })
  const read = await server.appDb.transaction().execute(async (tx) => {
    const rowsRead = async () => {
      const { rows } = await sql<{ rows: number }>`select (seq_tup_read + idx_tup_fetch)::int as rows
        from pg_stat_xact_user_tables where relname = 'lead_state'`.execute(tx)
      return rows[0]?.rows ?? 0
    }
    const before = await rowsRead()
    const filters = { state: 'rejected', ordering: '-created_at', page: 2, page_size: 50 } as const
    const { ids: found } = await findPage(tx, { role: 'admin' } as Reader, { product_id: ids.product_id, ...filters })
    expect(found).toHaveLength(50)
    return (await rowsRead()) - before
  })
  expect(read).toBeLessThan(10_001 + 1_000)
})

import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentStatus } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry, makeEvent } from '#db/factories.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { fileAll, fileNow } from '../leads/filing.testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { asOwner, makeLead, makePair, makeStep, startServer, type TestClient, type TestServer } from '../testing.ts'
import { earningsOf, expectNoDrift, keepSpans, stepsOf } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('leads are counted by the day of Mexico City, also while it had summer time', async () => {
  const { ids } = await makePair(server.db)
  for (const created_at of ['2025-03-05T05:59:59.999Z', '2025-03-05T06:00:00.000Z', '2022-07-01T05:00:00.000Z'])
    await makeLead(server.db, { ...ids, created_at })
  const days = await server.db
    .selectFrom('lead_count')
    .select(['day', 'count'])
    .where('issuer_id', '=', ids.issuer_id)
    .orderBy('day')
    .execute()
  expect(days).toEqual([
    { day: '2022-07-01', count: 1 },
    { day: '2025-03-04', count: 1 },
    { day: '2025-03-05', count: 1 },
  ])
  await expectNoDrift(server.db)
})

test('a step is reached once, on the day of the event and for the day of the click', async () => {
  const { ids } = await makePair(server.db)
  const lead = await makeLead(server.db, { ...ids, created_at: '2025-03-01T18:00:00Z' })
  const step = await makeStep(server.db, { product_id: ids.product_id })
  await makeEvent(server.db, lead, step, { created_at: '2025-03-04T18:00:00Z' })
  await makeEvent(server.db, lead, step, { created_at: '2025-03-05T18:00:00Z' })
  expect(await stepsOf(server.db, ids)).toMatchObject([
    { day: '2025-03-01', step_id: step.id, reached: 0, clicks_reached: 1 },
    { day: '2025-03-04', step_id: step.id, reached: 1, clicks_reached: 0 },
  ])
})

test('a lead converts once however many of its steps pay, and no more once it is rejected', async () => {
  const funnel = await makeFunnel(server)
  const send = (event_type: string) =>
    funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type, event_id: event_type })
  await send('aprobado')
  await send('entregado')
  expect(await stepsOf(server.db, funnel.ids)).toMatchObject([
    { step_id: funnel.steps.aprobado.id, reached: 1, clicks_reached: 1 },
    { step_id: funnel.steps.entregado.id, reached: 1, clicks_reached: 1 },
  ])
  expect(await earningsOf(server.db, funnel.ids)).toMatchObject([{ conversions: 1, accrued: '1000.00' }])
  await send('rechazado')
  expect(await earningsOf(server.db, funnel.ids)).toMatchObject([
    { conversions: 0, accrued: '0.00', reversed: '1000.00' },
  ])
})

test('what was paid and taken back counts against the day of taking back', async () => {
  const { ids } = await makePair(server.db)
  const entry = await makeEntry(server.db, ids, { earned_at: '2025-03-04T18:00:00Z' })
  const { lead_id } = entry
  const back = { amount: '-500.00', earned_at: '2025-04-01T18:00:00Z', reversal_of: entry.id }
  await makeEntry(server.db, ids, { lead_id, ...back })
  expect(await earningsOf(server.db, ids)).toMatchObject([
    { day: '2025-03-04', conversions: 1, accrued: '500.00' },
    { day: '2025-04-01', conversions: -1, accrued: '-500.00' },
  ])
  await expectNoDrift(server.db)
})

test('what a transaction that failed had noted is gone with it', async () => {
  const { ids } = await makePair(server.db)
  const failing = server.db.transaction().execute(async (tx) => {
    await makeEntry(tx, ids, {})
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await earningsOf(server.db, ids)).toEqual([])
  expect(await stepsOf(server.db, ids)).toEqual([])
  await expectNoDrift(server.db)
})

/** What is found while a total is one too high. */
async function driftWhile(figure: string, shift: (by: number) => RawBuilder<unknown>): Promise<unknown[]> {
  const drift = sql`select source, figures ->> ${figure} as ${sql.ref(figure)} from total_drift() order by 1`
  const found: unknown[] = []
  await asOwner(server.databaseUrl, async (owner) => {
    await shift(1).execute(owner)
    found.push(...(await drift.execute(server.db)).rows)
    await shift(-1).execute(owner)
  })
  return found
}

test('a total that is wrong by one is found', async () => {
  const { ids } = await makePair(server.db)
  await makeEntry(server.db, ids, { earned_at: '2025-03-04T18:00:00Z' })
  const shift = (by: number) =>
    sql`update earning_total set conversions = conversions + ${by} where affiliate_id = ${ids.affiliate_id}`
  expect(await driftWhile('conversions', shift)).toEqual([
    { source: 'kept', conversions: '2' },
    { source: 'recount', conversions: '1' },
  ])
})

test('a wrong count of one party alone is found', async () => {
  const { ids } = await makePair(server.db)
  await makeLead(server.db, ids)
  await fileAll(server)
  const shift = (by: number) =>
    sql`update filed_day set count = count + ${by} where (party, party_id) = ('product_id', ${ids.product_id})`
  expect(await driftWhile('own_leads', shift)).toEqual([
    { source: 'kept', own_leads: '2' },
    { source: 'recount', own_leads: '1' },
  ])
})

test('a wrong sum of what a payment holds is found, and an entry that it may not hold', async () => {
  const { ids, relationship } = await makePair(server.db)
  const entry = await makeEntry(server.db, ids, { amount: '90.00', earned_at: '2025-03-04T18:00:00Z' })
  const admin = await server.as({ role: 'admin' })
  const { id } = (await admin.post('/api/v1/payments/', paymentForm(relationship.id))).json().data
  const shift = (by: number) => sql`update held_total set amount = amount + ${by} where payment_id = ${id}`
  expect(await driftWhile('amount', shift)).toEqual([
    { source: 'kept', amount: '91.00' },
    { source: 'recount', amount: '90.00' },
  ])
  const shorten = (by: number) => sql`update payment set period_end = period_end - ${by * 28}::int where id = ${id}`
  expect(await driftWhile('entry', shorten)).toEqual([{ source: 'recount', entry: `${entry.id}` }])
})

test('the application can read the totals and not write them', async () => {
  const attempts = [
    sql`update step_total set reached = 0`,
    sql`delete from step_total`,
    sql`update earning_total set paid = 0`,
    sql`delete from earning_total`,
    sql`update held_total set amount = 0`,
    sql`delete from filed_count`,
    sql`update filed_day set count = 0`,
    sql`update span_total set leads = 0`,
    sql`update earning_day set paid = 0`,
    sql`delete from kept_span`,
    sql`delete from day_change`,
    sql`insert into total_change (is_first, day, affiliate_id, issuer_id, product_id) values (true, now(), 1, 1, 1)`,
    sql`select note_entries('{}', array(select e from commission_entry e))`,
  ]
  for (const attempt of attempts) await expect(attempt.execute(server.db)).rejects.toThrow(/permission denied/)
})

type Step =
  | { kind: 'lead'; funnel: number; age: number }
  | { kind: 'entry'; funnel: number; age: number }
  | { kind: 'keep' }
  | { kind: 'file' }
  | { kind: 'event'; funnel: number; lead: number; type: string; attempt: number }
  | { kind: 'payment'; funnel: number; period: number; status: PaymentStatus }
  | { kind: 'status'; payment: number; status: PaymentStatus }
  | { kind: 'move'; payment: number; funnel: number; period: number }
  | { kind: 'remove'; payment: number }

const FUNNELS = 2
const today = dateInMexico()
const noonBefore = (days: number) => `${addDays(today, -days)}T12:00:00Z`
const periods = [1, 2, 30].map((days) => ({ period_start: addDays(today, -days), period_end: today }))

const status = fc.constantFrom<PaymentStatus>('pending', 'processing', 'paid', 'cancelled')
const funnel = fc.nat(FUNNELS - 1)
const payment = fc.nat(3)
const type = fc.constantFrom('step_1', 'aprobado', 'entregado', 'rechazado')
const is = <K extends Step['kind']>(kind: K) => fc.constant(kind)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: is('lead'), funnel, age: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: is('entry'), funnel, age: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ kind: is('keep') }) },
  { weight: 2, arbitrary: fc.record({ kind: is('file') }) },
  { weight: 6, arbitrary: fc.record({ kind: is('event'), funnel, lead: fc.nat(3), type, attempt: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: is('payment'), funnel, period: fc.nat(2), status }) },
  { weight: 3, arbitrary: fc.record({ kind: is('status'), payment, status }) },
  { weight: 1, arbitrary: fc.record({ kind: is('move'), payment, funnel, period: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: is('remove'), payment }) },
)

/** Two funnels and what people and systems do to them; what is refused is refused, what fails is not. */
class World {
  readonly funnels: Funnel[]
  readonly admin: TestClient
  readonly leads: string[][]
  readonly payments: number[] = []

  constructor(funnels: Funnel[], admin: TestClient) {
    this.funnels = funnels
    this.admin = admin
    this.leads = funnels.map(({ lead }) => [lead.tracking_id])
  }

  async run(step: Step): Promise<void> {
    const at = 'funnel' in step ? (this.funnels[step.funnel] as Funnel) : undefined
    if (step.kind === 'keep') await keepSpans(server.db)
    else if (step.kind === 'file') await fileNow(server)
    else if (step.kind === 'entry') await makeEntry(server.db, (at as Funnel).ids, { earned_at: noonBefore(step.age) })
    else if (step.kind === 'lead') {
      const created_at = noonBefore(step.age)
      const { tracking_id } = await makeLead(server.db, { ...(at as Funnel).ids, created_at })
      this.leads[step.funnel]?.push(tracking_id)
    } else if (step.kind === 'event') {
      const tracking_id = this.leads[step.funnel]?.[step.lead]
      if (!tracking_id) return
      const event_id = `${tracking_id} ${step.type} ${step.attempt}`
      expectServed((await (at as Funnel).client.post(EVENTS, { tracking_id, event_type: step.type, event_id })).status)
    } else if (step.kind === 'payment') {
      const form = { ...paymentForm((at as Funnel).relationship.id), ...periods[step.period] }
      const answer = await this.admin.post('/api/v1/payments/', { ...form, payment_status: step.status })
      expectServed(answer.status)
      if (answer.status === 201) this.payments.push(answer.json().data.id)
    } else await this.#change(step, at)
  }

  async #change(step: Extract<Step, { payment: number }>, at: Funnel | undefined): Promise<void> {
    const id = this.payments[step.payment]
    if (id === undefined) return
    const path = `/api/v1/payments/${id}/`
    const changes =
      step.kind === 'status'
        ? { payment_status: step.status }
        : step.kind === 'move' && { relationship: at?.relationship.id, ...periods[step.period] }
    const answer = changes ? await this.admin.put(path, changes) : await this.admin.delete(path)
    expectServed(answer.status)
  }
}

const expectServed = (code: number): void => expect([200, 201, 204, 404, 409, 422]).toContain(code)

const makeWorld = async () =>
  new World([await makeFunnel(server), await makeFunnel(server)], await server.as({ role: 'admin' }))

test('after any history the kept totals are those of a full recount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 20, size: 'max' }), async (steps) => {
      const world = await makeWorld()
      for (const step of steps) await world.run(step)
      await expectNoDrift(server.db)
    }),
    { numRuns: 25, interruptAfterTimeLimit: 6_000 },
  )
})

test('also when all happens at once, and nobody waits in a ring', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      const world = await makeWorld()
      const isMade = ({ kind }: Step) => kind === 'lead' || kind === 'entry'
      for (const step of steps.filter(isMade)) await world.run(step)
      const groups = [0, 1, 2].map((part) => steps.filter((step, at) => !isMade(step) && at % 3 === part))
      for (const group of groups) await Promise.all(group.map((step) => world.run(step)))
      await expectNoDrift(server.db)
    }),
    { numRuns: 15, interruptAfterTimeLimit: 6_000 },
  )
})

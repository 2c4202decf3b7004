import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentStatus } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry, makeEvent } from '#db/factories.ts'
import { historiesOr } from '#db/testing.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { closeAll } from '../leads/partitions.testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { inSnapshot } from '../snapshot.ts'
import {
  asOwner,
  makeLead,
  makePair,
  makeStep,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { foldOnce } from './fold.ts'
import { readLeadDays } from './read.ts'
import { readDrift } from './recount.ts'
import { earningsOf, expectNoDrift, foldAllTotals, stepsOf, untilStored } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('leads are counted by the day of Mexico City, also while it had summer time', async () => {
  const { ids } = await makePair(server.db)
  for (const created_at of ['2025-03-05T05:59:59.999Z', '2025-03-05T06:00:00.000Z', '2022-07-01T05:00:00.000Z'])
    await makeLead(server.db, { ...ids, created_at })
  const days = await inSnapshot(server.db, (tx) => readLeadDays(tx, [['issuer_id', ids.issuer_id]], {}))
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
    { day: '2025-03-01', step_id: step.id, events: 0, reached: 1 },
    { day: '2025-03-04', step_id: step.id, events: 1, reached: 0 },
  ])
})

test('a lead converts once however many of its steps pay, and no more once it is rejected', async () => {
  const funnel = await makeFunnel(server)
  const send = (event_type: string) =>
    funnel.client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type, event_id: event_type })
  await send('aprobado')
  await send('entregado')
  expect(await stepsOf(server.db, funnel.ids)).toMatchObject([
    { step_id: funnel.steps.aprobado.id, events: 1, reached: 1 },
    { step_id: funnel.steps.entregado.id, events: 1, reached: 1 },
  ])
  expect(await earningsOf(server.db, funnel.ids)).toMatchObject([{ conversions: 1, accrued: '1000.00' }])
  await send('rechazado')
  expect(await earningsOf(server.db, funnel.ids)).toMatchObject([
    { conversions: 0, accrued: '0.00', reversed: '1000.00' },
  ])
})

test('a paid entry that is taken back counts against that day', async () => {
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

test('a transaction that fails leaves no deltas', async () => {
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

test('a sum that is wrong by one is found', async () => {
  const { ids } = await makePair(server.db)
  await makeEntry(server.db, ids, { earned_at: '2025-03-04T18:00:00Z' })
  await foldAllTotals(server)
  await asOwner(server.databaseUrl, async (owner) => {
    for (const [grain, issuer_id] of [
      ['day', 0],
      ['month', ids.issuer_id],
    ] as const) {
      const shift = (by: number) =>
        owner
          .updateTable('total')
          .set({ conversions: sql`conversions + ${by}` })
          .where('affiliate_id', '=', ids.affiliate_id)
          .where('issuer_id', '=', issuer_id)
          .where('step_id', '=', 0)
          .where('grain', '=', grain)
          .where('conversions', '>', 0)
          .execute()
      await shift(1)
      expect(await readDrift(server.db)).toMatchObject([
        { source: 'actual', grain, conversions: 2 },
        { source: 'recount', grain, conversions: 1 },
      ])
      await shift(-1)
    }
  })
  await expectNoDrift(server.db)
})

test('folding changes no sum, also when many fold at once while facts come', async () => {
  const { ids } = await makePair(server.db)
  await makeEntry(server.db, ids, {})
  const facts = Array.from({ length: 11 }, () => makeEntry(server.db, ids, {}))
  const folds = Array.from({ length: 8 }, () => foldOnce(server.appDb, 3))
  await Promise.all([...facts, ...folds])
  const before = await earningsOf(server.db, ids)
  expect(before).toMatchObject([{ conversions: 12, accrued: '6000.00' }])
  // One that finds another at work leaves it to that.
  const remaining = async () => {
    await foldOnce(server.appDb, 5)
    return server.db.selectFrom('total_delta').select('id').execute()
  }
  await expect.poll(remaining).toEqual([])
  expect(await earningsOf(server.db, ids)).toEqual(before)
  await expectNoDrift(server.db)
})

type Step =
  | { kind: 'lead'; funnel: number; age: number }
  | { kind: 'entry'; funnel: number; age: number }
  | { kind: 'fold' }
  | { kind: 'close' }
  | { kind: 'event'; funnel: number; lead: number; type: string; attempt: number }
  | { kind: 'payment'; funnel: number; period: number; status: PaymentStatus }
  | { kind: 'status'; payment: number; status: PaymentStatus }
  | { kind: 'move'; payment: number; funnel: number; period: number }
  | { kind: 'remove'; payment: number }

const FUNNELS = 2
const today = dateInMexico()
/** Never later than now: leads of the future prevent cutting a partition. */
const noonBefore = (days: number) => `${addDays(today, -days)}T12:00:00Z`
const periods = [1, 2, 30].map((days) => ({ period_start: addDays(today, -days), period_end: today }))

const age = fc.integer({ min: 1, max: 40 })
const status = fc.constantFrom<PaymentStatus>('pending', 'processing', 'paid', 'cancelled')
const funnel = fc.nat(FUNNELS - 1)
const payment = fc.nat(3)
const type = fc.constantFrom('step_1', 'aprobado', 'entregado', 'rechazado')
const is = <K extends Step['kind']>(kind: K) => fc.constant(kind)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: is('lead'), funnel, age }) },
  { weight: 1, arbitrary: fc.record({ kind: is('entry'), funnel, age }) },
  { weight: 2, arbitrary: fc.record({ kind: is('fold') }) },
  { weight: 1, arbitrary: fc.record({ kind: is('close') }) },
  { weight: 6, arbitrary: fc.record({ kind: is('event'), funnel, lead: fc.nat(3), type, attempt: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: is('payment'), funnel, period: fc.nat(2), status }) },
  { weight: 3, arbitrary: fc.record({ kind: is('status'), payment, status }) },
  { weight: 1, arbitrary: fc.record({ kind: is('move'), payment, funnel, period: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: is('remove'), payment }) },
)

/** Two funnels and what people and systems do to them; requests may be refused but must not fail. */
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
    if (step.kind === 'fold') await foldOnce(server.appDb)
    else if (step.kind === 'close') await closeAll(server)
    else if (step.kind === 'entry') {
      const earned_at = noonBefore(step.age)
      await untilStored(() => makeEntry(server.db, (at as Funnel).ids, { earned_at }))
    } else if (step.kind === 'lead') {
      const created_at = noonBefore(step.age)
      const { ids } = at as Funnel
      const { tracking_id } = await untilStored(() => makeLead(server.db, { ...ids, created_at }))
      this.leads[step.funnel]?.push(tracking_id)
    } else if (step.kind === 'event') {
      const tracking_id = this.leads[step.funnel]?.[step.lead]
      if (!tracking_id) return
      const event_id = `${tracking_id} ${step.type} ${step.attempt}`
      expectServed(await (at as Funnel).client.post(EVENTS, { tracking_id, event_type: step.type, event_id }))
    } else if (step.kind === 'payment') {
      const form = { ...paymentForm((at as Funnel).relationship.id), ...periods[step.period] }
      const answer = await this.admin.post('/api/v1/payments/', { ...form, payment_status: step.status })
      expectServed(answer)
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
    expectServed(answer)
  }
}

const expectServed = ({ status, text }: TestAnswer): void =>
  expect([200, 201, 204, 404, 409, 422], text).toContain(status)

const makeWorld = async () =>
  new World(
    [await untilStored(() => makeFunnel(server)), await untilStored(() => makeFunnel(server))],
    await server.as({ role: 'admin' }),
  )

test('after any history the totals are those of a full recount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 20, size: 'max' }), async (steps) => {
      const world = await makeWorld()
      for (const step of steps) await world.run(step)
      await expectNoDrift(server.db)
    }),
    { numRuns: historiesOr(6) },
  )
})

test('also when all happens at once, without deadlocks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      const world = await makeWorld()
      const isMade = ({ kind }: Step) => kind === 'lead' || kind === 'entry'
      for (const step of steps.filter(isMade)) await world.run(step)
      const groups = [0, 1, 2].map((part) => steps.filter((step, at) => !isMade(step) && at % 3 === part))
      for (const group of groups) await Promise.all(group.map((step) => world.run(step)))
      await expectNoDrift(server.db)
    }),
    { numRuns: historiesOr(4) },
  )
})

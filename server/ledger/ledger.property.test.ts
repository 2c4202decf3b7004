import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumAmounts } from '#contract/money.ts'
import { amountOf } from '#contract/payment-texts.ts'
import type { Payment } from '#contract/payments.ts'
import { addDays } from '#contract/time.ts'
import { historiesOr } from '#db/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { FILES, startServer, type TestServer } from '../testing.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'
import { anyStep, type Step, today } from './steps.testing.ts'
import { calculated, isReached, makeWorld, shouldBeRejected, type World } from './world.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())

type Entry = Awaited<ReturnType<World['entries']>>[number]

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const sum = (entries: Entry[]): number => entries.reduce((total, { amount }) => total + cents(amount), 0)
const counts = ({ state }: Entry): boolean => state !== 'reversed'

const paying = ['aprobado', 'entregado'] as const

/**
 * A paying step earns once, the better of what was paid at the click and at the event where that is `known`, since one
 * came after the other; a lead is owed what the steps earned that events still say it reached, with what compensates that,
 * and nothing while it is rejected, whatever was paid meanwhile.
 */
async function expectEachLeadSettled(world: World, entries: Entry[], known: boolean): Promise<void> {
  for (const lead of world.leads) {
    const own = entries.filter(({ lead_id }) => lead_id === lead.id)
    const earned = own.filter(({ reversal_of }) => reversal_of === null)
    const { steps } = world.funnel
    const byStep = paying.map((type) => earned.filter(({ step_id }) => step_id === steps[type].id))
    if (known)
      expect(byStep.map((found) => found.map(({ amount }) => amount))).toEqual(
        paying.map((type) => [lead.due.get(type) ?? []].flat()),
      )
    for (const [place, type] of paying.entries())
      expect(byStep[place]?.length).toBeLessThanOrEqual(Number(lead.facts.some(({ says }) => says === type)))
    const isRejected = await world.isRejected(lead)
    if (known) expect(isRejected).toBe(shouldBeRejected(lead))
    const reached = byStep.filter((_, place) => isReached(lead, paying[place] as (typeof paying)[number])).flat()
    expect(sum(own.filter(counts))).toBe(isRejected ? 0 : sum(reached))
    const granted = entries.filter(({ compensates }) => earned.some(({ id }) => id === compensates))
    const stands = ({ compensates, reversal_of, is_voided }: Entry) =>
      reversal_of === null && !is_voided && reached.some(({ id }) => id === compensates)
    expect(sum(granted.filter(counts))).toBe(isRejected ? 0 : sum(granted.filter(stands)))
  }
}

/** What is owed is the payments' or nobody's, and each payment shows the sum of its own. */
async function expectPaymentsHold(world: World, entries: Entry[]): Promise<void> {
  const { id } = world.funnel.relationship
  const payments: Payment[] = (await world.admin.get(`/api/v1/payments/?relationship=${id}`)).json().data
  const differences = (await world.differences()).filter(counts)
  const states = { pending: 'in_payment', processing: 'in_payment', paid: 'paid', cancelled: 'accrued' }
  for (const payment of payments) {
    const held = entries.filter((entry) => entry.payment_id === payment.id && counts(entry))
    expect(cents(payment.entries_amount)).toBe(sum(held))
    expect(held.filter(({ due_on }) => due_on > payment.period_end)).toEqual([])
    expect(cents(payment.adjustment)).toBe(cents(payment.total_amount) - cents(payment.calculated_amount))
    if (payment.payment_status === 'paid') expect(payment.entries_amount).toBe(payment.calculated_amount)
    const own = differences.filter(({ of_payment }) => of_payment === payment.id)
    expect(sum(own)).toBe(payment.payment_status === 'cancelled' ? 0 : cents(payment.adjustment))
    if (payment.payment_status === 'paid') expect(cents(payment.total_amount)).toBe(sum(held) + sum(own))
    expect([...held, ...own].every(({ state }) => state === states[payment.payment_status])).toBe(true)
  }
  await expectOneSum(world, payments, [...entries, ...differences])
  expect(differences.every(({ of_payment }) => payments.some(({ id }) => id === of_payment))).toBe(true)
  const open = entries.filter(({ state }) => state === 'accrued')
  expect(open.every(({ payment_id }) => payment_id === null)).toBe(true)
  const inPayments = payments.reduce((total, payment) => total + cents(payment.entries_amount), 0)
  expect(sum(open) + inPayments).toBe(sum(entries.filter(counts)))
}

/** What the affiliate and the issuer read of open payments is one sum, that of what these hold. */
async function expectOneSum(world: World, payments: Payment[], entries: Entry[]): Promise<void> {
  const heldBy = (some: Payment[]) =>
    sum(entries.filter((entry) => counts(entry) && some.some(({ id }) => id === entry.payment_id)))
  const open = payments.filter(({ payment_status }) => ['pending', 'processing'].includes(payment_status))
  const [affiliate, issuer] = await world.summaries()
  expect(cents(affiliate.due.in_payment)).toBe(heldBy(open))
  const next = affiliate.next_payment
  if (next) expect(cents(next.amount)).toBe(heldBy(open.filter(({ payment_date }) => payment_date === next.day)))
  const pending = open.filter(({ payment_status }) => payment_status === 'pending')
  expect(cents(issuer.attention?.payments_amount ?? '')).toBe(heldBy(pending))
  expect(cents(sumAmounts(open.map(amountOf)))).toBe(heldBy(open))
}

/** Amounts never change, and an entry never disappears. */
function expectHistoryKept(before: Entry[], after: Entry[]): void {
  const now = new Map(after.map((entry) => [entry.id, entry]))
  for (const { id, amount, earned_at, lead_id, reversal_of } of before)
    expect(now.get(id)).toMatchObject({ amount, earned_at, lead_id, reversal_of })
}

/** The next payment takes what its preview says; cancelled again, it leaves everything as it was. */
async function expectPreviewKept(world: World): Promise<void> {
  const period = { period_start: addDays(today, -9), period_end: today }
  const shown = await world.preview(period)
  const { total_amount, entries_amount, entries } = shown
  const form = { ...paymentForm(world.funnel.relationship.id), ...period, ...calculated(shown) }
  const created = await world.admin.post('/api/v1/payments/', form)
  expect(created.json().data, created.text).toMatchObject({ entries_amount: total_amount, adjustment: '0.00' })
  const { id } = created.json().data
  const held = (await world.entries()).filter(({ payment_id }) => payment_id === id)
  const offered = cents(entries_amount) < 0 ? [] : entries.results
  expect(held.map((entry) => entry.id)).toEqual(offered.map((entry) => entry.id).sort((a, b) => a - b))
  expect(await world.preview({ ...period, id })).toMatchObject({ total_amount, entries_amount, upto: shown.upto })
}

/** A payment calculated again holds what the calculation showed, late entries included. */
async function expectRecalculationKept(world: World): Promise<void> {
  for (const id of world.payments) {
    const answer = await world.admin.get(`/api/v1/payments/${id}/`)
    const payment: Payment | undefined = answer.status === 404 ? undefined : answer.json().data
    if (!payment || payment.payment_status === 'cancelled') continue
    const shown = await world.preview(payment)
    const pending = { payment_status: 'pending', ...calculated(shown) }
    const saved = await world.admin.put(`/api/v1/payments/${id}/`, pending)
    expect(saved.json().data, saved.text).toMatchObject({ entries_amount: shown.total_amount, adjustment: '0.00' })
  }
}

async function expectSound(world: World, before: Entry[], known: boolean): Promise<Entry[]> {
  const entries = await world.entries()
  expectHistoryKept(before, entries)
  await expectEachLeadSettled(world, entries, known)
  await expectPaymentsHold(world, entries)
  return entries
}

const event = (lead: number, type: 'aprobado' | 'rechazado', attempt = 0): Step => ({
  kind: 'event',
  lead,
  type,
  attempt,
})
const file = (...rows: [number, 'aprobado' | 'rechazado'][]): Step => ({
  kind: 'file',
  rows: rows.map(([lead, type]) => ({ lead, type })),
  restores: false,
  attempt: 0,
})
const compensate = (cents: number): Step => ({ kind: 'compensate', owner: 'own', step: 'all', cents })
const examples: Step[][] = [
  // Taken back after it was paid; then the payment is open again and the rejection comes once more.
  [
    event(0, 'aprobado'),
    { kind: 'create', period: 0, status: 'paid' },
    event(0, 'rechazado'),
    { kind: 'status', payment: 0, status: 'pending' },
    event(0, 'rechazado', 1),
  ],
  // Paid, taken back by a file and given back by undoing it; earned by a file, paid, and by another event after its undoing.
  [
    event(0, 'aprobado'),
    file([1, 'aprobado']),
    { kind: 'create', period: 0, status: 'paid' },
    file([0, 'rechazado']),
    { kind: 'undo', file: 1 },
    { kind: 'undo', file: 0 },
    event(1, 'aprobado'),
  ],
  // Compensated and paid, taken back by a file and given back by undoing it; compensated once more and rejected.
  [
    event(0, 'aprobado'),
    compensate(60_000),
    { kind: 'create', period: 0, status: 'paid' },
    file([0, 'rechazado']),
    { kind: 'undo', file: 0 },
    compensate(45_000),
    event(0, 'rechazado'),
    { kind: 'void', adjustment: 1 },
    { kind: 'restore', lead: 0 },
  ],
  // Rejected while it is in an open payment, whose total is then typed anew; and one that is set back while another holds them.
  [
    event(0, 'aprobado'),
    event(1, 'aprobado'),
    { kind: 'create', period: 0, status: 'pending' },
    { kind: 'recalculate', payment: 0 },
    event(0, 'rechazado'),
    { kind: 'retype', payment: 0, cents: 100_000 },
    { kind: 'status', payment: 0, status: 'cancelled' },
    { kind: 'create', period: 1, status: 'processing' },
    { kind: 'recalculate', payment: 1 },
    { kind: 'status', payment: 0, status: 'pending' },
  ],
  // Earned on the last day of a payment that exists already.
  [event(0, 'aprobado'), { kind: 'create', period: 0, status: 'pending' }, event(1, 'aprobado')],
]

/** So many histories to a database, since its checks read all of it. */
const PER_DATABASE = 200
const LONG_MS = 86_400_000

async function overHistories<T>(few: number, property: fc.IAsyncProperty<T>, examples: T[] = []): Promise<void> {
  const wanted = historiesOr(few)
  for (let done = 0; done < wanted; done += PER_DATABASE) {
    if (done > 0) {
      await server.stop()
      server = await startServer({}, { works: [FILES] })
    }
    await fc.assert(property, {
      numRuns: Math.min(PER_DATABASE, wanted - done),
      examples,
    })
  }
}

test('no history of events, rates and payments loses or doubles a peso', { timeout: LONG_MS }, async () => {
  const history = fc.array(anyStep, { minLength: 6, maxLength: 16, size: 'max' })
  await overHistories(
    10,
    fc.asyncProperty(history, async (steps) => {
      const world = await makeWorld(server)
      let entries: Entry[] = []
      for (const step of steps) {
        const before = sum(entries.filter(counts))
        await world.run(step)
        entries = await expectSound(world, entries, true)
        if (world.promised !== undefined) expect(sum(entries.filter(counts)) - before).toBe(cents(world.promised))
      }
      await expectRecalculationKept(world)
      await expectPreviewKept(world)
      await expectSound(world, entries, true)
      await expectNoDrift(server.db)
      await expectConserved(server.db)
    }),
    examples.map((steps) => [steps]),
  )
})

test('nor does any when all happens at once', { timeout: LONG_MS }, async () => {
  const history = fc.array(fc.array(anyStep, { minLength: 2, maxLength: 8, size: 'max' }), {
    minLength: 2,
    maxLength: 4,
  })
  await overHistories(
    3,
    fc.asyncProperty(history, async (groups) => {
      const world = await makeWorld(server)
      let entries: Entry[] = []
      for (const group of groups) {
        await Promise.all(group.map((step) => world.run(step)))
        entries = await expectSound(world, entries, false)
      }
      await expectPreviewKept(world)
      await expectNoDrift(server.db)
      await expectConserved(server.db)
    }),
  )
})

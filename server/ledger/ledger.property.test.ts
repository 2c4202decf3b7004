// Longer than other files: a history and what must hold after it are read together.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { Payment, PaymentStatus } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { Validation } from '#contract/validation.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { makeLead, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'
import { foldOnce } from '../totals/fold.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const today = dateInMexico()
/** Entries are earned now: all but the last hold them. */
const periods = [1, 2, 3, 60].map((days, index) => ({
  period_start: addDays(today, -days),
  period_end: index < 3 ? today : addDays(today, -30),
}))

type Step =
  | { kind: 'event'; lead: number; type: 'aprobado' | 'entregado' | 'rechazado'; attempt: number }
  | { kind: 'reject'; lead: number }
  | { kind: 'restore'; lead: number }
  | { kind: 'term'; scope: number; validation: Validation; validation_days: number }
  | { kind: 'approve' }
  | { kind: 'hold' | 'release'; lead: number }
  | { kind: 'adjust'; cents: number }
  | { kind: 'void'; adjustment: number }
  | { kind: 'payout'; cents: number }
  | { kind: 'fold'; batchRows: number }
  | { kind: 'create'; period: number; status: PaymentStatus }
  | { kind: 'status'; payment: number; status: PaymentStatus }
  | { kind: 'period'; payment: number; period: number }
  | { kind: 'recalculate'; payment: number }
  | { kind: 'accept'; payment: number }
  | { kind: 'remove'; payment: number }

const LEADS = 3
const nat = (max: number) => fc.nat(max)
const status = fc.constantFrom<PaymentStatus>('pending', 'processing', 'paid', 'cancelled')
const type = fc.constantFrom('aprobado' as const, 'entregado' as const, 'rechazado' as const)
const validation = fc.constantFrom(...Validation.options)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('event'), lead: nat(LEADS - 1), type, attempt: nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject'), lead: nat(LEADS - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore'), lead: nat(LEADS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('term'), scope: nat(3), validation, validation_days: nat(1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('approve') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('adjust'), cents: fc.integer({ min: -30_000, max: 30_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void'), adjustment: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release'), lead: nat(LEADS - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('payout'), cents: nat(100_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fold'), batchRows: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create'), period: nat(3), status }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('status'), payment: nat(3), status }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('period'), payment: nat(3), period: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recalculate'), payment: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('accept'), payment: nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), payment: nat(3) }) },
)

type Asked = Pick<Payment, 'period_start' | 'period_end'> & { id?: number }

/** One issuer, one affiliate, three leads, and what was acknowledged so far. */
class World {
  readonly funnel: Funnel
  readonly admin: TestClient
  readonly leads: { id: number; tracking_id: string }[]
  readonly acknowledged: { lead: number; type: string }[] = []
  readonly payments: number[] = []
  readonly adjustments: number[] = []

  constructor(funnel: Funnel, admin: TestClient, leads: World['leads']) {
    this.funnel = funnel
    this.admin = admin
    this.leads = leads
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'event':
        return this.#event(step)
      case 'reject':
        return this.#rule(step.lead, 'reject', { reason_code: 'duplicado' }, 'ALREADY_REJECTED')
      case 'restore':
        return this.#rule(step.lead, 'restore', { note: 'El banco lo aclaró' }, 'NOT_REJECTED')
      case 'term':
        return this.#setTerm(step)
      case 'approve':
        return this.#approve()
      case 'hold':
      case 'release':
        return this.#hold(step)
      case 'adjust':
        return this.#adjust(step.cents)
      case 'void':
        return this.#void(step.adjustment)
      case 'payout': {
        const payout = (step.cents / 100).toFixed(2)
        return expectOk(await this.admin.put(`/api/v1/payouts/${this.funnel.commission.id}/`, { payout }))
      }
      case 'fold':
        return void (await foldOnce(server.db, step.batchRows))
      case 'create':
        return this.#create(step)
      case 'status':
        return this.#change(step.payment, { payment_status: step.status, cancel_reason: 'Se repite' })
      case 'period':
        return this.#change(step.payment, periods[step.period] ?? {})
      case 'recalculate':
        return this.#recalculate(step.payment)
      case 'accept':
        return this.#accept(step.payment)
      case 'remove':
        return this.#change(step.payment)
    }
  }

  async #event({ lead, type, attempt }: Step & { kind: 'event' }): Promise<void> {
    const tracking_id = this.leads[lead]?.tracking_id
    const body = { tracking_id, event_type: type, event_id: `${tracking_id} ${type} ${attempt}` }
    expectOk(await this.funnel.client.post(EVENTS, body))
    this.acknowledged.push({ lead, type })
  }

  async #rule(lead: number, what: 'reject' | 'restore', body: object, refusal: string): Promise<void> {
    const answer = await this.admin.post(`/api/v1/leads/${this.leads[lead]?.id}/${what}/`, body)
    if (answer.status === 409) expect(answer.json().meta.code).toBe(refusal)
    else expectOk(answer)
  }

  /** One a scope and day. */
  async #setTerm({ scope, validation, validation_days }: Step & { kind: 'term' }): Promise<void> {
    const { issuer, product, relationship } = this.funnel
    const scopes = [
      { issuer_id: issuer.id },
      { product_id: product.id },
      { relationship_id: relationship.id },
      { product_id: product.id, relationship_id: relationship.id },
    ]
    const form = { ...scopes[scope], valid_from: today, validation, validation_days }
    const answer = await this.admin.post('/api/v1/terms/', form)
    if (answer.status === 409) expect(answer.json().meta.code).toBe('TERM_EXISTS')
    else expectOk(answer)
  }

  async #approve(): Promise<void> {
    const waiting = await this.admin.get(`/api/v1/commission-entries/waiting/?issuer_id=${this.funnel.issuer.id}`)
    const ids = waiting.json().data.results.map(({ id }: { id: number }) => id)
    if (ids.length) expectOk(await this.admin.post('/api/v1/commission-entries/approve/', { ids }))
  }

  async #hold({ kind, lead }: Step & { kind: 'hold' | 'release' }): Promise<void> {
    const entry = (await this.entries()).findLast(({ lead_id }) => lead_id === this.leads[lead]?.id)
    if (!entry) return
    const body = { note: 'Se revisa con el banco', ...(kind === 'hold' && { reason: 'otro' }) }
    const answer = await this.admin.post(`/api/v1/commission-entries/${entry.id}/${kind}/`, body)
    const refusals = kind === 'hold' ? ['ALREADY_HELD', 'ENTRY_LOCKED', 'ENTRY_REJECTED'] : ['NOT_HELD']
    if (answer.status === 409) expect(refusals).toContain(answer.json().meta.code)
    else expectOk(answer)
  }

  async #adjust(cents: number): Promise<void> {
    if (cents === 0) return
    const form = { relationship: this.funnel.relationship.id, kind: 'adjustment', amount: (cents / 100).toFixed(2) }
    const answer = await this.admin.post('/api/v1/adjustments/', { ...form, note: 'Se acordó por correo' })
    expectOk(answer)
    this.adjustments.push(answer.json().data.id)
  }

  async #void(index: number): Promise<void> {
    const id = this.adjustments[index]
    if (id === undefined) return
    const answer = await this.admin.post(`/api/v1/adjustments/${id}/void/`, { note: 'Se capturó dos veces' })
    if (answer.status === 409) expect(['ADJUSTMENT_VOIDED', 'ENTRY_LOCKED']).toContain(answer.json().meta.code)
    else expectOk(answer)
  }

  async isRejected({ id }: { id: number }): Promise<boolean> {
    return (await this.admin.get(`/api/v1/leads/${id}/`)).json().data.rejection !== null
  }

  async #create({ period, status: payment_status }: Step & { kind: 'create' }): Promise<void> {
    const form = { ...paymentForm(this.funnel.relationship.id), ...periods[period], payment_status }
    const answer = await this.admin.post('/api/v1/payments/', form)
    if (answer.status === 201) this.payments.push(answer.json().data.id)
    else expect(answer.json().meta.code).toBe('DUPLICATE_PAYMENT')
  }

  /** Without changes: it is removed. */
  async #change(index: number, changes?: Record<string, unknown>): Promise<void> {
    const id = this.payments[index]
    if (id === undefined) return
    const path = `/api/v1/payments/${id}/`
    const answer = changes ? await this.admin.put(path, changes) : await this.admin.delete(path)
    if (![404, 409].includes(answer.status)) expectOk(answer)
  }

  async #recalculate(index: number): Promise<void> {
    const id = this.payments[index]
    const payment = id && (await this.admin.get(`/api/v1/payments/${id}/`))
    if (!payment || payment.status === 404) return
    const answer = await this.#askPreview(payment.json().data)
    if (answer.status === 404) return // removed since
    expectOk(answer)
    await this.#change(index, calculated(answer.json().data))
  }

  /** Pays it as it stands, naming the sum of now. */
  async #accept(index: number): Promise<void> {
    const id = this.payments[index]
    const payment = id && (await this.admin.get(`/api/v1/payments/${id}/`))
    if (!payment || payment.status === 404) return
    const { entries_amount } = payment.json().data
    await this.#change(index, { payment_status: 'paid', entries_amount, adjustment_reason: 'Así se acordó' })
  }

  #askPreview({ period_start, period_end, id }: Asked): Promise<TestAnswer> {
    const asked = { relationship: String(this.funnel.relationship.id), period_start, period_end, page_size: '100' }
    const query = new URLSearchParams(id === undefined ? asked : { ...asked, payment: String(id) })
    return this.admin.get(`/api/v1/payments/preview/?${query}`)
  }

  async preview(asked: Asked): Promise<PaymentPreview> {
    const answer = await this.#askPreview(asked)
    expectOk(answer)
    return answer.json().data
  }

  #ledger = () =>
    server.db.selectFrom('commission_entry').selectAll().where('issuer_id', '=', this.funnel.issuer.id).orderBy('id')

  /** What was earned. */
  entries = () => this.#ledger().where('of_payment', 'is', null).execute()

  /** What payments were typed above or below it. */
  differences = () => this.#ledger().where('of_payment', 'is not', null).execute()
}

/** What the form sends after 'Calcular'. */
const calculated = ({ total_leads, total_conversions, total_amount, entries_amount, upto }: PaymentPreview) => ({
  total_leads,
  total_conversions,
  total_amount,
  entries_amount,
  upto,
})

const expectOk = ({ status, text }: TestAnswer): void => {
  expect(status, text).toBeGreaterThanOrEqual(200)
  expect(status, text).toBeLessThan(300)
}

async function makeWorld(): Promise<World> {
  const funnel = await makeFunnel(server)
  const leads = []
  for (let count = 0; count < LEADS; count += 1) leads.push(await makeLead(server.db, funnel.ids))
  return new World(funnel, await server.as({ role: 'admin' }), leads)
}

type Entry = Awaited<ReturnType<World['entries']>>[number]

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const sum = (entries: Entry[]): number => entries.reduce((total, { amount }) => total + cents(amount), 0)
const counts = ({ state }: Entry): boolean => state !== 'reversed'

/** A paying step earns once; a lead is owed nothing while it is rejected, whatever was paid meanwhile, and all after. */
async function expectEachLeadSettled(world: World, entries: Entry[]): Promise<void> {
  for (const [index, lead] of world.leads.entries()) {
    const { id } = lead
    const seen = new Set(world.acknowledged.filter(({ lead }) => lead === index).map(({ type }) => type))
    const own = entries.filter(({ lead_id }) => lead_id === id)
    const earned = own.filter(({ reversal_of }) => reversal_of === null)
    const paying = ['aprobado', 'entregado'].filter((type) => seen.has(type)).length
    expect(earned).toHaveLength(paying)
    expect(new Set(earned.map(({ step_id }) => step_id)).size).toBe(paying)
    expect(sum(own.filter(counts))).toBe((await world.isRejected(lead)) ? 0 : sum(earned))
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
    expect(cents(payment.adjustment)).toBe(cents(payment.total_amount) - cents(payment.calculated_amount))
    if (payment.payment_status === 'paid') expect(payment.entries_amount).toBe(payment.calculated_amount)
    const own = differences.filter(({ of_payment }) => of_payment === payment.id)
    expect(sum(own)).toBe(payment.payment_status === 'cancelled' ? 0 : cents(payment.adjustment))
    if (payment.payment_status === 'paid') expect(cents(payment.total_amount)).toBe(sum(held) + sum(own))
    expect([...held, ...own].every(({ state }) => state === states[payment.payment_status])).toBe(true)
  }
  expect(differences.every(({ of_payment }) => payments.some(({ id }) => id === of_payment))).toBe(true)
  const open = entries.filter(({ state }) => state === 'accrued')
  expect(open.every(({ payment_id }) => payment_id === null)).toBe(true)
  const inPayments = payments.reduce((total, payment) => total + cents(payment.entries_amount), 0)
  expect(sum(open) + inPayments).toBe(sum(entries.filter(counts)))
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
    const saved = await world.admin.put(`/api/v1/payments/${id}/`, calculated(shown))
    expect(saved.json().data, saved.text).toMatchObject({ entries_amount: shown.total_amount, adjustment: '0.00' })
  }
}

async function expectSound(world: World, before: Entry[]): Promise<Entry[]> {
  const entries = await world.entries()
  expectHistoryKept(before, entries)
  await expectEachLeadSettled(world, entries)
  await expectPaymentsHold(world, entries)
  return entries
}

const event = (lead: number, type: 'aprobado' | 'rechazado', attempt = 0): Step => ({
  kind: 'event',
  lead,
  type,
  attempt,
})
const examples: Step[][] = [
  // Taken back after it was paid; then the payment is open again and the rejection comes once more.
  [
    event(0, 'aprobado'),
    { kind: 'create', period: 0, status: 'paid' },
    event(0, 'rechazado'),
    { kind: 'status', payment: 0, status: 'pending' },
    event(0, 'rechazado', 1),
  ],
  // Earned on the last day of a payment that exists already.
  [event(0, 'aprobado'), { kind: 'create', period: 0, status: 'pending' }, event(1, 'aprobado')],
]

test('no history of events, commissions and payments loses or doubles a peso', async () => {
  const history = fc.array(anyStep, { minLength: 6, maxLength: 16, size: 'max' })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await makeWorld()
      let entries: Entry[] = []
      for (const step of steps) {
        await world.run(step)
        entries = await expectSound(world, entries)
      }
      await expectRecalculationKept(world)
      await expectPreviewKept(world)
      await expectSound(world, entries)
      await expectNoDrift(server.db)
      await expectConserved(server.db)
    }),
    { numRuns: 10, interruptAfterTimeLimit: 20_000, examples: examples.map((steps) => [steps]) },
  )
})

test('nor does any when all happens at once', async () => {
  const history = fc.array(fc.array(anyStep, { minLength: 2, maxLength: 8, size: 'max' }), {
    minLength: 2,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(history, async (groups) => {
      const world = await makeWorld()
      let entries: Entry[] = []
      for (const group of groups) {
        await Promise.all(group.map((step) => world.run(step)))
        entries = await expectSound(world, entries)
      }
      await expectPreviewKept(world)
      await expectNoDrift(server.db)
      await expectConserved(server.db)
    }),
    { numRuns: 6, interruptAfterTimeLimit: 20_000 },
  )
})

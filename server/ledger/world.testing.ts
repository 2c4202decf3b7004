// Longer than elsewhere: one switch names every step.
import { expect } from 'vitest'
import type { Adjustment } from '#contract/adjustments.ts'
import { sumAmounts } from '#contract/money.ts'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { Payment } from '#contract/payments.ts'
import type { Summary } from '#contract/summary.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { makeLead, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'
import { foldOnce } from '../totals/fold.ts'
import { Files } from './files.testing.ts'
import { better, expectOk, type Paid, Rates } from './rates.testing.ts'
import { type EventName, LEADS, type Paying, periods, type Step, today } from './steps.testing.ts'

type Asked = Pick<Payment, 'period_start' | 'period_end'> & { id?: number }

/** What was said of a lead, or that what was said against it is taken back; it counts until its file is undone. */
interface Fact {
  says: EventName | 'restore'
  file?: number
  isVoid: boolean
}

interface Lead {
  id: number
  tracking_id: string
  /** At its click. */
  paid: Paid
  /** By the steps by which it should have earned. */
  due: Map<string, string>
  /** As they were acknowledged. */
  facts: Fact[]
}

/** Its events of a step that count. */
export const isReached = ({ facts }: Lead, type: Paying): boolean =>
  facts.some(({ says, isVoid }) => says === type && !isVoid)

/** Where the order of its facts is that of the server. */
export const shouldBeRejected = ({ facts }: Lead): boolean =>
  facts.findLast(({ says, isVoid }) => !isVoid && ['rechazado', 'restore'].includes(says))?.says === 'rechazado'

/** One issuer, one affiliate, their leads, and what was acknowledged so far. */
export class World {
  readonly #server: TestServer
  readonly funnel: Funnel
  readonly admin: TestClient
  readonly leads: Lead[] = []
  readonly rates: Rates
  readonly files: Files
  /** What the last step said that it would move, in pesos. */
  promised: string | undefined
  readonly payments: number[] = []
  #readers: [TestClient, TestClient] | undefined

  constructor(server: TestServer, funnel: Funnel, admin: TestClient) {
    this.#server = server
    this.funnel = funnel
    this.admin = admin
    this.rates = new Rates(funnel, admin)
    this.files = new Files(server, funnel, admin)
  }

  async run(step: Step): Promise<void> {
    this.promised = undefined
    switch (step.kind) {
      case 'event':
        return this.#event(step)
      case 'file':
        return this.#applyFile(step)
      case 'undo':
        return this.#undoFile(step.file)
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
      case 'click':
        return this.click()
      case 'commission':
        return this.rates.toggleCommission(step)
      case 'rate':
        return this.rates.set(step)
      case 'compensate':
        return this.rates.compensate(step)
      case 'cancel':
        return this.rates.cancel(step.change)
      case 'end':
        return this.rates.end(step)
      case 'fold':
        return void (await foldOnce(this.#server.db, step.batchRows))
      case 'create':
        return this.#create(step)
      case 'status':
        return this.#change(step.payment, { payment_status: step.status, cancel_reason: 'Se repite el pago' })
      case 'period':
        return this.#change(step.payment, periods[step.period] ?? {})
      case 'recalculate':
        return this.#recalculate(step.payment)
      case 'retype':
        return this.#retype(step)
      case 'accept':
        return this.#accept(step.payment)
      case 'remove':
        return this.#change(step.payment)
    }
  }

  async #event({ lead, type, attempt }: Step & { kind: 'event' }): Promise<void> {
    const tracking_id = this.leads[lead]?.tracking_id
    const body = { tracking_id, event_type: type, event_id: `${tracking_id} ${type} ${attempt}` }
    const answer = await this.funnel.client.post(EVENTS, body)
    expectOk(answer)
    // A repetition says nothing new.
    if (answer.status === 201) this.#tell(this.leads[lead] as Lead, type)
  }

  /** What earned once earns no more. */
  #tell({ facts, paid, due }: Lead, says: Fact['says'], file?: number): void {
    facts.push({ says, isVoid: false, ...(file !== undefined && { file }) })
    if (says === 'rechazado' || says === 'restore' || due.has(says)) return
    const amount = better(paid.of(says), this.rates.paid.of(says))
    if (amount !== undefined) due.set(says, amount)
  }

  async #applyFile(step: Step & { kind: 'file' }): Promise<void> {
    const file = await this.files.apply(step, this.leads)
    for (const { lead, type, outcome } of file?.rows ?? []) {
      if (outcome === 'restore') this.#tell(this.leads[lead] as Lead, 'restore', file?.id)
      this.#tell(this.leads[lead] as Lead, type, file?.id)
    }
    this.promised = file?.promised
  }

  async #undoFile(index: number): Promise<void> {
    const undone = await this.files.undo(index)
    if (!undone) return
    for (const fact of this.leads.flatMap(({ facts }) => facts)) if (fact.file === undone.id) fact.isVoid = true
    this.promised = undone.promised
  }

  async click(): Promise<void> {
    const { id, tracking_id } = await makeLead(this.#server.db, this.funnel.ids)
    this.leads.push({ id, tracking_id, paid: this.rates.paid.copy(), due: new Map(), facts: [] })
  }

  async #rule(lead: number, what: 'reject' | 'restore', body: object, refusal: string): Promise<void> {
    const { id, facts } = this.leads[lead] as Lead
    const answer = await this.admin.post(`/api/v1/leads/${id}/${what}/`, body)
    if (answer.status === 409) return expect(answer.json().meta.code).toBe(refusal)
    expectOk(answer)
    facts.push({ says: what === 'reject' ? 'rechazado' : what, isVoid: false })
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
    const refusals = kind === 'hold' ? ['ALREADY_HELD', 'ENTRY_CHARGE', 'ENTRY_LOCKED', 'ENTRY_REJECTED'] : ['NOT_HELD']
    if (answer.status === 409) expect(refusals).toContain(answer.json().meta.code)
    else expectOk(answer)
  }

  async #adjust(cents: number): Promise<void> {
    if (cents === 0) return
    const form = { relationship: this.funnel.relationship.id, kind: 'adjustment', amount: (cents / 100).toFixed(2) }
    expectOk(await this.admin.post('/api/v1/adjustments/', { ...form, note: 'Se acordó por correo' }))
  }

  async #void(index: number): Promise<void> {
    const list = await this.admin.get(`/api/v1/adjustments/?issuer_id=${this.funnel.issuer.id}`)
    const typed = (list.json().data.results as Adjustment[]).filter(
      ({ of_payment, kind }) => of_payment === null && kind === 'adjustment',
    )
    const id = typed.at(-1 - index)?.id
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

  /** Another total is the sum of its lines and its adjustment, whatever happened to them before. */
  async #retype({ payment: index, cents }: Step & { kind: 'retype' }): Promise<void> {
    const id = this.payments[index]
    if (id === undefined) return
    const path = `/api/v1/payments/${id}/`
    const before = await this.admin.get(path)
    const total_amount = (cents / 100).toFixed(2)
    if (before.status === 404 || before.json().data.total_amount === total_amount) return
    const answer = await this.admin.put(path, { total_amount, adjustment_reason: 'Así se acordó' })
    if (answer.status === 409) return expect(answer.json().meta.code).toBe('PAID_STAYS')
    expectOk(answer)
    const { payment_status, entries_amount, adjustment } = answer.json().data as Payment
    if (payment_status !== 'cancelled') expect(sumAmounts([entries_amount, adjustment])).toBe(total_amount)
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

  /** As its affiliate and its issuer read it. */
  async summaries(): Promise<[Summary, Summary]> {
    const { affiliate, issuer } = this.funnel
    this.#readers ??= await Promise.all([
      this.#server.as({ role: 'affiliate', affiliateId: affiliate.id }),
      this.#server.as({ role: 'issuer', issuerId: issuer.id }),
    ])
    const [ofAffiliate, ofIssuer] = this.#readers
    const read = async (reader: TestClient): Promise<Summary> =>
      (await reader.get('/api/v1/figures/summary/')).json().data
    return [await read(ofAffiliate), await read(ofIssuer)]
  }

  #ledger = () =>
    this.#server.db
      .selectFrom('commission_entry')
      .selectAll()
      .where('issuer_id', '=', this.funnel.issuer.id)
      .orderBy('id')

  /** What was earned. */
  entries = () => this.#ledger().where('of_payment', 'is', null).execute()

  /** What payments were typed above or below it. */
  differences = () => this.#ledger().where('of_payment', 'is not', null).execute()
}

/** What the form sends after 'Calcular'. */
export const calculated = ({ total_leads, total_conversions, total_amount, entries_amount, upto }: PaymentPreview) => ({
  total_leads,
  total_conversions,
  total_amount,
  entries_amount,
  upto,
})

export async function makeWorld(server: TestServer): Promise<World> {
  const funnel = await makeFunnel(server)
  const world = new World(server, funnel, await server.as({ role: 'admin' }))
  for (let count = 0; count < LEADS; count += 1) await world.click()
  return world
}

import { expect } from 'vitest'
import type { RateInForce } from '#contract/rates.ts'
import type { Funnel } from '../events/testing.ts'
import type { TestAnswer, TestClient } from '../testing.ts'
import { type Owner, type Paying, type Step, today } from './steps.testing.ts'

export const expectOk = ({ status, text }: TestAnswer): void => {
  expect(status, text).toBeGreaterThanOrEqual(200)
  expect(status, text).toBeLessThan(300)
}

/** Refused as somebody may have been meanwhile: the scope is gone, or another change came first. */
function isRefused(answer: TestAnswer, ...codes: string[]): boolean {
  if (answer.status === 409) expect(codes).toContain(answer.json().meta.code)
  else if (answer.status === 422) expect(Object.keys(answer.json().meta.field_errors)).toHaveLength(1)
  else expectOk(answer)
  return answer.status === 409 || answer.status === 422
}

/** What is paid in each scope, as the calls that were acknowledged say. */
export class Paid {
  readonly #scopes: Map<string, string>

  constructor(scopes: Iterable<[string, string]> = []) {
    this.#scopes = new Map(scopes)
  }

  copy = () => new Paid(this.#scopes)

  set(owner: Owner, step: Paying | 'all', amount: string): void {
    this.#scopes.set(`${owner} ${step}`, amount)
  }

  /** With an amount for all steps go those of each. */
  end(owner: Owner, step: Paying | 'all'): void {
    for (const scope of [...this.#scopes.keys()])
      if (scope === `${owner} ${step}` || (step === 'all' && scope.startsWith(owner))) this.#scopes.delete(scope)
  }

  of(step: Paying): string | undefined {
    const scopes = [`own ${step}`, 'own all', `default ${step}`, 'default all']
    return scopes.map((scope) => this.#scopes.get(scope)).find((amount) => amount !== undefined)
  }
}

export const better = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && (other === undefined || Number(one) > Number(other)) ? one : other

const pesos = (cents: number): string => (cents / 100).toFixed(2)

/** What a pair and its product are paid, changed as people do. */
export class Rates {
  readonly paid = new Paid([['own all', '500.00']])
  readonly #funnel: Funnel
  readonly #admin: TestClient
  #commissionId: number | undefined
  readonly #announced: number[] = []

  constructor(funnel: Funnel, admin: TestClient) {
    this.#funnel = funnel
    this.#admin = admin
    this.#commissionId = funnel.commission.id
  }

  /** Ends the commission, or makes it anew. */
  async toggleCommission({ cents }: Step & { kind: 'commission' }): Promise<void> {
    const payout = pesos(cents)
    const { product_id, affiliate_id } = this.#funnel.ids
    const id = this.#commissionId
    if (id !== undefined) {
      const answer = await this.#admin.delete(`/api/v1/payouts/${id}/`)
      if (answer.status !== 404) expectOk(answer)
      this.#commissionId = undefined
      return this.paid.end('own', 'all')
    }
    const answer = await this.#admin.post('/api/v1/payouts/', { product_id, affiliate_id, name: 'De nuevo', payout })
    if (answer.status === 409) return
    expectOk(answer)
    this.#commissionId = answer.json().data.id
    this.paid.set('own', 'all', payout)
  }

  #changeOf({ owner, step, cents }: Step & { kind: 'rate' | 'compensate' }) {
    const { product, steps } = this.#funnel
    return {
      ...(owner === 'own' ? { commission_id: this.#commissionId } : { product_id: product.id }),
      event_step_id: step === 'all' ? null : steps[step].id,
      amount: pesos(cents),
    }
  }

  /** Announces another amount that does not begin, and brings what was earned today to it. */
  async compensate(asked: Step & { kind: 'compensate' }): Promise<void> {
    if (asked.owner === 'own' && this.#commissionId === undefined) return
    const later = new Date(Date.now() + 86_400_000 + 1_000 * this.#announced.length).toISOString()
    const change = { ...this.#changeOf(asked), valid_from: later }
    const since = { since: today }
    const shown = await this.#admin.post('/api/v1/rates/preview/', { ...change, compensation: since })
    if (isRefused(shown, 'RATE_EXISTS')) return
    const { entries, amount } = shown.json().data.compensation
    const compensation = { ...since, note: 'Lo acordamos con el banco', entries, amount }
    const answer = await this.#admin.post('/api/v1/rates/', { ...change, compensation })
    if (!isRefused(answer, 'RATE_EXISTS', 'COMPENSATION_STALE')) this.#announced.push(answer.json().data.id)
  }

  async cancel(index: number): Promise<void> {
    const id = this.#announced[index]
    if (id === undefined) return
    const answer = await this.#admin.post(`/api/v1/rates/${id}/cancel/`)
    // Cancelled already, or ended with what it was of.
    if (answer.status !== 404) isRefused(answer, 'COMPENSATED', 'RATE_BEGAN')
  }

  async set(asked: Step & { kind: 'rate' }): Promise<void> {
    const { owner, step, cents } = asked
    if (owner === 'own' && this.#commissionId === undefined) return
    const answer = await this.#admin.post('/api/v1/rates/', this.#changeOf(asked))
    // There may be no default for a step to stand beside; a commission may be gone.
    if (answer.status === 422) expect(Object.keys(answer.json().meta.field_errors)).toHaveLength(1)
    else {
      expectOk(answer)
      this.paid.set(owner, step, pesos(cents))
    }
  }

  async end({ owner, step }: Step & { kind: 'end' }): Promise<void> {
    const { product, steps } = this.#funnel
    const stepId = step === 'all' ? null : steps[step].id
    const inForce = (await this.#admin.get(`/api/v1/rates/in-force/?product_id=${product.id}`)).json().data
    const rate = (inForce as RateInForce[]).find(
      (one) => one.step === stepId && (one.commission === null) === (owner === 'default'),
    )
    if (!rate) return
    const answer = await this.#admin.post(`/api/v1/rates/${rate.id}/end/`)
    if (answer.status === 404 || answer.status === 409) return
    expectOk(answer)
    this.paid.end(owner, step)
  }
}

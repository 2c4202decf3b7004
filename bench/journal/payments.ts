import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { Payment } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { connect, type Db } from '#db/connect.ts'
import { ask } from '../copies/ask.ts'
import { ADMIN, signIn } from '../copies/world.ts'
import { type Figures, promise } from '../figures.ts'

const PATH = '/api/v1/payments/'
const PAUSE_MS = 400
/** Paying asks for a sign-in of the last ten minutes; a 403 soon after one means something else. */
const CONFIRMED_MS = 540_000

/** Of all writers of this process: a relationship has one payment of a period. */
let periods = 0

/**
 * Pays one relationship again and again, each time what accrued since, and repeats each until it is acknowledged, as a
 * careful person would: with the same Idempotency-Key.
 */
export class Payments {
  readonly acknowledged: Payment[] = []
  readonly #port: number
  readonly #relationship: number
  readonly #heard: () => void
  readonly #running: Promise<void>
  #token = ''
  #signedInAt = 0
  #stopped = false

  /** `heard` is called for each acknowledged one. */
  constructor(port: number, relationship: number, heard: () => void = () => undefined) {
    this.#port = port
    this.#relationship = relationship
    this.#heard = heard
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#payOne()
      await wait(PAUSE_MS)
    }
  }

  async #payOne(): Promise<void> {
    periods += 1
    const [period_start, period_end] = [addDays(dateInMexico(), -periods), dateInMexico()]
    const period = { relationship: this.#relationship, period_start, period_end }
    const query = new URLSearchParams(Object.entries(period).map(([name, value]) => [name, String(value)]))
    const preview = await this.#insist<PaymentPreview>(`${PATH}preview/?${query}`)
    if (!preview) return
    const { total_leads, total_conversions, total_amount, entries_amount, upto } = preview
    const calculated = { total_leads, total_conversions, total_amount, entries_amount, upto }
    const body = { ...period, ...calculated, payment_status: 'paid', payment_date: period_end }
    const payment = await this.#insist<Payment>(PATH, body)
    if (!payment) return
    this.acknowledged.push(payment)
    this.#heard()
  }

  /** Undefined when it was stopped before an answer. */
  async #insist<T>(path: string, body?: object): Promise<T | undefined> {
    const headers = { 'idempotency-key': `payment-${periods}` }
    for (; !this.#stopped; await wait(PAUSE_MS)) {
      const answer = await ask(this.#port, path, { token: this.#token, ...(body && { body, headers }) }).catch(
        () => undefined,
      )
      if (answer && answer.status < 300) return answer.data as T
      // It was stored in spite of an answer that was lost, or something was earned below `upto` meanwhile.
      if (answer?.status === 409 && body) return undefined
      const lapsed = answer?.status === 403 && performance.now() - this.#signedInAt > CONFIRMED_MS
      if (answer?.status === 401 || lapsed) await this.#signIn()
      else if (answer && ![429, 502, 503, 504].includes(answer.status))
        throw new Error(`A payment was answered ${answer.status}: ${JSON.stringify(answer.data)}`)
    }
    return undefined
  }

  async #signIn(): Promise<void> {
    const signed = await signIn(this.#port, ADMIN).catch(() => undefined) // the database may be away
    this.#token = signed?.access ?? ''
    this.#signedInAt = performance.now()
  }

  /** Throws unless each acknowledged payment is there with the sum of its entries. */
  async check(databaseUrl: string): Promise<Figures> {
    const db = connect(databaseUrl, { max: 1 })
    const figures = await this.count(db).finally(() => db.destroy())
    promise(!figures['payments lost'], 'An acknowledged payment is not stored', figures)
    return figures
  }

  /** One that does not hold what its answer said is lost, too: its number may belong to another by now. */
  async count(db: Db): Promise<Figures> {
    const { rows } = await sql<{ id: number; period_start: string; entries: string }>`
      select id, period_start, (select coalesce(sum(amount), 0.00)
        from commission_entry where payment_id = payment.id) as entries
      from payment where relationship_id = ${this.#relationship} and archived_at is null`.execute(db)
    const stored = new Map(rows.map((row) => [row.id, row]))
    const lost = this.acknowledged.filter(({ id, period_start, entries_amount }) => {
      const row = stored.get(id)
      return row?.period_start !== period_start || row.entries !== entries_amount
    }).length
    return { 'payments acknowledged': this.acknowledged.length, 'payments lost': lost }
  }
}

import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tx } from '#db/connect.ts'
import { OperatorError } from '#db/operator-error.ts'
import { openPool } from '#db/pool.ts'
import type { DB } from '#db/tables.ts'
import { demoEmails } from '#server/auth/demo-accounts.ts'
import { Clock } from '#server/demo/clock.ts'
import { entryRow, paymentRow } from '#server/demo/insert-books.ts'
import { eventRow, leadRow } from '#server/demo/insert-traffic.ts'
import type { DemoEntry, DemoPayment } from '#server/demo/ledger.ts'
import type { DemoEvent, DemoLead } from '#server/demo/network.ts'
import { Random } from '#server/demo/random.ts'
import { insertCatalog } from './catalog.ts'
import { DOMAIN } from './companies.ts'
import { copyInto } from './copy.ts'
import { generateMonths, listDays, type Month } from './months.ts'
import { endMonth, settleStore, takeOutLeads } from './partitions.ts'

const NAME = 'afluente demo:leads'

/** How much of the work is done when the rows are written; measured. */
const WRITTEN = 0.6

export interface Loading {
  leads: number
  seed: number
  /** Key material of the installation. */
  secret: string
  onProgress: (progress: Done) => void
  /** Between two months; thrown from here, nothing has changed. */
  expectWanted: () => void
}

export interface Done {
  /** Share of all the work, 0 to 1. */
  part: number
  leads: number
}

export interface Loaded {
  leads: number
  events: number
  entries: number
  payments: number
}

/** One transaction, so that totals and ledger are right at every moment. */
export async function loadLeads(url: string, loading: Loading): Promise<Loaded> {
  // The server may stop before the last connection is closed; errors in use are thrown by the query.
  const onError = () => undefined
  const options = { statementTimeoutMs: 3_600_000, applicationName: NAME, onError }
  const pool = openPool(url, { ...options, max: 1 })
  const settling = openPool(url, { ...options, max: 3 })
  const client = await pool.connect()
  // One connection for both: Kysely's inserts and the copies are in the same transaction.
  const connection = { query: client.query.bind(client) as pg.PoolClient['query'], release: () => undefined }
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => undefined } as never }),
  })
  try {
    const loaded = await db.transaction().execute((tx) => load(tx, client, loading))
    await analyzeWritten(settling)
    const store = new Kysely<DB>({ dialect: new PostgresDialect({ pool: settling }) })
    await settleStore(store, url, (part) =>
      loading.onProgress({ leads: loaded.leads, part: WRITTEN + part * (1 - WRITTEN) }),
    )
    // Its pages are empty now, and would be read by every sum until they are given back.
    await client.query('vacuum total_delta')
    await analyzeSettled(settling)
    loading.onProgress({ leads: loaded.leads, part: 1 })
    return loaded
  } finally {
    client.release(true)
    await pool.end()
    await settling.end()
  }
}

/** Before anything reads them: without statistics each lead's events would be looked for in all of them. */
const analyzeWritten = (pool: pg.Pool) =>
  Promise.all([pool.query('analyze lead_event'), pool.query('analyze commission_entry, payment, lead_state_due')])

const analyzeSettled = (pool: pg.Pool) =>
  Promise.all([pool.query('analyze lead'), pool.query('analyze lead_state, lead_state_due, total, result')])

async function load(tx: Tx, client: pg.ClientBase, loading: Loading): Promise<Loaded> {
  await client.query(`set local idle_in_transaction_session_timeout = 0`)
  // Long enough for an autovacuum to step aside (deadlock_timeout), short for a server that takes clicks.
  await client.query(`set local lock_timeout = '3s'`)
  await client.query('lock table lead in access exclusive mode')
  await client.query('lock table lead_event, commission_entry, payment in share row exclusive mode')
  await expectOurs(client)
  const { rows } = await client.query<{ now: string }>('select now()')
  const now = Date.parse(rows[0]?.now as string)
  const clock = new Clock(now)
  const days = listDays(clock.today)
  const links = await insertCatalog(tx, days, loading.secret, loading.seed)
  const writer = new Writer(client, clock, await nextIds(client))
  const story = generateMonths({ links, days, count: loading.leads, now, seed: loading.seed })
  await takeOutLeads(client)
  await writeAll(story, writer, loading)
  await writer.finish()
  return writer.loaded
}

async function writeAll(story: AsyncGenerator<Month>, writer: Writer, loading: Loading): Promise<void> {
  // The next month is generated while this one is being stored.
  const onWritten = (leads: number) => loading.onProgress({ leads, part: (leads / loading.leads) * WRITTEN })
  let upcoming = story.next()
  for (let month = await upcoming; !month.done; month = await upcoming) {
    loading.expectWanted()
    upcoming = story.next()
    upcoming.catch(() => undefined) // awaited above; until then it must not end the process
    await writer.write(month.value, onWritten)
  }
}

/** Only demonstrations may be filled with invented leads, and only once. */
async function expectOurs(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ foreign_users: boolean; filled: boolean; others: number }>(
    `select
      exists (select from "user") and not exists (select from "user" where email = any($1)) as foreign_users,
      exists (select from issuer where contact_email like $2) as filled,
      (select count(*) from pg_stat_activity where datname = current_database() and application_name <> $3
        and application_name like 'afluente%') as others`,
    [demoEmails, `%.${DOMAIN}`, NAME],
  )
  const [found] = rows
  if (found?.others) throw new OperatorError('Hay un Afluente en marcha con esta base de datos: deténgalo primero.')
  if (found?.filled) throw new OperatorError('Esta base de datos ya tiene los leads de demo:leads: use otra.')
  if (found?.foreign_users)
    throw new OperatorError('Esta base de datos no es de demostración: aquí no se inventan leads.')
}

interface Ids {
  lead: number
  event: number
  entry: number
  payment: number
}

/** COPY brings its own ids, and there are no other writers. */
async function nextIds(client: pg.ClientBase): Promise<Ids> {
  const { rows } = await client.query<Ids>(`select
    nextval(pg_get_serial_sequence('lead', 'id')) as lead,
    nextval(pg_get_serial_sequence('lead_event', 'id')) as event,
    nextval(pg_get_serial_sequence('commission_entry', 'id')) as entry,
    nextval(pg_get_serial_sequence('payment', 'id')) as payment`)
  return rows[0] as Ids
}

/** Stores the months in order and remembers the ids that later months refer to. */
class Writer {
  readonly #client: pg.ClientBase
  readonly #clock: Clock
  readonly #first: Ids
  readonly #next: Ids
  readonly #leads = new WeakMap<DemoLead, number>()
  readonly #events = new WeakMap<DemoEvent, number>()
  readonly #entries = new WeakMap<DemoEntry, number>()
  readonly #numbers = new Map<number, number>()
  readonly #random = new Random(57)

  constructor(client: pg.ClientBase, clock: Clock, next: Ids) {
    this.#client = client
    this.#clock = clock
    this.#first = { ...next }
    this.#next = next
  }

  get loaded(): Loaded {
    const made = (of: keyof Ids) => this.#next[of] - this.#first[of]
    return { leads: made('lead'), events: made('event'), entries: made('entry'), payments: made('payment') }
  }

  async write({ month, leads, events, entries, payments }: Month, onWritten: (leads: number) => void): Promise<void> {
    await copyInto(this.#client, 'lead', leads, (lead) => this.#leadRow(lead))
    await endMonth(this.#client, month, this.#clock.today)
    onWritten(this.loaded.leads - leads.length / 2)
    await copyInto(this.#client, 'lead_event', events, (event) => this.#eventRow(event))
    const paymentIds = await this.#writePayments(payments)
    await copyInto(this.#client, 'commission_entry', entries, (entry) => this.#entryRow(entry, paymentIds))
    onWritten(this.loaded.leads)
  }

  /** The next values of the sequences. */
  async finish(): Promise<void> {
    await this.#client.query(
      `select setval(pg_get_serial_sequence('lead', 'id'), $1, false),
        setval(pg_get_serial_sequence('lead_event', 'id'), $2, false),
        setval(pg_get_serial_sequence('commission_entry', 'id'), $3, false),
        setval(pg_get_serial_sequence('payment', 'id'), $4, false)`,
      [this.#next.lead, this.#next.event, this.#next.entry, this.#next.payment],
    )
  }

  #leadRow(lead: DemoLead) {
    const id = this.#next.lead++
    // Later months never refer to the others.
    if (lead.events.length) this.#leads.set(lead, id)
    const row = leadRow(lead)
    // Some campaigns put the click's own id there.
    return { id, ...row, utm_content: id % 5 ? row.utm_content : `clk${this.#random.hex(12)}` }
  }

  #eventRow(event: DemoEvent) {
    const id = this.#next.event++
    if (event.step.pays || event === event.lead.lateRefusal) this.#events.set(event, id)
    const { issuer_id } = event.lead.link
    const number = (this.#numbers.get(issuer_id) ?? 0) + 1
    this.#numbers.set(issuer_id, number)
    return { id, ...eventRow(event, this.#leads.get(event.lead) as number, `r${issuer_id}-${number}`) }
  }

  #entryRow(entry: DemoEntry, payments: Map<DemoPayment, number>) {
    const id = this.#next.entry++
    this.#entries.set(entry, id)
    const ids = {
      lead: this.#leads.get(entry.event.lead),
      event: this.#events.get(entry.event),
      payment: entry.payment && payments.get(entry.payment),
    }
    const reversal_of = entry.reversalOf ? this.#entries.get(entry.reversalOf) : null
    return { id, ...entryRow(entry, ids), reversal_of }
  }

  async #writePayments(payments: DemoPayment[]): Promise<Map<DemoPayment, number>> {
    const inOrder = payments.toSorted((a, b) => a.createdAt - b.createdAt)
    const ids = new Map(inOrder.map((payment) => [payment, this.#next.payment++]))
    let index = 0
    await copyInto(this.#client, 'payment', inOrder, (source) => {
      const draft = { ...source, source, cancelledAt: undefined, bonus: 0 }
      return { id: ids.get(source), ...paymentRow(draft, index++, this.#random, this.#clock) }
    })
    return ids
  }
}

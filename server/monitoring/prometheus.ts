import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { endPool, openPool, poolUse } from '#db/pool.ts'
import { countHeld } from '../spool/held.ts'
import type { ClickOutcome, DeliveryVerdict, EventVerdict, Measures, Watched } from './measures.ts'

const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3]
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const BATCH_LEADS = [1, 2, 5, 10, 25, 50, 100, 250, 500]
const PATIENCE_MS = 1_000

interface Sources {
  databaseUrl: string
  /** How often the embedded PostgreSQL had to be started again. */
  restarts: () => number
}

/** Everything that Prometheus may ask for, in a registry of its own. */
export class Prometheus implements Measures {
  readonly registry = new Registry()
  readonly #clicks: Counter
  readonly #batch: Histogram
  readonly #commit: Histogram
  readonly #drained: Counter
  readonly #events: Counter
  readonly #deliveries: Counter
  readonly #requests: Histogram
  readonly #probe: pg.Pool

  constructor({ databaseUrl, restarts }: Sources) {
    const registers = [this.registry]
    const named = (name: string, help: string) => ({ name: `afluente_${name}`, help, registers })
    this.#clicks = new Counter({ ...named('clicks_total', 'Clicks by what became of them'), labelNames: ['outcome'] })
    this.#batch = new Histogram({ ...named('click_batch_leads', 'Leads of one COPY'), buckets: BATCH_LEADS })
    const commit = named('click_commit_seconds', 'From the sending of a COPY of leads to its COMMIT')
    this.#commit = new Histogram({ ...commit, buckets: COMMIT_SECONDS })
    this.#drained = new Counter(named('spool_drained_total', 'Leads that came from the spool into the database'))
    this.#events = new Counter({ ...named('events_total', 'Events by the answer given'), labelNames: ['verdict'] })
    const deliveries = named('deliveries_total', 'Attempts of deliveries by what became of the delivery')
    this.#deliveries = new Counter({ ...deliveries, labelNames: ['verdict'] })
    const requests = named('request_seconds', 'Time to answer, without clicks')
    const labelNames = ['kind', 'status']
    this.#requests = new Histogram({ ...requests, labelNames, buckets: REQUEST_SECONDS })
    this.#probe = openPool(databaseUrl, {
      max: 1,
      applicationName: 'afluente metrics',
      statementTimeoutMs: PATIENCE_MS,
      connectionTimeoutMs: PATIENCE_MS,
      onError: () => undefined, // the next probe shows it
    })
    addDatabase(registers, () => this.#reachesDatabase(), restarts)
    addOpenLeads(registers, this.#probe)
    addReceivers(registers, this.#probe)
    addPools(registers)
    collectDefaultMetrics({ register: this.registry })
  }

  clicks(outcome: ClickOutcome, count: number): void {
    this.#clicks.inc({ outcome }, count)
  }

  committed(leads: number, seconds: number): void {
    this.#clicks.inc({ outcome: 'stored' }, leads)
    this.#batch.observe(leads)
    this.#commit.observe(seconds)
  }

  drained(leads: number): void {
    this.#drained.inc(leads)
  }

  event(verdict: EventVerdict): void {
    this.#events.inc({ verdict })
  }

  delivery(verdict: DeliveryVerdict): void {
    this.#deliveries.inc({ verdict })
  }

  request(kind: string, status: number, seconds: number): void {
    this.#requests.observe({ kind, status: `${Math.floor(status / 100)}xx` }, seconds)
  }

  watch({ spool, readiness }: Watched): void {
    addSpool([this.registry], spool)
    addGauge([this.registry], 'ready', '1 when started: the database was there and is up to date', () =>
      Number(readiness.isReady),
    )
  }

  close(): Promise<void> {
    return endPool(this.#probe)
  }

  async #reachesDatabase(): Promise<boolean> {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, false).unref())
    const answer = this.#probe.query('select 1').then(
      () => true,
      () => false,
    )
    return Promise.race([answer, late])
  }
}

type Registers = Registry[]

function addGauge(registers: Registers, name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name: `afluente_${name}`,
    help,
    registers,
    async collect() {
      this.set(await read())
    },
  })
}

function addSpool(registers: Registers, spool: Watched['spool']): void {
  const read = () => spool.depth
  addGauge(registers, 'spool_records', 'Leads that wait in the spool', () => read().records)
  addGauge(registers, 'spool_bytes', 'Bytes of the spool that hold leads', () => read().bytes)
  addGauge(registers, 'spool_capacity_bytes', 'Bytes that the spool has taken on the disk', () => read().capacity)
  addGauge(registers, 'spool_oldest_seconds', 'Age of the oldest lead that waits; 0 when none does', () => read().age)
  addGauge(
    registers,
    'spool_refused_records',
    'Leads whose values the database refuses, kept aside',
    () => spool.refused,
  )
  addGauge(
    registers,
    'spool_held_records',
    'Leads from before a restore of the database or of another folder, kept aside',
    () => countHeld(spool.folder),
  )
  addGauge(registers, 'spool_lost_records', 'Leads that the disk of the spool did not give back', () => spool.lost)
  addGauge(registers, 'spool_unreadable_sectors', 'Sectors of the spool that cannot be read', () => spool.unreadable)
  new Gauge({
    name: 'afluente_spool_fault',
    help: '1 when the next click could not be spooled, and why',
    labelNames: ['reason'],
    registers,
    collect() {
      for (const reason of ['full', 'disk']) this.set({ reason }, Number(spool.fault === reason))
    },
  })
}

function addDatabase(registers: Registers, isUp: () => Promise<boolean>, restarts: () => number): void {
  addGauge(registers, 'database_up', '1 when PostgreSQL answers a question within a second', async () =>
    Number(await isUp()),
  )
  addGauge(registers, 'embedded_restarts', 'Times the embedded PostgreSQL was started again', restarts)
}

function addOpenLeads(registers: Registers, probe: pg.Pool): void {
  new Gauge({
    name: 'afluente_leads_open',
    help: 'Leads in partitions that are not closed yet: without the indexes of lists, and in no total',
    registers,
    async collect() {
      this.reset()
      const open = `select count(*)::int as leads from lead
        where tracking_id >= first_uncounted_id()`
      // Without an answer there is no figure; afluente_database_up shows why.
      const { rows } = await probe.query<{ leads: number | null }>(open).catch(() => ({ rows: [] }))
      for (const { leads } of rows) this.set(leads ?? 0)
    },
  })
}

interface ReceiversRow {
  state: string
  receivers: number
  waiting: number
  oldest: number
}

const RECEIVERS = `
  select state, count(id)::int as receivers, coalesce(sum(waiting), 0)::int as waiting,
    coalesce(extract(epoch from now() - min(oldest)), 0)::float8 as oldest
  from unnest(array['active', 'failing', 'paused']) as state
  left join (select * from live_receivers()) as receiver using (state)
  left join lateral (select count(*) as waiting, min(created_at) as oldest from delivery
    where receiver_id = receiver.id and delivery.state = 'waiting' and not is_test) as theirs on true
  group by state`

/** By the state of the receiver: what waits for one that rests is not late. */
function addReceivers(registers: Registers, probe: pg.Pool): void {
  let asked: Promise<ReceiversRow[]> | undefined
  // One question for all of them; without an answer there is no figure.
  const ask = () => {
    asked ??= probe
      .query<ReceiversRow>(RECEIVERS)
      .then(({ rows }) => rows)
      .catch(() => [])
      .finally(() => {
        asked = undefined
      })
    return asked
  }
  for (const [figure, name, help] of [
    ['receivers', 'receivers', 'Receivers of postbacks and webhooks by their state; failing and paused ones rest'],
    ['waiting', 'deliveries_waiting', 'Deliveries that wait, by the state of their receiver'],
    ['oldest', 'deliveries_oldest_seconds', 'Age of the oldest delivery that waits; 0 when none does'],
  ] as const)
    new Gauge({
      name: `afluente_${name}`,
      help,
      labelNames: ['receiver'],
      registers,
      async collect() {
        this.reset()
        for (const row of await ask()) this.set({ receiver: row.state }, row[figure])
      },
    })
}

function addPools(registers: Registers): void {
  new Gauge({
    name: 'afluente_pool_connections',
    help: 'Connections of a pool, and who waits for one',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      this.reset()
      for (const { name, max, total, idle, waiting } of poolUse()) {
        const states = { max, idle, busy: total - idle, waiting }
        for (const [state, count] of Object.entries(states)) this.set({ pool: name, state }, count)
      }
    },
  })
}

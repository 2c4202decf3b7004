import { setTimeout as wait } from 'node:timers/promises'
import { Connection, statusOf } from '../clicks/load.ts'
import type { Figures } from '../figures.ts'
import type { Entry, Journal, Kind } from './journal.ts'

export interface Ask {
  kind: Kind
  id: string
  /** The whole request. */
  text: string
}

export interface Answered {
  kind: Kind
  outcome: string
  acknowledged: boolean
  sentAt: number
  milliseconds: number
}

export interface Needs {
  port: number
  journal: Journal
  perSecond: number
  next: (number: number) => Ask
  patienceMs?: number
  /** Whether an event that was not acknowledged is sent again until it is, as issuers do. */
  insist?: boolean
  againMs?: number
  heard?: (answered: Answered) => void
}

const PATIENCE_MS = 10_000
const GIVE_UP_MS = 60_000
const GRACE_MS = 200
const STALL_MS = 250
const AGAIN_MS = 100
const TRIES = 100

/** A click is acknowledged by a 302 whose Location has its id, an event by a 2xx. */
export const isAcknowledged = (kind: Kind, outcome: string, trackingId: string | undefined): boolean =>
  kind === 'click' ? outcome === '302' && trackingId !== undefined : /^2\d\d$/.test(outcome)

const trackingIdOf = (head: string): string | undefined => {
  const location = /^location: (\S+)/im.exec(head)?.[1]
  return (location && URL.parse(location)?.searchParams.get('ref')) || undefined
}

export const nameOf = ({ kind, outcome }: Answered): string => `${kind} ${outcome}`

/** A keep-alive connection may be closed while a request is under way: those count as `closed`. */
const whyNot = ({ opened }: Connection, used: boolean, late: boolean): string =>
  late ? 'timeout' : used ? 'closed' : opened ? 'reset' : 'refused'

/**
 * Sends at a constant rate whatever the answers, each request once. An attempt is in the journal before it is sent;
 * times count from the sending, since the wait for the journal is not the server's.
 */
export class Client {
  readonly #needs: Needs
  readonly #idle: Connection[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #watchers = new Set<(answered: Answered) => void>()
  #stopped = false
  #sending: Promise<void> | undefined
  readonly outcomes: Record<string, number> = {}
  /** Of the acknowledged clicks, milliseconds. */
  latencies: number[] = []
  readonly slowest = { click: 0, event: 0 }
  /** How long the client itself stalled, counting stalls longer than `STALL_MS`. */
  stalledMs = 0
  /** Everything but acknowledgements. */
  readonly failed: Answered[] = []

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Counts by answer. */
  get failures(): Figures {
    return Object.fromEntries([...Map.groupBy(this.failed, nameOf)].map(([name, each]) => [name, each.length]))
  }

  get acknowledged(): number {
    return this.latencies.length
  }

  /** The number of unacknowledged requests of a kind. */
  refused(kind: Kind): number {
    return this.failed.filter((each) => each.kind === kind).length
  }

  start(): this {
    this.#sending = this.#send()
    this.#sending.catch(() => undefined) // told by stop()
    return this
  }

  /** Returns when every request under way was answered or given up. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#sending
    await Promise.all(this.#running)
    for (const connection of this.#idle) connection.end()
  }

  /** When the first request of this kind sent after `since` was acknowledged. */
  untilAcknowledged(kind: Kind, since: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const watcher = (answered: Answered) => {
      if (answered.kind === kind && answered.acknowledged && answered.sentAt >= since)
        resolve(answered.sentAt + answered.milliseconds)
    }
    const timer = setTimeout(
      () => reject(new Error(`No ${kind} acknowledged in ${GIVE_UP_MS} ms: ${JSON.stringify(this.outcomes)}`)),
      GIVE_UP_MS,
    )
    this.#watchers.add(watcher)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#watchers.delete(watcher)
    })
  }

  async #send(): Promise<void> {
    const { perSecond, next, journal } = this.#needs
    let [last, elapsed] = [performance.now(), 0]
    for (let sent = 0; !this.#stopped; await wait(2)) {
      const passed = performance.now() - last
      last += passed
      // A client that stalled must not send everything at once afterwards.
      elapsed += Math.min(passed, STALL_MS)
      if (passed > STALL_MS) this.stalledMs += passed
      const due = Math.floor((elapsed / 1000) * perSecond)
      const asks: Ask[] = []
      for (; sent < due; sent += 1) asks.push(next(sent + 1))
      if (!asks.length) continue
      const attempts = asks.map(({ kind, id }): Entry => ({ what: 'attempt', kind, id }))
      const run: Promise<void> = journal
        .write(attempts)
        .then(() => Promise.all(asks.map((ask) => this.#settle(ask))))
        .then(() => void this.#running.delete(run))
      this.#running.add(run)
    }
  }

  async #settle(ask: Ask): Promise<void> {
    const { insist = false, againMs = AGAIN_MS, journal } = this.#needs
    let tries = insist && ask.kind === 'event' ? TRIES : 1
    while (!(await this.#ask(ask)) && --tries) {
      await wait(againMs)
      await journal.write([{ what: 'attempt', kind: ask.kind, id: ask.id }])
    }
  }

  /** Whether it was acknowledged. */
  async #ask({ kind, id, text }: Ask): Promise<boolean> {
    const { patienceMs = PATIENCE_MS, journal } = this.#needs
    const connection = this.#connection()
    const used = connection.opened
    const sentAt = performance.now()
    // An answer that came while the client stalled is read before the connection is abandoned.
    let timer = setTimeout(() => {
      timer = setTimeout(() => connection.end(), GRACE_MS)
    }, patienceMs)
    const head = await connection.ask(text)
    clearTimeout(timer)
    const milliseconds = performance.now() - sentAt
    if (!connection.broken && !/^connection: close/im.test(head)) this.#idle.push(connection)
    const outcome = statusOf(head) || whyNot(connection, used, milliseconds >= patienceMs)
    const trackingId = trackingIdOf(head)
    const acknowledged = isAcknowledged(kind, outcome, trackingId)
    await journal.write([{ what: 'answer', kind, id, outcome, ...(trackingId && { trackingId }) }])
    this.#tell({ kind, outcome, acknowledged, sentAt, milliseconds })
    return acknowledged
  }

  #connection(): Connection {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.usable) return idle
      idle.end()
    }
    return new Connection(this.#needs.port)
  }

  #tell(answered: Answered): void {
    const name = nameOf(answered)
    this.outcomes[name] = (this.outcomes[name] ?? 0) + 1
    if (!answered.acknowledged) this.failed.push(answered)
    else if (answered.kind === 'click') this.latencies.push(answered.milliseconds)
    this.slowest[answered.kind] = Math.max(this.slowest[answered.kind], answered.milliseconds)
    this.#needs.heard?.(answered)
    for (const watcher of this.#watchers) watcher(answered)
  }
}

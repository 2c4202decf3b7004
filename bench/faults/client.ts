import { setTimeout as wait } from 'node:timers/promises'
import { Connection, statusOf } from '../clicks/load.ts'
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

interface Needs {
  port: number
  journal: Journal
  perSecond: number
  next: (number: number) => Ask
}

const PATIENCE_MS = 10_000

/** A click is acknowledged by a 302 that leads on with its id, an event by a 2xx. */
export const isAcknowledged = (kind: Kind, outcome: string, trackingId: string | undefined): boolean =>
  kind === 'click' ? outcome === '302' && trackingId !== undefined : /^2\d\d$/.test(outcome)

const trackingIdOf = (head: string): string | undefined => {
  const location = /^location: (\S+)/im.exec(head)?.[1]
  return (location && URL.parse(location)?.searchParams.get('ref')) || undefined
}

/**
 * Sends at a constant rate whatever becomes of the answers, each request once. An attempt is in the journal before it
 * leaves; times are counted from when it left, since the wait for the journal is not the server's.
 */
export class Client {
  readonly #needs: Needs
  readonly #idle: Connection[] = []
  readonly #running = new Set<Promise<void>>()
  #watchers = new Set<(answered: Answered) => void>()
  #stopped = false
  #sending: Promise<void> | undefined
  readonly outcomes: Record<string, number> = {}
  /** Of the acknowledged clicks, milliseconds. */
  readonly latencies: number[] = []

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): this {
    this.#sending = this.#send()
    return this
  }

  /** Returns when every request under way was answered or given up. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#sending
    await Promise.all(this.#running)
    for (const connection of this.#idle) connection.end()
  }

  /** The first answer like this from now on; rejects after so long. */
  until(wanted: (answered: Answered) => boolean, milliseconds: number): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        this.#watchers.delete(watcher)
      }
      const watcher = (answered: Answered) => {
        if (!wanted(answered)) return
        done()
        resolve(answered)
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`Nothing of the kind within ${milliseconds} ms; so far ${JSON.stringify(this.outcomes)}`))
      }, milliseconds)
      this.#watchers.add(watcher)
    })
  }

  async #send(): Promise<void> {
    const { perSecond, next, journal } = this.#needs
    const began = performance.now()
    for (let sent = 0; !this.#stopped; await wait(2)) {
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
      const asks: Ask[] = []
      for (; sent < due; sent += 1) asks.push(next(sent + 1))
      if (!asks.length) continue
      const attempts = asks.map(({ kind, id }): Entry => ({ what: 'attempt', kind, id }))
      const run: Promise<void> = journal
        .write(attempts)
        .then(() => Promise.all(asks.map((ask) => this.#ask(ask))))
        .then(() => void this.#running.delete(run))
      this.#running.add(run)
    }
  }

  async #ask({ kind, id, text }: Ask): Promise<void> {
    const connection = this.#connection()
    const sentAt = performance.now()
    const timer = setTimeout(() => connection.end(), PATIENCE_MS)
    const head = await connection.ask(text)
    clearTimeout(timer)
    const milliseconds = performance.now() - sentAt
    if (!connection.broken && !/^connection: close/im.test(head)) this.#idle.push(connection)
    const why = connection.opened ? (milliseconds < PATIENCE_MS ? 'reset' : 'timeout') : 'refused'
    const outcome = statusOf(head) || why
    const trackingId = trackingIdOf(head)
    await this.#needs.journal.write([{ what: 'answer', kind, id, outcome, ...(trackingId && { trackingId }) }])
    this.#tell({ kind, outcome, acknowledged: isAcknowledged(kind, outcome, trackingId), sentAt, milliseconds })
  }

  #connection(): Connection {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (!idle.broken) return idle
    return new Connection(this.#needs.port)
  }

  #tell(answered: Answered): void {
    const name = `${answered.kind} ${answered.outcome}`
    this.outcomes[name] = (this.outcomes[name] ?? 0) + 1
    if (answered.kind === 'click' && answered.acknowledged) this.latencies.push(answered.milliseconds)
    for (const watcher of this.#watchers) watcher(answered)
  }
}

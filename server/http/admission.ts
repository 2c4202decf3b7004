import type { Server } from 'node:http'
import { performance } from 'node:perf_hooks'

const TICK_MS = 50
/** Share of the time in which the event loop works: above the first it cannot keep up, below the second it has room. */
const SATURATED = 0.98
const ROOM = 0.9
const [LESS, MORE] = [0.8, 1.1]

export interface AdmissionLimits {
  /** A shorter peak is worth waiting for. */
  patienceMs: number
  /** A server that has just started is slow until it has seen some thousand clicks. */
  warmMs: number
  /** Clicks a second that are always answered: with fewer, it is something else that the server is busy with. */
  least: number
}

const DEFAULTS: AdmissionLimits = { patienceMs: 500, warmMs: 5_000, least: 500 }

/**
 * Keeps the server useful when more visitors come than it can answer. Without it all would wait in queues, in front of
 * which it has no say, until they leave. An event loop that rests now and then has no queue, so as many are let in as
 * leave it a little rest. The others are refused at once and at little cost: a new connection is closed before anything
 * is read, a click on an open one gets a 503.
 */
export class Admission {
  readonly #server: Server
  readonly #connections: () => number
  readonly #limits: AdmissionLimits
  #timer: NodeJS.Timeout | undefined
  #ticked = performance.now()
  #use = performance.eventLoopUtilization()
  #saturatedMs = 0
  #clicks = 0
  #refused = 0
  /** Clicks a second; undefined while there is room for all. */
  #rate: number | undefined
  /** Of `#rate`, until the next tick. */
  #left = Number.POSITIVE_INFINITY

  /** `connections` says how many are open. */
  constructor(server: Server, connections: () => number, limits = DEFAULTS) {
    this.#limits = limits
    this.#server = server
    this.#connections = connections
    server.on('drop', () => {
      this.#refused += 1
    })
  }

  /** To be called when the server has started: loading the program is work, too. */
  begin(): void {
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
    }, this.#limits.warmMs).unref()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#limit(undefined, TICK_MS)
  }

  /**
   * Whether a click is answered. Twice as many as new connections: those let in before this tick send theirs now.
   */
  takeClick(): boolean {
    this.#clicks += 1
    if (this.#clicks <= 2 * this.#left) return true
    this.#refused += 1
    return false
  }

  #tick(): void {
    const now = performance.now()
    const [passed, before] = [now - this.#ticked, this.#use]
    this.#ticked = now
    this.#use = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(this.#use, before)
    this.#saturatedMs = utilization < SATURATED ? 0 : this.#saturatedMs + passed
    const taken = (Math.min(this.#clicks, 2 * this.#left) / passed) * 1000
    this.#limit(this.#nextRate(utilization, taken), passed)
    this.#clicks = 0
    this.#refused = 0
  }

  #nextRate(utilization: number, taken: number): number | undefined {
    const { patienceMs, least } = this.#limits
    if (this.#rate === undefined) return this.#saturatedMs < patienceMs || taken < least ? undefined : taken
    if (utilization >= SATURATED) return Math.max(least, Math.min(this.#rate, taken) * LESS)
    if (utilization > ROOM) return this.#rate
    return this.#refused ? this.#rate * MORE : undefined
  }

  #limit(rate: number | undefined, tickMs: number): void {
    this.#rate = rate
    this.#left =
      rate === undefined ? Number.POSITIVE_INFINITY : Math.ceil((rate * Math.min(tickMs, 2 * TICK_MS)) / 1000)
    this.#server.maxConnections = this.#connections() + this.#left
  }
}

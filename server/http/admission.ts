import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

const TICK_MS = 50
/** On a busy machine ticks come late; so many are let in until the next one. */
const TICK_MS_MAX = 500
/** Below the first wait more are let in, above the second fewer. */
const [SHORT_MS, LONG_MS] = [50, 125]
const [LESS, MORE] = [0.9, 1.05]
/** Without a refusal for so long, the limit is lifted: sooner, the next wave would find none. */
const CALM_MS = 1_000

interface AdmissionLimits {
  /** All are let in while a new connection waits less than this. */
  patienceMs: number
  /** A server that has just started is slow until it has seen some thousand clicks. */
  warmMs: number
  /** Clicks a second that are always answered: with fewer, it is something else that the server is busy with. */
  least: number
}

const DEFAULTS: AdmissionLimits = { patienceMs: 250, warmMs: 5_000, least: 500 }

/** How long a new connection waits until the server takes it: one of our own shows it. */
class Probe {
  readonly #server: Server
  #socket: Socket | undefined
  #sentAt = 0
  #lastMs = 0

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      if (this.#isOurs(socket.remotePort)) this.end()
    })
    server.on('drop', (dropped) => {
      if (this.#isOurs(dropped?.remotePort)) this.end()
    })
  }

  /** In milliseconds: of the one that waits now, else of the last one, after which another is sent. */
  waitMs(now: number): number {
    const waitMs = this.#socket ? now - this.#sentAt : this.#lastMs
    if (!this.#socket) this.#send(now)
    return waitMs
  }

  end(): void {
    if (!this.#socket) return
    this.#lastMs = performance.now() - this.#sentAt
    this.#socket.destroy()
    this.#socket = undefined
  }

  #isOurs(port: number | undefined): boolean {
    return this.#socket !== undefined && port === this.#socket.localPort
  }

  #send(now: number): void {
    const at = this.#server.address() as AddressInfo | null
    if (!at) return
    const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[at.address] ?? at.address
    this.#sentAt = now
    // Its errors: dropped like others, or no descriptor is left.
    this.#socket = connect({ host, port: at.port }).on('error', () => this.end())
  }
}

/**
 * Keeps the server useful when more visitors come than it can answer. Without it all would wait in queues, in front of
 * which it has no say, until they leave. As many are let in as keep the wait short; the others are refused at once and
 * at little cost: a new connection is closed before anything is read, a click on an open one gets a 503.
 */
export class Admission {
  readonly #server: Server
  readonly #limits: AdmissionLimits
  #probe: Probe | undefined
  #timer: NodeJS.Timeout | undefined
  #ticked = performance.now()
  /** Since the last tick. */
  #connections = 0
  #clicks = 0
  #refused = 0
  #refusedAt = 0
  /** Clicks a second; undefined while there is room for all. */
  #rate: number | undefined
  /** Of `#rate`, until the next tick. */
  #left = Number.POSITIVE_INFINITY

  constructor(server: Server, limits = DEFAULTS) {
    this.#server = server
    this.#limits = limits
    server.on('connection', () => {
      this.#connections += 1
      if (this.#connections >= this.#left) server.maxConnections = 0
    })
    server.on('drop', () => {
      this.#refused += 1
    })
  }

  /** To be called when the server has started: loading the program is work, too. */
  begin(): void {
    this.#timer = setTimeout(() => {
      this.#probe = new Probe(this.#server)
      this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
    }, this.#limits.warmMs).unref()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#probe?.end()
    this.#limit(undefined, TICK_MS)
  }

  /** Whether a click is answered. Twice as many as new connections: those let in before this tick send theirs now. */
  takeClick(): boolean {
    this.#clicks += 1
    if (this.#clicks <= 2 * this.#left) return true
    this.#refused += 1
    return false
  }

  #tick(): void {
    const now = performance.now()
    const passed = now - this.#ticked
    this.#ticked = now
    if (this.#refused) this.#refusedAt = now
    const taken = (Math.min(this.#clicks, 2 * this.#left) / passed) * 1000
    this.#limit(this.#nextRate(this.#probe?.waitMs(now) ?? 0, taken, now - this.#refusedAt), passed)
    this.#connections = 0
    this.#clicks = 0
    this.#refused = 0
  }

  #nextRate(waitMs: number, taken: number, calmMs: number): number | undefined {
    const { patienceMs, least } = this.#limits
    if (this.#rate === undefined) return waitMs < patienceMs ? undefined : Math.max(least, taken)
    if (waitMs > LONG_MS) return Math.max(least, this.#rate * LESS)
    if (waitMs > SHORT_MS) return this.#rate
    return calmMs > CALM_MS ? undefined : this.#rate * MORE
  }

  #limit(rate: number | undefined, tickMs: number): void {
    this.#rate = rate
    this.#left =
      rate === undefined ? Number.POSITIVE_INFINITY : Math.ceil((rate * Math.min(tickMs, TICK_MS_MAX)) / 1000)
    this.#server.maxConnections = Number.POSITIVE_INFINITY
  }
}

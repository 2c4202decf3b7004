import { connect, type Socket } from 'node:net'

export interface Load {
  answers: number
  /** Connections that broke or answers that never came. */
  failed: number
  seconds: number
  statuses: Record<string, number>
  /** Milliseconds. */
  latencies: number[]
}

/** The next request, complete: request line, headers, body. */
type NextRequest = (number: number) => string

const HEAD_END = '\r\n\r\n'

/** A keep-alive connection with one request at a time; the client does little work, since it shares the cores. */
export class Connection {
  readonly #socket: Socket
  #answered: ((head: string) => void) | undefined
  #received = ''
  #answeredAt = performance.now()
  /** Idle, as the server says. */
  #lastsMs: number | undefined
  opened = false
  broken = false

  constructor(port: number, from?: string) {
    // Its own buffer and no events: reading as a stream is a third of a client's cost.
    const onread = {
      buffer: Buffer.alloc(8192),
      callback: (bytes: number, buffer: Uint8Array) => this.#read(bytes, buffer),
    }
    this.#socket = connect({ port, host: '127.0.0.1', ...(from && { localAddress: from }), noDelay: true, onread })
    this.#socket.on('connect', () => {
      this.opened = true
    })
    this.#socket.on('error', () => undefined) // 'close' follows
    this.#socket.on('close', () => {
      this.broken = true
      this.#settle('')
    })
  }

  /** The head of the answer; empty when the connection broke instead. */
  ask(request: string): Promise<string> {
    return new Promise((resolve) => {
      this.#answered = resolve
      if (this.broken) this.#settle('')
      else this.#socket.write(request)
    })
  }

  /** Not when the server may have closed it for being idle, of which a client that was held up has not read yet. */
  get usable(): boolean {
    return !this.broken && performance.now() - this.#answeredAt < (this.#lastsMs ?? Number.POSITIVE_INFINITY)
  }

  end(): void {
    this.#socket.destroy()
  }

  #settle(head: string): void {
    this.#answered?.(head)
    this.#answered = undefined
  }

  /** One character per byte. */
  #read(bytes: number, buffer: Uint8Array): boolean {
    this.#received += (buffer as Buffer).toString('latin1', 0, bytes)
    const end = this.#received.indexOf(HEAD_END)
    if (end < 0) return true
    const head = this.#received.slice(0, end)
    if (this.#received.length >= end + HEAD_END.length + lengthOf(head)) {
      this.#received = ''
      this.#lastsMs ??= lastsMsOf(head)
      this.#answeredAt = performance.now()
      this.#settle(head)
    }
    return true
  }
}

const lastsMsOf = (head: string): number =>
  Number(/keep-alive: timeout=(\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY) * 1000

const lengthOf = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)

export const statusOf = (head: string): string => head.slice(9, 12)

class Tally {
  readonly #began = performance.now()
  readonly statuses: Record<string, number> = {}
  readonly latencies: number[] = []
  failed = 0

  count(status: string, since: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    this.latencies.push(performance.now() - since)
  }

  finish(): Load {
    const { statuses, failed, latencies } = this
    const seconds = (performance.now() - this.#began) / 1000
    return { answers: latencies.length, failed, seconds, statuses, latencies }
  }
}

export interface Target {
  port: number
  seconds: number
  next: NextRequest
  /** The client's address, in the loopback network; 127.0.0.1 when left out. */
  from?: string
}

/** Each connection sends its next request as soon as it is answered. */
export async function loadClosed({ port, seconds, next }: Target, connections: number): Promise<Load> {
  const tally = new Tally()
  const end = performance.now() + seconds * 1000
  let number = 0
  const run = async () => {
    const connection = new Connection(port)
    while (performance.now() < end) {
      const since = performance.now()
      number += 1
      const head = await connection.ask(next(number))
      if (head) tally.count(statusOf(head), since)
      else {
        tally.failed += 1
        break
      }
    }
    connection.end()
  }
  await Promise.all(Array.from({ length: connections }, run))
  return tally.finish()
}

/** As many as a proxy keeps open to the server. */
const CONNECTIONS_MAX = 512

/** Keep-alive connections; a request waits when all are in use. One that was idle for too long is left out. */
class Connections {
  readonly #open: () => Connection
  readonly #idle: Connection[] = []
  readonly #waiting: ((connection: Connection) => void)[] = []
  #count = 0

  constructor(open: () => Connection) {
    this.#open = open
  }

  take(): Connection | Promise<Connection> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.usable) return idle
      idle.end()
      this.#count -= 1
    }
    if (this.#count === CONNECTIONS_MAX) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#count += 1
    return this.#open()
  }

  giveBack(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }

  replaceBroken(): void {
    this.#count -= 1
    if (this.#waiting.length === 0) return
    this.#count += 1
    this.#waiting.shift()?.(this.#open())
  }

  end(): void {
    for (const connection of this.#idle) connection.end()
  }
}

/**
 * Requests are sent at a fixed rate whatever the answers do, and each is timed from its due time, so that a stall
 * counts for every request that would have waited in it.
 */
export async function loadOpen({ port, seconds, next, from }: Target, perSecond: number): Promise<Load> {
  const tally = new Tally()
  const connections = new Connections(() => new Connection(port, from))
  const running = new Set<Promise<void>>()
  const began = performance.now()
  const send = async (number: number, due: number) => {
    const connection = await connections.take()
    const head = await connection.ask(next(number))
    if (!head) {
      tally.failed += 1
      connections.replaceBroken()
      return
    }
    tally.count(statusOf(head), due)
    connections.giveBack(connection)
  }
  const total = Math.round(perSecond * seconds)
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond))
    for (; sent < due; sent += 1) {
      const run: Promise<void> = send(sent + 1, began + ((sent + 1) / perSecond) * 1000).finally(() =>
        running.delete(run),
      )
      running.add(run)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, 10_000))])
  tally.failed += running.size
  connections.end()
  return tally.finish()
}

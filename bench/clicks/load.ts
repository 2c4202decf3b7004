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

/** What is sent next, whole: request line, headers, body. */
export type NextRequest = (number: number) => string

const HEAD_END = '\r\n\r\n'

/** One kept connection with one request on it at a time; as little work as a client can do, since it shares the cores. */
export class Connection {
  readonly #socket: Socket
  #answered: ((head: string) => void) | undefined
  #received = ''
  opened = false
  broken = false

  constructor(port: number, from?: string) {
    // Its own buffer and no events: a stream's way of reading is a third of what a client costs.
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

  end(): void {
    this.#socket.destroy()
  }

  #settle(head: string): void {
    this.#answered?.(head)
    this.#answered = undefined
  }

  /** A letter for each byte. */
  #read(bytes: number, buffer: Uint8Array): boolean {
    this.#received += (buffer as Buffer).toString('latin1', 0, bytes)
    const end = this.#received.indexOf(HEAD_END)
    if (end < 0) return true
    const head = this.#received.slice(0, end)
    if (this.#received.length >= end + HEAD_END.length + lengthOf(head)) {
      this.#received = ''
      this.#settle(head)
    }
    return true
  }
}

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
  /** Whose requests they are, in the loopback's network; 127.0.0.1 when left out. */
  from?: string
}

/** Each connection asks again as soon as it was answered. */
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

/**
 * Requests leave at a fixed rate whatever the answers do, and each is timed from when it should have left, so that a
 * stall counts for everybody who would have waited in it.
 */
export async function loadOpen({ port, seconds, next, from }: Target, perSecond: number): Promise<Load> {
  const tally = new Tally()
  const idle: Connection[] = []
  const running = new Set<Promise<void>>()
  const began = performance.now()
  const send = async (number: number, due: number) => {
    const connection = idle.pop() ?? new Connection(port, from)
    const head = await connection.ask(next(number))
    if (!head) {
      tally.failed += 1
      return
    }
    tally.count(statusOf(head), due)
    idle.push(connection)
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
  for (const connection of idle) connection.end()
  return tally.finish()
}

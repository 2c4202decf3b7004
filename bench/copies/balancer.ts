import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Which target gets a connection; the next is tried until one accepts it. */
export type Choice =
  /** Round robin. */
  | 'roundrobin'
  /** By the client's address, always the same target; when one dies only its own clients move. */
  | 'source'
  /** The first that accepts: the others are standbys. */
  | 'first'

/** A balancer for copies, and for a database with its standby: it forwards connections and reads nothing. */
export class Balancer {
  /** The number of connections by target port. */
  readonly passed = new Map<number, number>()
  readonly #ports: number[]
  readonly #choice: Choice
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #turn = 0

  private constructor(ports: number[], choice: Choice) {
    this.#ports = ports
    this.#choice = choice
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (near) => this.#take(near))
  }

  static async open(ports: number[], choice: Choice): Promise<Balancer> {
    const balancer = new Balancer(ports, choice)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #orderFor(address: string): number[] {
    if (this.#choice === 'first') return this.#ports
    if (this.#choice === 'source') {
      const weight = (port: number) => hash('sha1', `${address} ${this.#ports.indexOf(port)}`)
      return this.#ports.toSorted((a, b) => (weight(a) < weight(b) ? -1 : 1))
    }
    this.#turn = (this.#turn + 1) % this.#ports.length
    return [...this.#ports.slice(this.#turn), ...this.#ports.slice(0, this.#turn)]
  }

  #take(near: Socket): void {
    this.#keep(near)
    this.#pass(near, this.#orderFor(near.remoteAddress ?? ''))
  }

  #pass(near: Socket, [port, ...others]: number[]): void {
    if (port === undefined || near.destroyed) return void near.destroy()
    const far = this.#keep(connect({ port, host: '127.0.0.1', noDelay: true }))
    const next = () => this.#pass(near, others)
    far.once('error', next)
    far.once('connect', () => {
      far.off('error', next)
      this.passed.set(port, (this.passed.get(port) ?? 0) + 1)
      far.on('close', () => near.destroy())
      near.on('close', () => far.destroy())
      near.pipe(far).pipe(near)
    })
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.on('error', () => undefined) // 'close' follows
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }
}

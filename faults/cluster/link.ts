import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** From the one who connects to the one who is connected to, and back. */
type Way = 'there' | 'back'

/** A wire that can be cut, in one direction, too; whoever uses it hears nothing of that, as in a network. */
export class Link {
  readonly #server: Server
  readonly #pairs = new Set<Record<Way, Socket>>()
  #cut: Way[] = []

  private constructor(port: number) {
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (near) => this.#take(near, port))
  }

  static async open(port: number): Promise<Link> {
    const link = new Link(port)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  cut(...ways: Way[]): void {
    this.#cut = ways.length ? ways : ['there', 'back']
    for (const pair of this.#pairs) for (const way of this.#cut) pair[way].pause()
  }

  /** What was sent meanwhile arrives late. */
  mend(): void {
    this.#cut = []
    for (const pair of this.#pairs) for (const socket of Object.values(pair)) socket.resume()
  }

  close(): void {
    this.#server.close()
    for (const pair of this.#pairs) for (const socket of Object.values(pair)) socket.destroy()
  }

  #take(near: Socket, port: number): void {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    const pair = { there: near, back: far }
    this.#pairs.add(pair)
    this.#pass(near, far, 'there')
    this.#pass(far, near, 'back')
  }

  #pass(from: Socket, to: Socket, way: Way): void {
    const isCut = () => this.#cut.includes(way)
    from.on('data', (data) => void (to.write(data) || from.pause()))
    to.on('drain', () => void (isCut() || from.resume()))
    from.on('error', () => undefined) // 'close' follows
    from.on('close', () => {
      to.destroy()
      for (const pair of this.#pairs) if (pair[way] === from) this.#pairs.delete(pair)
    })
    if (isCut()) from.pause()
    else from.resume()
  }
}

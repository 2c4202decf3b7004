import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** A port reserved until PostgreSQL takes it; connections to it are closed meanwhile. */
export class HeldPort {
  readonly number: number
  readonly #server: Server | undefined

  private constructor(number: number, server?: Server) {
    this.number = number
    this.#server = server
  }

  static async take(wanted: number | undefined): Promise<HeldPort> {
    if (wanted !== undefined) return new HeldPort(wanted)
    const server = createServer((socket) => socket.destroy())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('no port')
    return new HeldPort(address.port, server)
  }

  async release(): Promise<void> {
    if (this.#server?.listening) await new Promise((resolve) => this.#server?.close(resolve))
  }
}

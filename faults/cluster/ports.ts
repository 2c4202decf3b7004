import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Free now, and never given to an outgoing connection, so that whoever listens there can come back after a kill. */
export async function lastingPort(): Promise<number> {
  const server = createServer().listen(randomInt(20_000, 32_000), '127.0.0.1')
  const port = await once(server, 'listening').then(
    () => (server.address() as { port: number }).port,
    () => undefined,
  )
  await new Promise((resolve) => server.close(resolve))
  return port ?? lastingPort()
}

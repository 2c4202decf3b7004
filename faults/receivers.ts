import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Webhook ids that were answered with 200, and how often each. */
export type Taken = Map<string, number>

export interface Receivers {
  /** Where nothing good comes from, by how it misbehaves. */
  bad: Record<string, string>
  /** One that takes everything while it is up. */
  good: { url: string; taken: Taken; isUp: boolean }
  /** Requests to the address that a redirect leads to. */
  redirected: () => number
  close: () => Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function listen(answer: Answer): Promise<{ server: Server; url: string }> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const LARGE = Buffer.alloc(10 * 1024 * 1024, 'a')

const badAnswers = (elsewhere: string): Record<string, Answer> => ({
  hangs: () => undefined,
  'answers 500': (_, response) => void response.writeHead(500).end('no'),
  'leads elsewhere': (_, response) => void response.writeHead(301, { location: elsewhere }).end(),
  'answers 500 with 10 MB': (_, response) => void response.writeHead(500).end(LARGE),
  'hangs up': (request) => void request.socket.destroy(),
  'never ends': (_, response) => void response.writeHead(200).write('a'),
})

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/** Receivers of others, each with a fault of its own (R20). */
export async function startReceivers(): Promise<Receivers> {
  let redirected = 0
  const inside = await listen((_, response) => {
    redirected += 1
    response.end('ok')
  })
  const good = { url: '', taken: new Map<string, number>(), isUp: true }
  const taking = await listen((request, response) => {
    if (!good.isUp) return void request.socket.destroy()
    const id = String(request.headers['webhook-id'])
    good.taken.set(id, (good.taken.get(id) ?? 0) + 1)
    response.end('ok')
  })
  good.url = taking.url
  const servers = [inside.server, taking.server]
  const bad: Record<string, string> = {}
  for (const [name, answer] of Object.entries(badAnswers(inside.url))) {
    const { server, url } = await listen(answer)
    servers.push(server)
    bad[name] = url
  }
  bad['speaks no TLS'] = (bad['answers 500'] ?? '').replace('http:', 'https:')
  return { bad, good, redirected: () => redirected, close: async () => void (await Promise.all(servers.map(close))) }
}

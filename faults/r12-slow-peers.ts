import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { residentMegabytes } from '#bench/clicks/processes.ts'
import { AGENT } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { makePair } from '#db/factories.ts'
import type { Fault } from './fault.ts'
import { type Product, withProduct } from './product.ts'

const PEERS = 1_000
const PER_SECOND = 200
const JOINING_MS = (1_000 * PEERS) / PER_SECOND + 5_000
const PROBE_MS = 1_000
/** The headers must be there after 10 s, the whole request after 15, and the server checks every 5. */
const [HEADERS_MS, REQUEST_MS, LOOK_MS] = [10_000, 15_000, 5_000]
/** A client that reads nothing of an answer for this long is disconnected. */
const DEAF_MS = 150_000

interface Way {
  what: string
  begin: string
  /** What it sends each second; without it, it only waits. */
  drip: string
  /** It stops reading answers. */
  deaf: boolean
  /** When the server must have closed the last one. */
  within: number
}

const ways: Way[] = [
  {
    what: 'headers',
    begin: 'GET /healthz HTTP/1.1\r\nhost: x\r\n',
    drip: 'x-a: b\r\n',
    deaf: false,
    within: HEADERS_MS + LOOK_MS,
  },
  {
    what: 'bodies',
    begin:
      'POST /api/v1/auth/login/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n',
    drip: ' ',
    deaf: false,
    within: REQUEST_MS + LOOK_MS,
  },
  {
    what: 'readers',
    begin: 'GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2),
    drip: '',
    deaf: true,
    within: DEAF_MS + LOOK_MS,
  },
]

interface Peer {
  socket: Socket
  /** Milliseconds until it was closed. */
  closed: number | undefined
}

function join(port: number, { begin, deaf }: Way): Peer {
  const socket = connect({ port, host: '127.0.0.1' })
  const since = performance.now()
  const peer: Peer = { socket, closed: undefined }
  socket.on('error', () => undefined) // 'close' follows
  socket.on('close', () => {
    peer.closed = performance.now() - since
  })
  if (deaf) socket.pause()
  else socket.resume()
  socket.write(begin)
  return peer
}

/** Visitors and the balancer, ten times a second, each on a connection of its own. */
async function probe(
  product: Product,
  link: string,
  until: Promise<unknown>,
): Promise<{ times: number[]; failed: number }> {
  const [times, answers]: [number[], Promise<number>[]] = [[], []]
  let over = false
  until.then(() => {
    over = true
  })
  const ask = async (path: string) => {
    const since = performance.now()
    const { status } = await product.anonymous.get(path, { headers: { connection: 'close', 'user-agent': AGENT } })
    times.push(performance.now() - since)
    return status
  }
  for (let number = 1; !over; number += 1) {
    answers.push(ask(`${link}&external_id=s-${number}`), ask('/readyz'))
    await wait(100)
  }
  const statuses = await Promise.all(answers)
  return { times, failed: statuses.filter((status) => status !== 302 && status !== 200).length }
}

/** As fast as such attacks usually connect, no stampede. */
async function joinAll(peers: Peer[], port: number, way: Way, count: number): Promise<void> {
  for (; peers.length < count; await wait(1_000 / (PER_SECOND / 10)))
    for (let each = 0; each < 10; each += 1) peers.push(join(port, way))
}

const allGone = (peers: Peer[]) =>
  Promise.all(peers.map(({ socket, closed }) => (closed === undefined ? gone(socket) : undefined)))

const gone = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

/** A client that does not read does not notice that the server closed, either. */
async function listenAtLast(peers: Peer[]): Promise<void> {
  for (const { socket } of peers) socket.resume()
  await Promise.race([wait(3_000), allGone(peers)])
}

async function endure(product: Product, link: string, way: Way, count: number, stay: number): Promise<Figures> {
  const { port } = product.supervised
  const peers: Peer[] = []
  const joining = joinAll(peers, port, way, count)
  const dripping = setInterval(() => {
    if (way.drip) for (const { socket, closed } of peers) if (closed === undefined) socket.write(way.drip)
  }, 1_000)
  const over = joining.then(() => Promise.race([wait(stay), allGone(peers)]))
  const { times, failed } = await probe(product, link, over)
  clearInterval(dripping)
  const megabytes = residentMegabytes(product.supervised.pid)
  if (way.deaf) await listenAtLast(peers)
  const left = peers.filter(({ closed }) => closed === undefined).length
  const last = Math.max(0, ...peers.map(({ closed = 0 }) => closed))
  for (const { socket } of peers) socket.destroy()
  const figures = {
    [`slow ${way.what}`]: count,
    [`slowest probe ms, ${way.what}`]: Math.round(Math.max(...times)),
    [`last closed s, ${way.what}`]: left ? `${left} left` : Number((last / 1000).toFixed(1)),
    [`MB, ${way.what}`]: Math.round(megabytes),
  }
  promise(failed === 0 && Math.max(...times) < PROBE_MS, 'Others waited for slow peers', { ...figures, failed })
  // Clients that do not read are checked only at the end.
  const late = way.deaf ? stay + JOINING_MS : way.within
  promise(stay < way.within || (left === 0 && last < late + 2_000), 'Slow peers stay', figures)
  return figures
}

export const fault: Fault = {
  id: 'R12',
  title: 'a thousand peers send or read as slowly as they can',
  run: ({ short, say }) =>
    withProduct(async (product) => {
      const { relationship, product: offer } = await makePair(product.db)
      const link = `/api/v1/leads/redirect/${relationship.id}/?product_id=${offer.id}`
      const figures: Figures = {}
      for (const way of ways) {
        const outcome = await endure(product, link, way, short ? 100 : PEERS, short ? 3_000 : way.within + 5_000)
        say(JSON.stringify(outcome))
        Object.assign(figures, outcome)
      }
      return figures
    }),
}

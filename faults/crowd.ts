import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { clickOf, type Links } from '#bench/clicks/world.ts'

/** Visitors at the same time whose next one comes as soon as one is served: as many as saturate the server. */
const VISITORS = 128
const PATIENCE_MS = 3_000
/** A client that stalled must not send everything at once afterwards. */
const STALL_MS = 50

export interface Tally {
  /** Milliseconds from the opening of the connection; of those led on. */
  latencies: number[]
  /** How many came: the client, which shares the server's cores, may be too slow for all. */
  came: number
  /** How the others ended. */
  others: Record<string, number>
  /** Ids of those that were told to come back. */
  refused: Set<string>
  seconds: number
}

/** A visitor who brings a connection, follows a link and leaves. Bare sockets: the client shares the server's cores. */
function visit(port: number, number: number, id: string, text: string, tally: Tally): Promise<void> {
  const opened = performance.now()
  tally.came += 1
  const localAddress = `127.0.${number % 200}.${1 + (number % 250)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  let how = 'connection refused'
  socket.write(text)
  socket.setTimeout(PATIENCE_MS, () => {
    how = 'timeout'
    socket.destroy()
  })
  socket.on('data', (data) => {
    how = data.toString('latin1', 9, 12)
    socket.destroy()
  })
  socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (code !== 'ECONNRESET' && code !== 'EPIPE') how = code
  })
  return new Promise((resolve) => {
    socket.on('close', () => {
      if (how === '302') tally.latencies.push(performance.now() - opened)
      else tally.others[how] = (tally.others[how] ?? 0) + 1
      if (how === '503') tally.refused.add(id)
      resolve()
    })
  })
}

const newTally = (): Tally => ({ latencies: [], came: 0, others: {}, refused: new Set(), seconds: 0 })

export interface Crowd {
  port: number
  links: Links
  mark: string
  seconds: number
}

async function closedCrowd({ port, links, mark, seconds }: Crowd): Promise<Tally[]> {
  const [tally, next] = [newTally(), clickOf(links, mark)]
  const began = performance.now()
  let number = 0
  const run = async () => {
    while (performance.now() < began + seconds * 1000) {
      number += 1
      await visit(port, number, `${mark}-${number}`, next(number), tally)
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, run))
  return [{ ...tally, seconds: (performance.now() - began) / 1000 }]
}

/** Tallies of one second each, by when the visitors came. Those whom the client is too slow to send do not come. */
async function openCrowd({ port, links, mark, seconds }: Crowd, perSecond: number): Promise<Tally[]> {
  const tallies = Array.from({ length: seconds }, () => ({ ...newTally(), seconds: 1 }))
  const next = clickOf(links, mark)
  const running = new Set<Promise<void>>()
  const began = performance.now()
  let [sent, due, last] = [0, 0, began]
  for (let now = began; now < began + seconds * 1000; now = performance.now()) {
    due += (Math.min(now - last, STALL_MS) / 1000) * perSecond
    last = now
    const tally = tallies[Math.floor((now - began) / 1000)] as Tally
    for (; sent < due; sent += 1) {
      const run: Promise<void> = visit(port, sent, `${mark}-${sent}`, next(sent), tally).finally(() =>
        running.delete(run),
      )
      running.add(run)
    }
    await wait(1)
  }
  await Promise.all(running)
  return tallies
}

export function joined(tallies: Tally[]): Tally {
  const all = newTally()
  for (const { latencies, came, others, refused, seconds } of tallies) {
    all.seconds += seconds
    for (const each of latencies) all.latencies.push(each)
    all.came += came
    for (const id of refused) all.refused.add(id)
    for (const [how, count] of Object.entries(others)) all.others[how] = (all.others[how] ?? 0) + count
  }
  return all
}

interface Asked {
  crowd: Crowd
  /** Undefined: a closed crowd. */
  perSecond: number | undefined
}

/** In a thread of its own, so that it delays nobody who measures beside it. */
export function sendCrowd(crowd: Crowd, perSecond?: number): Promise<Tally[]> {
  const asked: Asked = { crowd, perSecond }
  const worker = new Worker(new URL(import.meta.url), { workerData: asked })
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

if (!isMainThread) {
  const { crowd, perSecond } = workerData as Asked
  parentPort?.postMessage(perSecond === undefined ? await closedCrowd(crowd) : await openCrowd(crowd, perSecond))
}

import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Connection, statusOf } from '#bench/clicks/load.ts'
import { clickOf, type Links } from '#bench/clicks/world.ts'

/** Visitors at the same time whose next one comes as soon as one is served: as many as saturate the server. */
const VISITORS = 128
const PATIENCE_MS = 5_000

export interface Tally {
  /** Milliseconds from the opening of the connection; of those led on. */
  latencies: number[]
  /** How late the client itself opened each connection: its cores are the server's. */
  lateness: number[]
  /** How the others ended. */
  others: Record<string, number>
  /** Ids of those that were told to come back. */
  refused: Set<string>
  seconds: number
}

/** A visitor who brings a connection, follows a link and leaves. */
async function visit(port: number, number: number, id: string, text: string, due: number, tally: Tally): Promise<void> {
  const opened = performance.now()
  tally.lateness.push(opened - due)
  const connection = new Connection(port, `127.0.${number % 200}.${1 + (number % 250)}`)
  const timer = setTimeout(() => connection.end(), PATIENCE_MS)
  const status = statusOf(await connection.ask(text))
  clearTimeout(timer)
  connection.end()
  const milliseconds = performance.now() - opened
  if (status === '302') tally.latencies.push(milliseconds)
  else {
    const how = status || (milliseconds >= PATIENCE_MS ? 'timeout' : 'connection refused')
    tally.others[how] = (tally.others[how] ?? 0) + 1
    if (status === '503') tally.refused.add(id)
  }
}

const newTally = (): Tally => ({ latencies: [], lateness: [], others: {}, refused: new Set(), seconds: 0 })

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
      await visit(port, number, `${mark}-${number}`, next(number), performance.now(), tally)
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, run))
  return [{ ...tally, seconds: (performance.now() - began) / 1000 }]
}

/** Tallies of one second each, by when the visitors were due. */
async function openCrowd({ port, links, mark, seconds }: Crowd, perSecond: number): Promise<Tally[]> {
  const tallies = Array.from({ length: seconds }, () => ({ ...newTally(), seconds: 1 }))
  const next = clickOf(links, mark)
  const running = new Set<Promise<void>>()
  const began = performance.now()
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, ((performance.now() - began) / 1000) * perSecond)
    for (; sent < due; sent += 1) {
      const at = began + (sent / perSecond) * 1000
      const tally = tallies[Math.min(seconds - 1, Math.floor(sent / perSecond))] as Tally
      const run: Promise<void> = visit(port, sent, `${mark}-${sent}`, next(sent), at, tally).finally(() =>
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
  for (const { latencies, lateness, others, refused, seconds } of tallies) {
    all.seconds += seconds
    for (const each of latencies) all.latencies.push(each)
    for (const each of lateness) all.lateness.push(each)
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

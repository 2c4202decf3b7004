import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { loadOpen } from '#bench/clicks/load.ts'
import { residentMegabytes } from '#bench/clicks/processes.ts'
import { clickOf } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { median, percentile } from '#bench/measure.ts'
import type { Fault, Options } from './fault.ts'
import type { Supervised } from './supervised.ts'
import { inWorld } from './world.ts'

/** Half of what the server can take beside its client; a hundred of them, and the events, are in a journal. */
const LONG = { minutes: 60, perSecond: 1_000, everyMs: 10_000 }
const SHORT = { minutes: 1, perSecond: 200, everyMs: 1_000 }
const JOURNALED = { clicks: 100, events: 5, payments: true }
/** Of the last quarter over the second one: what a server grows by while it warms up is in the first. */
const GROWTH = 1.1

interface Sample {
  minutes: number
  megabytes: number
  /** Without those of its clients. */
  descriptors: number
}

/** Megabytes an hour, by least squares over the second half. */
function slopeOf(samples: Sample[]): number {
  const late = samples.slice(samples.length / 2)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(late.map(({ minutes }) => minutes)), mean(late.map(({ megabytes }) => megabytes))]
  const products = late.reduce((sum, one) => sum + (one.minutes - x) * (one.megabytes - y), 0)
  return (60 * products) / late.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0)
}

const quarter = (samples: Sample[], number: number, name: 'megabytes' | 'descriptors'): number => {
  const length = Math.floor(samples.length / 4)
  return median(samples.slice((number - 1) * length, number * length).map((sample) => sample[name]))
}

/** One that the client alone has closed is the server's to close. */
const ESTABLISHED = '01'

/** Connections to a port of this machine which its clients open as they need them. */
function connectionsTo(port: number): number {
  const end = `:${port.toString(16).padStart(4, '0').toUpperCase()}`
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const columns = rows.map((row) => row.trim().split(/\s+/))
  return columns.filter(([, local, , state]) => local?.endsWith(end) && state === ESTABLISHED).length
}

async function sampled(
  { pid, port }: Supervised,
  { minutes, everyMs }: typeof LONG,
  say: Options['say'],
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const began = Date.now(); Date.now() < began + minutes * 60_000; await wait(everyMs)) {
    samples.push({
      minutes: (Date.now() - began) / 60_000,
      megabytes: residentMegabytes(pid),
      descriptors: readdirSync(`/proc/${pid}/fd`).length - connectionsTo(port),
    })
    if (samples.length % 30 === 0) say(JSON.stringify(samples.at(-1)))
  }
  return samples
}

export const fault: Fault = {
  id: 'R18',
  title: 'half of what the server can take, for an hour',
  run: ({ short, say }) =>
    inWorld({ small: short }, async (world) => {
      const soak = short ? SHORT : LONG
      const server = await world.start()
      const journaled = await world.load(server, JOURNALED)
      const all = { port: server.port, seconds: soak.minutes * 60, next: clickOf(world.links, 'soak') }
      const [bulk, samples] = await Promise.all([loadOpen(all, soak.perSecond), sampled(server, soak, say)])
      const stored = await journaled.check()
      const figures: Figures = {
        minutes: soak.minutes,
        'clicks a second': soak.perSecond + JOURNALED.clicks,
        'p50 ms': Math.round(percentile(bulk.latencies, 0.5)),
        'p99 ms': Math.round(percentile(bulk.latencies, 0.99)),
        'not led on': bulk.answers + bulk.failed - (bulk.statuses['302'] ?? 0),
        'connections that broke': bulk.failed,
        'memory MB, second quarter': Math.round(quarter(samples, 2, 'megabytes')),
        'last quarter': Math.round(quarter(samples, 4, 'megabytes')),
        'MB an hour in the second half': Math.round(slopeOf(samples)),
        'descriptors, second quarter': quarter(samples, 2, 'descriptors'),
        'descriptors, last quarter': quarter(samples, 4, 'descriptors'),
        ...stored,
      }
      promise(server.starts === 1, 'The server ended', figures)
      promise(!figures['not led on'], 'Clicks were refused', figures)
      // In a minute memory has not yet found its size.
      for (const name of short ? [] : (['megabytes', 'descriptors'] as const))
        promise(quarter(samples, 4, name) <= GROWTH * quarter(samples, 2, name), `${name} grow`, figures)
      return figures
    }),
}

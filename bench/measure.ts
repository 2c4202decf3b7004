import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { Case } from './list-cases.ts'
import type { Stage } from './stage.ts'

export interface Measured {
  p50: number
  p95: number
}

const MOST = 20
/** Nothing is asked again for longer than this, but twice. */
const PATIENCE_MS = 500

/** After a first time that warms up. */
export async function measure(stage: Stage, { reader, path }: Case): Promise<Measured> {
  await stage.get(reader, path)
  const times: number[] = []
  const end = performance.now() + PATIENCE_MS
  while (times.length < 2 || (times.length < MOST && performance.now() < end)) times.push(await stage.get(reader, path))
  return { p50: median(times), p95: percentile(times, 0.95) }
}

/** The smallest of them that so large a part does not exceed. */
export function percentile(numbers: readonly number[], part: number): number {
  const inOrder = numbers.toSorted((a, b) => a - b)
  return inOrder[Math.ceil(part * inOrder.length) - 1] as number
}

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5)

export const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`

export const load = (): string => (loadavg()[0] as number).toFixed(1)

/** Before it is loaded by us. */
export const circumstances = (): string =>
  `${machine()}, ${new Date().toISOString().slice(0, 10)}; load average before the run ${load()}`

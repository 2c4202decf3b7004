import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** The quantile: the smallest value that this share of them does not exceed. */
export function percentile(numbers: readonly number[], part: number): number {
  const inOrder = numbers.toSorted((a, b) => a - b)
  return inOrder[Math.ceil(part * inOrder.length) - 1] as number
}

export const whole = (number: number) => Math.round(number).toLocaleString('en')

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5)

const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`

const load = (): string => (loadavg()[0] as number).toFixed(1)

/** Before it is loaded by us. */
export const circumstances = (): string =>
  `${machine()}, ${new Date().toISOString().slice(0, 10)}; load average before the run ${load()}`

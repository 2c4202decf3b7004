// Shared by the parts of `npm run bench -- clicks`: how much is measured, and how figures are written.
import { parseArgs } from 'node:util'
import { percentile } from '../measure.ts'
import type { Load } from './load.ts'

export const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, minutes: { type: 'string', default: '10' } },
})
export const { quick } = values
export const ROUNDS = quick ? 1 : 5

export const quantile = ({ latencies }: Load, share: number): number => percentile(latencies, share)

export const say = (text: string) => console.log(text)
export const ms = (number: number) => number.toFixed(1)
let marks = 0
export const mark = () => {
  marks += 1
  return `m${marks}`
}

export function expectAll(load: Load, status: string): Load {
  if (load.failed || load.statuses[status] !== load.answers)
    throw new Error(`Not every answer was ${status}: ${JSON.stringify(load.statuses)}, ${load.failed} failed`)
  return load
}

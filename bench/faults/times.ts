import { percentile } from '../measure.ts'
import type { Figures } from './fault.ts'

/** Of some milliseconds. */
export const timesOf = (name: string, times: number[], part = 0.95): Figures => ({
  [`${name} p${part * 100} ms`]: Math.round(percentile(times, part)),
  [`${name} worst ms`]: Math.round(Math.max(...times)),
})

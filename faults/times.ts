import type { Figures } from '#bench/figures.ts'
import { percentile } from '#bench/measure.ts'

/** Of some milliseconds. */
export const timesOf = (name: string, times: number[], part = 0.95): Figures => ({
  [`${name} p${part * 100} ms`]: Math.round(percentile(times, part)),
  [`${name} worst ms`]: Math.round(Math.max(...times)),
})

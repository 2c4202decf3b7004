import { promise } from '#bench/figures.ts'
import type { Fault } from './fault.ts'
import { killServer } from './server-kills.ts'

const FIRST_MS = 1_000
const LONG = { rounds: 50, clicks: 300, events: 10, pause: () => 1_000 + 4_000 * Math.random() }
const SHORT = { rounds: 1, clicks: 100, events: 5, pause: () => 300 }

export const fault: Fault = {
  id: 'R1',
  title: 'the server is killed under load',
  run: async (options) => {
    const figures = await killServer(options.short ? SHORT : LONG, options)
    if (!options.short) promise(Number(figures['first 302 p95 ms']) < FIRST_MS, 'The first 302 came too late', figures)
    return figures
  },
}

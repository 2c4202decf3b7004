import type { Fault } from './fault.ts'
import { killServer } from './server-kills.ts'

const LONG = { rounds: 50, clicks: 700, events: 10, pause: () => 1_000 + 4_000 * Math.random(), enough: 100_000 }
const SHORT = { rounds: 2, clicks: 300, events: 5, pause: () => 500 }

/** Close to the limit of client, server and PostgreSQL on two cores; recovery times are measured with less. */
export const fault: Fault = {
  id: 'R1.2',
  title: 'the server is killed under as much load as it takes',
  run: (options) => killServer(options.short ? SHORT : LONG, options),
}

import type { Figures } from '#bench/figures.ts'
import type { FaultWorld } from './world.ts'

export interface Options {
  /** Few rounds, for the tests that run every time. */
  short: boolean
  say: (text: string) => void
  /** To be used instead of a world of its own. */
  world?: FaultWorld
}

/** Something that breaks, and what is promised all the same; `run` throws when the promise is broken. */
export interface Fault {
  /** R1, R2, … */
  id: string
  title: string
  run: (options: Options) => Promise<Figures>
}

/** No result, since this machine does not allow to break that. */
export class NotRun extends Error {
  constructor(why: string) {
    super(`Not run: ${why}`)
  }
}

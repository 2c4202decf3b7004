import type { FaultWorld } from './world.ts'

export type Figures = Record<string, string | number>

export interface Options {
  /** Few rounds, for the tests that run every time. */
  short: boolean
  say: (text: string) => void
  /** To be used instead of one of its own. */
  world?: FaultWorld
}

/** Something that breaks, and what is promised all the same; `run` throws when the promise is not kept. */
export interface Fault {
  /** R1, R2, … */
  id: string
  title: string
  run: (options: Options) => Promise<Figures>
}

/** Nothing was found out, since this machine does not allow to break that. */
export class NotRun extends Error {
  constructor(why: string) {
    super(`Not run: ${why}`)
  }
}

/** A promise that was not kept, with everything that was counted. */
export function promise(kept: boolean, what: string, figures: Figures): void {
  if (!kept) throw new Error(`${what} (${textOf(figures)})`)
}

export const textOf = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toLocaleString('en') : value}`)
    .join(', ')

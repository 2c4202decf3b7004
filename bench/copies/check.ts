import type { Figures } from '../figures.ts'
import type { CopiesWorld } from './world.ts'

/** Something that several copies must do as one; `run` throws when they do not. */
export interface Check {
  name: string
  title: string
  run: (world: CopiesWorld) => Promise<Figures>
}

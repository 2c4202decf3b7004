import type { Alias } from './endpoint.ts'

/** Where the figures of our own screens are. Blockers' lists stop any address that has `/api/v1/metrics` in it (D91). */
export const FIGURES = '/api/v1/figures/'

/** Where they were before, and where who wrote against that address still finds them. */
export const formerly = (name: string): Alias => ({ path: `/api/v1/metrics/${name}`, deprecated: true })

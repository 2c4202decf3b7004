import type { BulkOutcome } from '#contract/bulk.ts'
import { AppError } from './errors.ts'

type Changed = 'updated' | 'already'

/**
 * Changes rows one after the other, each in a transaction of its own: the one that a rule refuses says why and keeps no
 * other back. Any other error ends it; asked again, what was done is `already`.
 */
export async function eachAlone(ids: readonly number[], change: (id: number) => Promise<Changed>) {
  const outcomes: BulkOutcome[] = []
  for (const id of ids) outcomes.push(await change(id).then(done(id), refused(id)))
  return outcomes
}

const done =
  (id: number) =>
  (outcome: Changed): BulkOutcome => ({ id, outcome, message: null })

const RULES = [404, 409, 412, 422]

const refused =
  (id: number) =>
  (error: unknown): BulkOutcome => {
    if (!(error instanceof AppError && RULES.includes(error.status))) throw error
    return { id, outcome: error.status === 404 ? 'not_found' : 'refused', message: error.message }
  }

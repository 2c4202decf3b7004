import { AppError, unavailable } from '../http/errors.ts'

/** Leads that are acknowledged but not known to be in the database. */
export interface SpoolIndex {
  has(trackingId: string): boolean
  drainedWithin(trackingId: string, milliseconds: number): Promise<boolean>
  /** Whether another copy of the server may have acknowledged it. */
  mayBeElsewhere(trackingId: string): boolean
}

/** Of one answer, whether it is about one event or many. */
export const DRAIN_PATIENCE_MS = 2_000

/** What `run` does not find is a 503 while it may be in a spool: a 404 would make its issuer give up for good. */
export async function mindingSpool<T>(spool: SpoolIndex, trackingId: string, run: () => Promise<T>): Promise<T> {
  // Read first: a lead drained after its row was not found must be looked for again.
  const [waits, mayBeElsewhere] = [spool.has(trackingId), spool.mayBeElsewhere(trackingId)]
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
    if (!waits) throw mayBeElsewhere ? unavailable() : error
    if (!(await spool.drainedWithin(trackingId, DRAIN_PATIENCE_MS))) throw unavailable()
    return run()
  }
}

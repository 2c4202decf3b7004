import { AppError, unavailable } from '../http/errors.ts'

/** Which leads are acknowledged and not known to be in the database yet. */
export interface SpoolIndex {
  has(trackingId: string): boolean
  drainedWithin(trackingId: string, milliseconds: number): Promise<boolean>
  /** Whether another copy of the server may have acknowledged it. */
  mayBeElsewhere(trackingId: string): boolean
}

const DRAIN_PATIENCE_MS = 2_000

/** A lead that waits in the spool may be in the database, too; a 404 would make its issuer give up for good. */
export async function storeMindingSpool<T>(spool: SpoolIndex, trackingId: string, store: () => Promise<T>): Promise<T> {
  // Looked up first: it may come out of the spool after its row was not found, and must then be looked for again.
  const [waits, mayBeElsewhere] = [spool.has(trackingId), spool.mayBeElsewhere(trackingId)]
  try {
    return await store()
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
    if (!waits) throw mayBeElsewhere ? unavailable() : error
    if (!(await spool.drainedWithin(trackingId, DRAIN_PATIENCE_MS))) throw unavailable()
    return store()
  }
}

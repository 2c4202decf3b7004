import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

/** Taken before any row, so that a reader who waits for it never waits for somebody who waits for the reader. */
export const announceWriter = (tx: Tx, issuerId: number) =>
  sql`select pg_advisory_xact_lock_shared(${writersOf(issuerId)})`.execute(tx)

/** Returns when every event of the issuer that has an id is either stored or gone. */
export const waitForWriters = (tx: Tx, issuerId: number) =>
  sql`select pg_advisory_xact_lock(${writersOf(issuerId)})`.execute(tx)

const writersOf = (issuerId: number) => sql`hashtextextended(${`lead_event ${issuerId}`}, 0)`

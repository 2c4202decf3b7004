import { type Compilable, sql } from 'kysely'
import { COMPANY_EXPORT_RUNNING, EXPORT_RUNNING } from '#contract/exports.ts'
import type { Db, Tx } from '#db/connect.ts'
import { conflict } from '../http/errors.ts'
import { beforeSnapshot } from '../snapshot.ts'
import { partyOf, type Reader } from '../viewer.ts'

const BATCH = 1000

/** Rows that are read on demand. The caller that opens it closes it. */
interface Listing<Row> {
  batches: AsyncIterable<Row[]>
  close: () => Promise<void>
}

/** What a reader of rows is allowed. */
interface Pace {
  /** Between taking rows and asking for more, while that holds a connection. */
  pauseMs: number
  giveUp: () => void
}

export interface Source<Row> {
  /** The rows, read in the export's own transaction. */
  select: (tx: Tx) => Promise<Compilable<Row>> | Compilable<Row>
  /** None of them is read from leads: partitions are cut and merged meanwhile, however slow the reader is. */
  withoutLeads?: true
}

/**
 * A cursor in one snapshot, so that a file of minutes holds neither a row twice nor half a change. The first rows are
 * read at once, so that a query that fails does so before the answer begins.
 */
export async function openListing<Row>(
  reader: Db,
  viewer: Reader,
  { select, withoutLeads }: Source<Row>,
  pace: Pace,
): Promise<Listing<Row>> {
  const tx = await reader.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    if (!withoutLeads) await beforeSnapshot(tx)
    await takeTurn(tx, viewer)
    await sql`declare listing no scroll cursor for ${await select(tx)}`.execute(tx)
    const first = await fetchRows<Row>(tx)
    return { batches: readOn(tx, first, pace), close: () => end(tx) }
  } catch (error) {
    await end(tx)
    throw error
  }
}

type OpenTx = Awaited<ReturnType<ReturnType<Db['startTransaction']>['execute']>>

/** Frees the connection, the cursor and the lock. A lost connection has freed them already. */
async function end(tx: OpenTx): Promise<void> {
  if (tx.isRolledBack) return
  await tx.rollback().execute()
}

/**
 * One export at a time for each company, administrator and key of the network, whichever copy of the server it runs on. Ends with the
 * transaction.
 */
async function takeTurn(tx: Tx, viewer: Reader): Promise<void> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`export ${partyOf(viewer)}`}, 0)) as free`.execute(tx)
  if (rows[0]?.free) return
  throw conflict(viewer.role === 'admin' ? EXPORT_RUNNING : COMPANY_EXPORT_RUNNING, 'EXPORT_RUNNING')
}

const fetchRows = async <Row>(tx: Tx): Promise<Row[]> =>
  (await sql<Row>`fetch ${sql.lit(BATCH)} from listing`.execute(tx)).rows

async function* readOn<Row>(tx: OpenTx, first: Row[], { pauseMs, giveUp }: Pace): AsyncGenerator<Row[]> {
  let rows = first
  for (; rows.length === BATCH; rows = await fetchRows<Row>(tx)) {
    const late = setTimeout(giveUp, pauseMs)
    try {
      yield rows
    } finally {
      clearTimeout(late)
    }
  }
  // Before the last rows are sent: a client that has the whole file may request the next one at once.
  await end(tx)
  if (rows.length > 0) yield rows
}

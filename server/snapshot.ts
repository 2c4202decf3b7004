import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'

/** One snapshot for several queries, or their answers would not add up while clicks arrive. */
export const inSnapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await beforeSnapshot(tx)
      return read(tx)
    })

/**
 * The first statement of a snapshot that reads leads: a snapshot taken before a merge of partitions would not see the
 * merged rows. The lock prevents merges until the transaction ends, and is granted before anything is read.
 */
export const beforeSnapshot = (tx: Tx) => sql`lock table only lead in access share mode`.execute(tx)

import { type RawBuilder, sql } from 'kysely'
import { callAlone } from '#db/pool.ts'
import type { TestServer } from '../testing.ts'
import { isBusy, tendPartitions } from './partitions.ts'

/**
 * Ends the open partition and closes all that have ended, without waiting until clicks are through; the server itself may be
 * about to do some of it.
 */
export async function closeAll({ db, databaseUrl }: Pick<TestServer, 'db' | 'databaseUrl'>): Promise<void> {
  await tendPartitions(db, { databaseUrl, cutLeads: 1 })
  const nextOne = () =>
    db
      .selectFrom('lead_partition')
      .select('name')
      .where('leads', 'is', null)
      .where('end_id', 'is not', null)
      .orderBy('first_id')
      .executeTakeFirst()
  for (let one = await nextOne(); one; one = await nextOne()) {
    const { name } = one
    await callAlone(databaseUrl, 'afluente test', (call) => call('select close_partition($1)', [name]), {
      deadlineMs: 60_000,
    }).catch((error) => {
      if (!isBusy(error)) throw error
    })
  }
}

/** An id of that moment, for rows that PostgreSQL makes. */
export const idOf = (moment: RawBuilder<unknown>) =>
  sql`(left(first_id_of(${moment})::text, 14) || substr(gen_random_uuid()::text, 15))::uuid`

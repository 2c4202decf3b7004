import type { TestServer } from '../testing.ts'
import { tendPartitions } from './partitions.ts'

/** Ends the open partition and closes all that have ended; the server itself may be about to do some of it. */
export async function closeAll({ db, databaseUrl }: Pick<TestServer, 'db' | 'databaseUrl'>): Promise<void> {
  await tendPartitions(db, { databaseUrl, cutLeads: 1 })
  const after = new Date(Date.now() + 10_000)
  for (let left = 1; left > 0; ) {
    await tendPartitions(db, { databaseUrl, now: after, cutLeads: Number.MAX_SAFE_INTEGER })
    const { count } = await db
      .selectFrom('lead_partition')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('leads', 'is', null)
      .where('end_id', 'is not', null)
      .executeTakeFirstOrThrow()
    left = count
  }
}

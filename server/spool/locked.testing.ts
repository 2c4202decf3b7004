import { sql } from 'kysely'
import { asOwner } from '../testing.ts'

/** Runs while nobody can write leads, which only their owner can bring about. */
export const whileLocked = (databaseUrl: string, run: () => Promise<void>): Promise<void> =>
  asOwner(databaseUrl, (owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`lock table lead in share mode`.execute(tx)
      await run()
    }),
  )

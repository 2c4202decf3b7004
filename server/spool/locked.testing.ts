import { sql } from 'kysely'
import { asOwner } from '../testing.ts'

/** Runs while the table of leads is locked against writes, which only its owner can do. */
export const whileLocked = (databaseUrl: string, run: () => Promise<void>): Promise<void> =>
  asOwner(databaseUrl, (owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`lock table lead in share mode`.execute(tx)
      await run()
    }),
  )

import { sql } from 'kysely'
import { connect } from '#db/connect.ts'

/** Runs while nobody can write leads, which only their owner can bring about. */
export async function whileLocked(databaseUrl: string, run: () => Promise<void>): Promise<void> {
  const owner = connect(databaseUrl, { max: 1 })
  try {
    await owner.transaction().execute(async (tx) => {
      await sql`lock table lead in share mode`.execute(tx)
      await run()
    })
  } finally {
    await owner.destroy()
  }
}

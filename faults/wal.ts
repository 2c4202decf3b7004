import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

/** How often PostgreSQL flushed its WAL; a connection's flushes count when it has ended, or after a second. */
export async function logFlushes(db: Db): Promise<number> {
  const { rows } = await sql<{ flushes: number }>`
    select sum(fsyncs)::int as flushes from pg_stat_io where object = 'wal'`.execute(db)
  return rows[0]?.flushes ?? 0
}

import { endClient, newClient } from './pool.ts'

// Neither a promotion of a standby nor a crash begins another history: what was acknowledged is there after them. The
// timeline of PostgreSQL, which changes at a promotion as it does at a restore, cannot tell the two apart.
const BEGIN = `insert into history (system_identifier)
  select system_identifier::text from pg_control_system()
  where $1 or system_identifier::text is distinct from
    (select latest.system_identifier from history as latest order by number desc limit 1)`

export const PRESENT_HISTORY = 'select id from history order by number desc limit 1'

async function withHistory(ownerUrl: string, restored: boolean): Promise<string> {
  const client = newClient(ownerUrl, 'afluente history')
  try {
    await client.connect()
    await client.query('begin')
    // Copies of the server that start at once begin it once.
    await client.query('lock table history in exclusive mode')
    await client.query(BEGIN, [restored])
    const { rows } = await client.query<{ id: string }>(PRESENT_HISTORY)
    await client.query('commit')
    return rows[0]?.id ?? ''
  } finally {
    await endClient(client)
  }
}

/** The id of the history that the rows belong to; of a new one where no server has asked on this PostgreSQL. */
export const readHistory = (ownerUrl: string): Promise<string> => withHistory(ownerUrl, false)

/** For a database that was put back to an earlier state, before any server uses it. */
export const beginHistory = (ownerUrl: string): Promise<string> => withHistory(ownerUrl, true)

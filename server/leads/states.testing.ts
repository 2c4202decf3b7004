import { sql } from 'kysely'
import { type TestServer, workOff } from '../testing.ts'
import { fileStatesOnce } from './states.ts'

export const fileAll = (server: TestServer) => workOff(server, ['lead_state_due'], () => fileStatesOnce(server.appDb))

/** What is filed and what it should be, where they differ. */
export async function readWrongStates({ db }: TestServer) {
  const { rows } = await sql`
    select lead.id, filed.state as filed, standing.state as standing
    from lead cross join lateral standing_of(lead.id) as standing left join lead_state as filed using (tracking_id)
    where coalesce(filed.state, 'click') <> standing.state`.execute(db)
  return rows
}

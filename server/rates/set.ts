import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

/** From now on, or from a moment to come; its id. The commission is locked, so that of two changes the later counts. */
export async function setRate(tx: Tx, commissionId: number, amount: string, validFrom: string | null = null) {
  const { rows } = await sql<{ id: number }>`
    select set_rate(${commissionId}, ${amount}, ${validFrom}) as id`.execute(tx)
  return rows[0]?.id as number
}

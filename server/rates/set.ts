import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { announceRate } from '../deliveries/occurrences.ts'

/** Of a product for those without a commission, or of a commission; by one step, or by all. */
export interface Scope {
  product_id: number
  commission_id: number | null
  event_step_id: number | null
}

/** From now on, or from a moment to come; its id. Its owner is locked, so that of two changes the later counts. */
export async function setRate(
  tx: Tx,
  { product_id, commission_id, event_step_id }: Scope,
  amount: string,
  validFrom: string | null = null,
) {
  const { rows } = await sql<{ id: number }>`
    select set_rate(${product_id}, ${commission_id}, ${event_step_id}, ${amount}, ${validFrom}) as id`.execute(tx)
  const id = rows[0]?.id as number
  await announceRate(tx, id)
  return id
}

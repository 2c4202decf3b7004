import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { announceRate } from '../deliveries/occurrences.ts'
import type { Viewer } from '../viewer.ts'

/** Of a product for those without a commission, or of a commission; by one step, or by all. */
export interface Scope {
  product_id: number
  commission_id: number | null
  event_step_id: number | null
}

/** How narrow a rate is: what it replaces is as narrow, or wider. */
export const width = (commission: string, step: string) =>
  sql`2 * (${sql.ref(commission)} is not null)::int + (${sql.ref(step)} is not null)::int`

/** Of a scope, on the same measure. */
export const widthOf = ({ commission_id, event_step_id }: Scope): number =>
  2 * Number(commission_id !== null) + Number(event_step_id !== null)

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

/** For setRate(): beginRate() says when. */
export const NOT_YET = 'infinity'

/** At the end of its transaction, after what COMMIT would do: there the trail waits for its turn. */
export async function beginRate(tx: Tx, id: number): Promise<void> {
  await sql`set constraints all immediate`.execute(tx)
  await sql`select begin_rate(${id})`.execute(tx)
}

/** What a commission paid until it ended begins again with it, from now on; the trail says by whom. */
export async function resumeRates(tx: Tx, viewer: Viewer, { id, name }: { id: number; name: string }): Promise<void> {
  const { rows } = await sql<{ event_step_id: number | null; payout: string }>`
    select event_step_id, amount as payout from resume_rates(${id})`.execute(tx)
  for (const after of rows)
    await audit(tx, viewer, { action: 'update', entity: 'commission', entityId: id, label: name, after: { ...after } })
}

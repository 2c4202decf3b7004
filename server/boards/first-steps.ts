import { sql } from 'kysely'
import type { FirstSteps } from '#contract/metrics.ts'
import type { Db } from '#db/connect.ts'
import { hasDefault } from '../rates/in-force.ts'

/** Whether one row of each exists; none of it counts rows, so a large network costs no more than a small one. */
export async function getFirstSteps(db: Db): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`select
    exists (select from issuer where archived_at is null) as issuer,
    exists (select from product where archived_at is null) as product,
    exists (
      select from product join event_step on event_step.product_id = product.id
      where product.archived_at is null and event_step.archived_at is null
    ) as event_step,
    exists (select from affiliate where archived_at is null) as affiliate,
    exists (select from relationship where archived_at is null and relationship_status = 'active') as relationship,
    exists (select from commission where archived_at is null)
      or exists (select from product where archived_at is null and ${hasDefault(sql`product.id`)}) as commission,
    exists (select from lead_event) or exists (select from event_receipt where verdict = 'accepted') as event
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('The first steps came back empty')
  return row
}

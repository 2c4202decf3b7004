import { sql } from 'kysely'
import { type EntryKind, entryKindLabels } from '#contract/commission-entries.ts'

// Where an entry comes from, of queries that join the lead, its event and the product to the left: a bonus and an
// adjustment have neither lead nor event, and perhaps no product.

export const kindOf = sql<EntryKind>`commission_entry.kind`.as('kind')

export const externalIdOf = sql<string>`coalesce(lead.external_id, '')`.as('external_id')

export const productNameOf = sql<string>`coalesce(product.name, '')`.as('product_name')

export const stepNameOf = sql<string>`coalesce(lead_event.step_name, case commission_entry.kind
  when 'bonus' then ${sql.lit(entryKindLabels.bonus)} else ${sql.lit(entryKindLabels.adjustment)} end)`.as('step_name')

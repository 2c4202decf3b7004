import { sql } from 'kysely'
import type { Standing } from '#contract/commission-entries.ts'

/** Of an entry; `due_on` is infinity while it waits for an approval. */
export const standing = sql<Standing>`case
  when commission_entry.state = 'reversed' then 'rejected'
  when commission_entry.kind = 'reversal' and commission_entry.amount <= 0 then 'charge'
  when commission_entry.state <> 'accrued' then commission_entry.state
  when commission_entry.is_held then 'held' when commission_entry.due_on = 'infinity' then 'awaiting'
  when commission_entry.due_on > mexico_day(now()) then 'validating' else 'payable' end`

/** The day from which an entry can be paid; null while it waits for an approval. */
export const dueDay = sql<string | null>`nullif(commission_entry.due_on, 'infinity')`

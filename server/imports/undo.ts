import { sql } from 'kysely'
import type { UndoOutcome } from '#contract/import-undo.ts'
import { subtractAmounts } from '#contract/money.ts'
import type { Tx } from '#db/connect.ts'
import { lockLeads } from '../leads/lock.ts'
import { type ChangingRow, nextRows, withinBatch } from './next-rows.ts'
import type { Work } from './work.ts'

/**
 * Voids what the next rows stored, so that their leads stand as if it had never come. Returns the number of the row up to
 * which that is done; none: all are undone. `keep`: false only shows what would move: it is done like the rest and rolled back.
 */
export async function undoRows(tx: Tx, work: Work, atMost: number, keep: boolean): Promise<number | undefined> {
  const { rows, through } = await nextRows(tx, work, 'applied', atMost)
  const last = rows.at(-1)
  if (!last) return through
  if (!keep) await sql`savepoint preview`.execute(tx)
  await lockLeads(
    tx,
    work.issuer_id,
    rows.map(({ tracking_id }) => tracking_id),
  )
  const leads = [...new Set(rows.map(({ lead_id }) => lead_id))]
  const before = await readLedger(tx, leads)
  await voidFacts(tx, work, rows)
  await sql`select settle_leads(${leads}::bigint[], 'Se anuló el rechazo')`.execute(tx)
  const after = await readLedger(tx, leads)
  if (!keep) await sql`rollback to savepoint preview`.execute(tx)
  const told = rows.map(({ row_no, lead_id }) => ({ row_no, ...movedIn(before.get(lead_id), after.get(lead_id)) }))
  await sql`update import_row as one set undo = told.undo, undo_amount = told.undo_amount
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told (row_no int, undo text, undo_amount numeric)
    where ${withinBatch(work, last.row_no)} and one.row_no = told.row_no`.execute(tx)
  return through
}

/** What a lead has earned and kept with what compensates it, and how many charges are in force. */
interface Ledger {
  lead_id: number
  amount: string
  charges: number
}

async function readLedger(tx: Tx, leads: number[]): Promise<Map<number, Ledger>> {
  const { rows } = await sql<Ledger>`
    with earned as (select * from commission_entry where lead_id = any(${leads}::bigint[]))
    select lead_id, coalesce(sum(amount) filter (where state <> 'reversed'), 0.00)::text as amount,
      count(*) filter (where kind = 'reversal' and state <> 'reversed')::int as charges
    from (
      select lead_id, amount, state, kind from earned
      union all
      select earned.lead_id, entry.amount, entry.state, entry.kind
      from earned join commission_entry as entry on entry.compensates = earned.id
    ) as line group by lead_id`.execute(tx)
  return new Map(rows.map((row) => [row.lead_id, row]))
}

/** What was paid is never rewritten: a charge answers it. */
function movedIn(before: Ledger | undefined, after: Ledger | undefined): { undo: UndoOutcome; undo_amount: string } {
  const undo_amount = subtractAmounts(after?.amount ?? '0.00', before?.amount ?? '0.00')
  const isCharged = (after?.charges ?? 0) > (before?.charges ?? 0)
  if (undo_amount === '0.00') return { undo: 'nothing', undo_amount }
  if (!undo_amount.startsWith('-')) return { undo: 'give_back', undo_amount }
  return { undo: isCharged ? 'charge' : 'take_back', undo_amount }
}

async function voidFacts(
  tx: Tx,
  { id, undone_by, applied_by, undo_reason }: Work,
  rows: readonly ChangingRow[],
): Promise<void> {
  const facts = rows.flatMap(({ lead_id, tracking_id, lead_event_id, ruling_id }) => [
    { lead_id, tracking_id, lead_event_id },
    ...(ruling_id === null ? [] : [{ lead_id, tracking_id, ruling_id }]),
  ])
  await sql`insert into lead_ruling (lead_id, tracking_id, kind, lead_event_id, ruling_id, note, author_id, import_id)
    select lead_id, tracking_id, 'void', lead_event_id, ruling_id, ${undo_reason ?? 'Vista previa'}, ${undone_by ?? applied_by}, ${id}
    from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb)
      as fact (lead_id bigint, tracking_id uuid, lead_event_id bigint, ruling_id bigint)`.execute(tx)
}

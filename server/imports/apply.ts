import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { storeEvents } from '../events/events.ts'
import type { CleanEvent } from '../events/sent-events.ts'
import { lockLeads } from '../leads/lock.ts'
import { takeRejectionsBack } from '../rulings/rulings.ts'
import { type ChangingRow, nextRows, withinBatch } from './next-rows.ts'
import type { Work } from './work.ts'

/** What a restored lead says of the file. */
const noteOf = (id: number) => `Conciliación por archivo ${id}`

/**
 * Applies the next rows that change something, as the simulation showed them; one of which something else would come by now
 * is left out. Returns the number of the row up to which that is done; none: all are applied.
 */
export async function applyRows(tx: Tx, work: Work, atMost: number): Promise<number | undefined> {
  const { rows, through } = await nextRows(tx, work, null, atMost)
  const last = rows.at(-1)
  if (!last) return through
  await lockLeads(
    tx,
    work.issuer_id,
    rows.map(({ tracking_id }) => tracking_id),
  )
  const verdicts = await judge(tx, work, last.row_no)
  const same = rows.filter((row) => verdicts.get(row.row_no) === told(row))
  const rulings = await restore(
    tx,
    work,
    same.filter(({ outcome }) => outcome === 'restore'),
  )
  const events = await store(tx, work, same)
  const results = rows.map(({ row_no }) => ({
    row_no,
    result: events.has(row_no) ? 'applied' : 'changed',
    lead_event_id: events.get(row_no) ?? null,
    ruling_id: rulings.get(row_no) ?? null,
  }))
  await sql`update import_row as one set result = told.result, lead_event_id = told.lead_event_id, ruling_id = told.ruling_id
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
      as told (row_no int, result text, lead_event_id bigint, ruling_id bigint)
    where ${withinBatch(work, last.row_no)} and one.row_no = told.row_no`.execute(tx)
  return through
}

type Verdict = Pick<ChangingRow, 'outcome' | 'expected' | 'charge'>
const told = ({ outcome, expected, charge }: Verdict) => `${outcome} ${expected} ${charge}`

async function judge(tx: Tx, { id, done }: Work, through: number): Promise<Map<number, string>> {
  const { rows } = await sql<Verdict & { row_no: number }>`
    select row_no, outcome, expected::numeric(14, 2) as expected, charge::numeric(14, 2) as charge
    from judge_import_rows(${id}, ${done}, ${through})`.execute(tx)
  return new Map(rows.map((row) => [row.row_no, told(row)]))
}

/** The id of the ruling of each row; the file's own event follows it. */
async function restore(tx: Tx, { id, applied_by }: Work, rows: readonly ChangingRow[]): Promise<Map<number, number>> {
  if (!rows.length) return new Map()
  const leads = rows.map(({ lead_id }) => lead_id)
  const byLead = await takeRejectionsBack(tx, leads, { note: noteOf(id), author_id: applied_by, import_id: id })
  return new Map(rows.map(({ row_no, lead_id }) => [row_no, byLead.get(lead_id) ?? 0]))
}

/** The id of the event of each row. */
async function store(tx: Tx, { id, issuer_id }: Work, rows: readonly ChangingRow[]): Promise<Map<number, number>> {
  const events = rows.map((row) => eventOf(id, row))
  const verdicts = await storeEvents(tx as Db, issuer_id, events)
  const stored = new Map<number, number>()
  for (const [index, { row_no }] of rows.entries()) {
    const verdict = verdicts[index]
    if (verdict === undefined || verdict instanceof Error)
      throw verdict ?? new Error('an event of an import was not answered')
    if (verdict.stored.id !== null) stored.set(row_no, verdict.stored.id)
  }
  return stored
}

const eventOf = (id: number, { row_no, tracking_id, step_id, reason_code }: ChangingRow): CleanEvent => ({
  tracking_id,
  step_id,
  source: 'conciliacion',
  own_key: `m:${id}:${row_no}`,
  ...(reason_code !== null && { reason_code }),
})

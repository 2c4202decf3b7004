import { type RawBuilder, sql } from 'kysely'
import { ImportRemark } from '#contract/import-remarks.ts'
import { UndoOutcome } from '#contract/import-undo.ts'
import { ImportOutcome } from '#contract/imports.ts'
import type { Db, Tx } from '#db/connect.ts'
import { isDeadlock } from '../http/errors.ts'
import { beforeSnapshot } from '../snapshot.ts'
import { applyRows } from './apply.ts'
import { undoRows } from './undo.ts'
import { discardReceiving } from './upload.ts'

/** Rows of one transaction; their leads are locked for so long. */
const BATCH_ROWS = 200
/** A simulation locks nothing, and its statements are the cheaper the more rows they have. */
const SIMULATED_ROWS = 5_000
/** Rolled back, and that costs much the same for few rows as for many. */
const PREVIEWED_ROWS = 1_000
const DELETED_ROWS = 10_000
/** Whoever asks for a simulation looks at the screen until it begins. */
const PAUSE_MS = 250
/** In which people read them. */
const ORDER = sql`${ImportOutcome.options}::text[]`
const REMARK_ORDER = sql`${ImportRemark.options}::text[]`
const UNDO_ORDER = sql`${UndoOutcome.options}::text[]`

export interface Work {
  id: number
  status: string
  issuer_id: number
  applied_by: number | null
  undone_by: number | null
  undo_reason: string | null
  done: number
  last_row: number
}

/**
 * A batch of whatever file waits the longest; returns the pause before the next, in ms. What changes leads leaves clicks
 * and events as much time as it took.
 */
export async function importAndRest(db: Db): Promise<number> {
  await discardReceiving(db)
  const began = performance.now()
  const work = await workOnce(db)
  if (!work) return PAUSE_MS
  return ['applying', 'undoing'].includes(work.status) ? performance.now() - began : 0
}

async function workOnce(db: Db): Promise<Work | undefined> {
  let turn = undefined as Work | undefined
  try {
    await db.transaction().execute(async (tx) => {
      turn = await takeTurn(tx)
      if (turn) await workOn(tx, turn)
    })
  } catch (error) {
    // Behind all others for a while: a file that fails each time must keep none of them waiting. A deadlock does not come each time.
    if (turn && !isDeadlock(error))
      await sql`update import set touched_at = now() + interval '1 minute' where id = ${turn.id}`.execute(db)
    throw error
  }
  return turn
}

/** Locked: several copies of the server work on different files, and one that stops leaves its batch to the next. */
async function takeTurn(tx: Tx): Promise<Work | undefined> {
  const { rows } = await sql<Work>`
    select id, status, issuer_id, applied_by, undone_by, undo_reason, done, last_row from import
    where status in ('simulating', 'applying', 'previewing', 'undoing') or (status = 'discarded' and last_row > 0)
    order by touched_at, id limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

function workOn(tx: Tx, work: Work): Promise<void> {
  switch (work.status) {
    case 'simulating':
      return simulateSome(tx, work)
    case 'applying':
      return applySome(tx, work)
    case 'previewing':
      return undoSome(tx, work, sql`status = 'applied', previewed_at = now()`)
    case 'undoing':
      return undoSome(tx, work, sql`status = 'undone'`)
    default:
      return deleteSome(tx, work)
  }
}

/** First what each row means, of all rows, then what would come of it: that also depends on the rows beside it. */
async function simulateSome(tx: Tx, { id, done, last_row }: Work): Promise<void> {
  // Its statements read leads inside functions, after their snapshots.
  await beforeSnapshot(tx)
  const after = done < last_row ? done : done - last_row
  const through = Math.min(after + SIMULATED_ROWS, last_row)
  if (done < last_row) {
    await sql`select match_import_rows(${id}, ${after}, ${through})`.execute(tx)
    return goOn(tx, id, through)
  }
  await sql`update import_row as one set outcome = coalesce(one.outcome, verdict.outcome), expected = verdict.expected,
      charge = verdict.charge, known_amount = verdict.pays
    from judge_import_rows(${id}, ${after}, ${through}) as verdict
    where one.import_id = ${id} and one.row_no > ${after} and one.row_no <= ${through}
      and one.row_no = verdict.row_no`.execute(tx)
  await sql`update import_row as one set remarks = said.remarks, known_on = said.known_on
    from compare_import_rows(${id}, ${after}, ${through}) as said
    where one.import_id = ${id} and one.row_no > ${after} and one.row_no <= ${through}
      and one.row_no = said.row_no`.execute(tx)
  await addRemarks(tx, id, after, through)
  await goOn(tx, id, last_row + through)
  if (through < last_row) return
  await sql`update import set status = 'simulated', simulated_at = now(), outcomes = (
      select coalesce(json_agg(json_build_object('outcome', outcome, 'rows', rows, 'amount', amount, 'charge', charge)
        order by array_position(${ORDER}, outcome)), '[]')
      from (
        select outcome, count(*) as rows, sum(expected)::text as amount, sum(charge)::text as charge
        from import_row where import_id = ${id} group by 1
      ) as found
    ) where id = ${id}`.execute(tx)
}

/** Batch by batch: to read the amounts of all rows at the end would take longer than a statement may. */
const addRemarks = (tx: Tx, id: number, after: number, through: number) =>
  sql`update import set remarks = (
      select coalesce(json_agg(json_build_object('remark', remark, 'rows', rows, 'said', said::text, 'known', known::text)
        order by array_position(${REMARK_ORDER}, remark)), '[]')
      from (
        select remark, sum(rows)::bigint as rows, sum(said) as said, sum(known) as known
        from (
          select * from jsonb_to_recordset(import.remarks) as before (remark text, rows bigint, said numeric, known numeric)
          union all
          select remark, 1, case remark when 'other_amount' then amount_in(cells ->> (mapping -> 'amount_column')::int) end,
            case remark when 'other_amount' then known_amount end
          from import_row cross join unnest(import_row.remarks) as remark
          where import_id = import.id and row_no > ${after} and row_no <= ${through} and import_row.remarks is not null
        ) as one group by remark
      ) as found
    ) where id = ${id}`.execute(tx)

const goOn = async (tx: Tx, id: number, done: number): Promise<void> =>
  void (await sql`update import set done = ${done}, touched_at = now() where id = ${id}`.execute(tx))

async function applySome(tx: Tx, work: Work): Promise<void> {
  const through = await applyRows(tx, work, BATCH_ROWS)
  if (through !== undefined) return goOn(tx, work.id, through)
  await sql`update import set status = 'applied', done = last_row, touched_at = now(), results = (
      select coalesce(json_agg(found order by result), '[]') from (
        select result, count(*) as rows, round(coalesce(sum(expected) filter (where result = 'applied'), 0), 2)::text as amount
        from import_row where import_id = ${work.id} and result is not null group by result
      ) as found
    ) where id = ${work.id}`.execute(tx)
}

async function undoSome(tx: Tx, work: Work, ended: RawBuilder<unknown>): Promise<void> {
  const keep = work.status === 'undoing'
  const through = await undoRows(tx, work, keep ? BATCH_ROWS : PREVIEWED_ROWS, keep)
  if (through !== undefined) return goOn(tx, work.id, through)
  await sql`update import set ${ended}, done = last_row, touched_at = now(), undo = (
      select coalesce(json_agg(json_build_object('undo', undo, 'rows', rows, 'amount', amount)
        order by array_position(${UNDO_ORDER}, undo)), '[]')
      from (
        select undo, count(*) as rows, sum(undo_amount)::text as amount from import_row
        where import_id = ${work.id} and undo is not null group by 1
      ) as found
    ) where id = ${work.id}`.execute(tx)
}

async function deleteSome(tx: Tx, { id }: Work): Promise<void> {
  const { rows } = await sql<{ gone: number }>`select delete_import_rows(${id}, ${DELETED_ROWS}) as gone`.execute(tx)
  const left = rows[0]?.gone === DELETED_ROWS
  await sql`update import set last_row = ${left ? sql`last_row` : 0}, touched_at = now() where id = ${id}`.execute(tx)
}

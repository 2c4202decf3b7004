// Longer than other files: a table of what is erased when.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { truncateAddress } from '../clicks/visitor.ts'
import { forgetDeliveries } from '../deliveries/retention.ts'
import { forgetResults } from '../results/fold.ts'

/** How long what is of people is kept, as configured. */
export interface RetentionPeriods {
  /** Refused events, with what was sent. */
  rejectedDays: number
  /** Whole addresses in sessions and in the audit trail. */
  addressDays: number
  /** What a click and an event say beside their ids: lead_data and event_data. */
  dataMonths: number
  /** Where a lead came from; people and contacts of companies that were deleted. */
  recordYears: number
}

/** Rows of one transaction: 0.1 to 0.2 s for leads, whose texts are indexed; nobody else should wait longer. */
const BATCH_ROWS = 500
const BETWEEN_BATCHES_MS = 100
const REST_MS = 3_600_000

type OnFailed = (error: unknown) => void
type Options = { batchRows?: number; onDone?: (done: Record<string, number>) => void; onFailed?: OnFailed }

/** A batch of everything that is due; returns the pause before the next call, in ms. */
export async function retainAndRest(db: Db, periods: RetentionPeriods, options: Options = {}): Promise<number> {
  const { batchRows = BATCH_ROWS, onDone, onFailed = rethrow } = options
  const done = await retainOnce(db, periods, batchRows, onFailed)
  const worked = Object.entries(done).filter(([, rows]) => rows > 0)
  if (worked.length) onDone?.(Object.fromEntries(worked))
  return worked.some(([, rows]) => rows === batchRows) ? BETWEEN_BATCHES_MS : REST_MS
}

const rethrow: OnFailed = (error) => {
  throw error
}

/** Days that what happened is kept to be told, and told again. */
const TOLD_DAYS = 60

/** Days that what a person was told stays in the product. */
const NOTICE_DAYS = 90

/** Days that a file of results waits to be applied. */
const WAITING_DAYS = 90

/** Moments before which things are erased. */
type Limits = Record<'rejected' | 'address' | 'data' | 'record' | 'told' | 'notice' | 'waiting', string>

type Task = (db: Db, limits: Limits, batchRows: number) => Promise<number>

/** Every rule of retention, by the name of what it erases. */
const tasks: Record<string, Task> = {
  rejected_postback: (db, { rejected }, rows) => deleteOldest(db, 'rejected_postback', rejected, rows),
  event_receipt: (db, { rejected }, rows) => deleteOldest(db, 'event_receipt', rejected, rows),
  ...forgetDeliveries,
  occurrence: (db, { told }, rows) => deleteOldest(db, 'occurrence', told, rows),
  notice: (db, { notice }, rows) => deleteOldest(db, 'notice', notice, rows),
  session: deleteSessions,
  access_link: (db, { address }, rows) => deleteOldest(db, 'access_link', address, rows),
  mail: (db, { address }, rows) => deleteOldest(db, 'mail', address, rows),
  'mail.forgotten': deleteForgotten,
  'audit_entry.address': truncateAuditAddresses,
  'lead_event.event_data': eraseEventData,
  import: discardImports,
  'import_row.cells': eraseImportCells,
  'lead.lead_data': (db, { data }, rows) => eraseLeads(db, 'lead.lead_data', data, rows),
  'lead.origin': (db, { record }, rows) => eraseLeads(db, 'lead.origin', record, rows),
  'result.value': (db, _, rows) => forgetResults(db, rows),
  user: forgetUsers,
  affiliate: (db, { record }, rows) => forgetCompanies(db, 'affiliate', record, rows),
  issuer: (db, { record }, rows) => forgetCompanies(db, 'issuer', record, rows),
}

/**
 * A batch of each rule; returns the rows of each. Several copies of the server may do it at once, and one that is killed
 * loses its batch alone. A rule that fails does not keep the others from their turn; its name is in what is told of it.
 */
export async function retainOnce(
  db: Db,
  periods: RetentionPeriods,
  batchRows = BATCH_ROWS,
  onFailed = rethrow,
): Promise<Record<string, number>> {
  const limits = await readLimits(db, periods)
  const done: Record<string, number> = {}
  const failures: Record<string, unknown> = {}
  for (const [name, run] of Object.entries(tasks))
    try {
      done[name] = await run(db, limits, batchRows)
    } catch (error) {
      failures[name] = error
    }
  // Recurring tells each code once, and again when other rules fail.
  const code = Object.keys(failures).join(', ')
  const [cause] = Object.values(failures)
  if (code) onFailed(Object.assign(new Error(`rules that failed: ${code}`, { cause }), { code }))
  return done
}

async function readLimits(
  db: Db,
  { rejectedDays, addressDays, dataMonths, recordYears }: RetentionPeriods,
): Promise<Limits> {
  const { rows } = await sql<Limits>`select
    now() - make_interval(days => ${rejectedDays}::int) as rejected,
    now() - make_interval(days => ${addressDays}::int) as address,
    now() - make_interval(months => ${dataMonths}::int) as data,
    now() - make_interval(years => ${recordYears}::int) as record,
    now() - make_interval(days => ${TOLD_DAYS}::int) as told,
    now() - make_interval(days => ${NOTICE_DAYS}::int) as notice,
    now() - make_interval(days => ${WAITING_DAYS}::int) as waiting`.execute(db)
  return rows[0] as Limits
}

/** The oldest by id are the oldest by time, but for a moment that does not matter here. */
type Dropped = 'rejected_postback' | 'event_receipt' | 'occurrence' | 'notice' | 'access_link' | 'mail'

async function deleteOldest(db: Db, table: Dropped, limit: string, batchRows: number) {
  const oldest = sql`select id, created_at from ${sql.table(table)} order by id limit ${batchRows}`
  const result = await sql`delete from ${sql.table(table)}
    where id in (select id from (${oldest}) as oldest where created_at < ${limit})`.execute(db)
  return Number(result.numAffectedRows)
}

async function deleteSessions(db: Db, { address }: Limits, batchRows: number): Promise<number> {
  const result = await sql`delete from session
    where id in (select id from session where expires_at < ${address} order by expires_at limit ${batchRows})`.execute(
    db,
  )
  return Number(result.numAffectedRows)
}

/** Questions for a link that nothing came of; of most nobody knows whose address it is. */
async function deleteForgotten(db: Db, _: Limits, batchRows: number): Promise<number> {
  const result = await sql`delete from mail where id in (
    select id from mail where state = 'waiting' and kind = 'reset' and created_at < now() - interval '1 day'
    order by next_at, id limit ${batchRows})`.execute(db)
  return Number(result.numAffectedRows)
}

/** Goes on where the last batch ended; does nothing while another copy is at it. `erase` returns how far it came. */
function onwards(
  db: Db,
  task: string,
  erase: (tx: Tx, through: string) => Promise<{ rows: number; through: string } | undefined>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const state = await tx
      .selectFrom('retention')
      .select('through')
      .where('task', '=', task)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    const erased = state && (await erase(tx, state.through))
    if (!erased) return 0
    await tx.updateTable('retention').set({ through: erased.through }).where('task', '=', task).execute()
    return erased.rows
  })
}

interface Dated {
  id: number
  created_at: string
}

/** Those of a batch in the order of ids that are older than the limit. */
function olderThan<Row extends Dated>(rows: readonly Row[], limit: string): Row[] {
  const end = rows.findIndex(({ created_at }) => created_at >= limit)
  return rows.slice(0, end < 0 ? rows.length : end)
}

const throughLast = (rows: readonly Dated[]) => ({ rows: rows.length, through: String(rows.at(-1)?.id) })

function truncateAuditAddresses(db: Db, { address: limit }: Limits, batchRows: number): Promise<number> {
  return onwards(db, 'audit_entry.address', async (tx, through) => {
    const next = await tx
      .selectFrom('audit_entry')
      .select(['id', 'created_at', 'address'])
      .where('id', '>', Number(through))
      .orderBy('id')
      .limit(batchRows)
      .execute()
    const old = olderThan(next, limit)
    if (!old.length) return undefined
    const ids = old.map(({ id }) => id)
    const networks = old.map(({ address }) => (address.includes('/') ? address : truncateAddress(address)))
    await sql`update audit_entry set address = network
      from unnest(${ids}::bigint[], ${networks}::text[]) as truncated (id, network)
      where audit_entry.id = truncated.id and address <> network`.execute(tx)
    return throughLast(old)
  })
}

function eraseEventData(db: Db, { data: limit }: Limits, batchRows: number): Promise<number> {
  return onwards(db, 'lead_event.event_data', async (tx, through) => {
    const next = await tx
      .selectFrom('lead_event')
      .select(['id', 'created_at'])
      .where('id', '>', Number(through))
      .orderBy('id')
      .limit(batchRows)
      .execute()
    const old = olderThan(next, limit)
    if (!old.length) return undefined
    await tx
      .updateTable('lead_event')
      .set({ event_data: null })
      .where('id', '>', Number(through))
      .where('id', '<=', old.at(-1)?.id ?? 0)
      .where('event_data', 'is not', null)
      .execute()
    return throughLast(old)
  })
}

/** Those that nobody applied; their rows are deleted in the background. */
async function discardImports(db: Db, { waiting }: Limits): Promise<number> {
  const result = await sql`update import set status = 'discarded'
    where status in ('received', 'simulated') and touched_at < ${waiting}`.execute(db)
  return Number(result.numAffectedRows)
}

/** The rows of the oldest files first. */
function eraseImportCells(db: Db, { data: limit }: Limits, batchRows: number): Promise<number> {
  return onwards(db, 'import_row.cells', async (tx, through) => {
    const { rows } = await sql<{ import_id: number }>`
      update import_row set cells = null where (import_id, row_no) in (
        select import_id, row_no from import join import_row on import_id = import.id
        where import.id > ${Number(through)} and created_at < ${limit} and cells is not null
        order by import_id, row_no limit ${batchRows}
      ) returning import_id`.execute(tx)
    if (!rows.length) return undefined
    const ids = rows.map(({ import_id }) => import_id)
    // Repeats texts of the rows.
    await sql`update import set mapping = mapping || '{"values": [], "reasons": []}'
      where id = any(${ids}::bigint[]) and mapping is not null`.execute(tx)
    // The last of them may have more.
    return { rows: rows.length, through: String(Math.max(...ids) - 1) }
  })
}

/** What is erased of a lead, and from which leads there is anything to erase. */
const leadErasures = {
  'lead.lead_data': { set: sql`lead_data = null`, where: sql`lead_data is not null` },
  'lead.origin': {
    set: sql`external_id = '', utm_source = '', utm_medium = '', utm_campaign = '', utm_term = '', utm_content = '',
      lead_data = null`,
    where: sql`(external_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content) <> ('', '', '', '', '', '')
      or lead_data is not null`,
  },
} satisfies Record<string, { set: RawBuilder<unknown>; where: RawBuilder<unknown> }>

/** In the order of time, a range of the primary key: only its partitions are opened. */
function eraseLeads(db: Db, task: keyof typeof leadErasures, limit: string, batchRows: number): Promise<number> {
  const { set, where } = leadErasures[task]
  return onwards(db, task, async (tx, through) => {
    const { rows } = await sql<{ last: string | null; count: number }>`
      select max(tracking_id::text) as last, count(*)::int as count from (
        select tracking_id from lead where tracking_id > ${through}::uuid and tracking_id < first_id_of(${limit})
        order by tracking_id limit ${batchRows}
      ) as next`.execute(tx)
    const { last, count } = rows[0] ?? { last: null, count: 0 }
    if (last === null) return undefined
    await sql`update lead set ${set}
      where tracking_id > ${through}::uuid and tracking_id <= ${last}::uuid and (${where})`.execute(tx)
    return { rows: count, through: last }
  })
}

/** Their rows stay, since history names them by id. */
async function forgetUsers(db: Db, { record }: Limits, batchRows: number): Promise<number> {
  const result = await sql`update "user"
    set email = 'eliminado-' || id || '@invalid', first_name = 'Usuario', last_name = 'eliminado', password_hash = ''
    where id in (select id from "user" where archived_at < ${record} and password_hash <> '' order by id limit ${batchRows})
  `.execute(db)
  return Number(result.numAffectedRows)
}

/** Name and RFC stay, as its payments need them. */
async function forgetCompanies(db: Db, table: 'affiliate' | 'issuer', record: string, batchRows: number) {
  const owner = sql.ref(`payment.${table}_id`)
  const result = await sql`update ${sql.table(table)}
    set contact_name = '', contact_phone = '', contact_email = '', address = ''
    where id in (
      select id from ${sql.table(table)} as company
      where archived_at < ${record} and contact_email <> ''
        and not exists (select from payment where ${owner} = company.id and updated_at >= ${record})
      order by id limit ${batchRows})`.execute(db)
  return Number(result.numAffectedRows)
}

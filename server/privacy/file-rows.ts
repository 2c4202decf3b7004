import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

interface Named {
  id: number
  tracking_id: string
  external_id: string
  issuer_id: number
  product_id: number
}

const rowsOfIssuer = (issuerId: number) =>
  sql`select import_id, row_no from import join import_row on import_id = import.id
    where issuer_id = ${issuerId} and cells is not null`

/** Some rows of files, by the two parts of their key. */
interface Unmatched {
  imports: number[]
  numbers: number[]
}

/**
 * Of the rows that were matched with no lead those that name this one by the column that names leads, as who names two
 * does; while a file says no such column, by its tracking id anywhere. All such rows of the issuer are looked at, so before
 * anything is locked.
 */
export async function findUnmatched(tx: Tx, lead: Named): Promise<Unmatched> {
  const { id, tracking_id, external_id, issuer_id, product_id } = lead
  const plain = tracking_id.replaceAll('-', '')
  const spellings = [tracking_id, plain].flatMap((text) => [text, text.toUpperCase()])
  const key = sql`cells ->> (mapping -> 'key_column')::int`
  const names = sql`case mapping ->> 'key'
    when 'tracking_id' then strpos(translate(lower(${key}), '-', ''), ${plain}) > 0 and tracking_id_in(${key}) = ${tracking_id}::uuid
    when 'external_id' then ${key} = ${external_id} and ${external_id} <> '' and (mapping -> 'product_id')::bigint = ${product_id}
    when 'event_id' then ${key} = any(array(select event_id from lead_event where lead_event.lead_id = ${id}))
    else cells ?| ${spellings}::text[] end`
  const { rows } = await sql<Unmatched>`
    select coalesce(array_agg(import_id), '{}') as imports, coalesce(array_agg(row_no), '{}') as numbers
    from (${rowsOfIssuer(issuer_id)} and lead_id is null and ${names}) as found`.execute(tx)
  return rows[0] as Unmatched
}

/**
 * Rows of files that are of a lead: those that were matched with it, and the others that named it. They may have been erased
 * since those were found.
 */
const fileRowsOf = ({ id, issuer_id }: Named, { imports, numbers }: Unmatched) =>
  sql<{ import_id: number; row_no: number }>`(
    ${rowsOfIssuer(issuer_id)} and lead_id = ${id}
    union select import_id, row_no from unnest(${imports}::bigint[], ${numbers}::int[]) as found (import_id, row_no)
    join import_row using (import_id, row_no) where cells is not null
  )`

/** With the names of their columns, as they are held: what identifies somebody was masked when the file came. */
export async function readFileRows(tx: Tx, lead: Named, unmatched: Unmatched) {
  const rows = await tx
    .selectFrom(fileRowsOf(lead, unmatched).as('own'))
    .innerJoin('import_row', (join) =>
      join.onRef('import_row.import_id', '=', 'own.import_id').onRef('import_row.row_no', '=', 'own.row_no'),
    )
    .innerJoin('import', 'import.id', 'own.import_id')
    .where('import.status', '<>', 'discarded')
    .select(['import.id as import', 'file_name', 'own.row_no', 'import.created_at', 'header', 'cells'])
    .orderBy('import.id')
    .orderBy('own.row_no')
    .execute()
  return rows.map(({ header, cells, ...row }) => {
    const names = header as string[]
    return { ...row, cells: Object.fromEntries((cells as string[]).map((cell, place) => [names[place] ?? '', cell])) }
  })
}

/** The files whose mappings may repeat texts of a lead. */
export const lockFilesOf = (tx: Tx, leadId: number) =>
  sql`select from import where issuer_id = (select issuer_id from lead where id = ${leadId}) and mapping is not null
    order by id for update`.execute(tx)

/**
 * The texts of a lead's rows that mappings repeat, those of the issuer's other files too; what another row of the file says
 * as well stays.
 */
async function eraseMappedTexts(tx: Tx, lead: Named, unmatched: Unmatched): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select distinct text from ${fileRowsOf(lead, unmatched)} as own join import_row using (import_id, row_no)
    join import on import.id = import_id
    cross join unnest(array[cells ->> (mapping -> 'status_column')::int,
      cells ->> nullif(mapping -> 'reason_column', 'null')::int]) as text
    where mapping is not null and text <> ''`.execute(tx)
  const texts = rows.map(({ text }) => text)
  if (!texts.length) return
  await sql`
    with own as materialized ${fileRowsOf(lead, unmatched)}
    update import set mapping = mapping || jsonb_build_object(
      'values', ${stillSaid('values', 'status_column', texts)},
      'reasons', ${stillSaid('reasons', 'reason_column', texts)})
    where issuer_id = ${lead.issuer_id} and mapping is not null and exists (
      select from jsonb_array_elements((mapping -> 'values') || (mapping -> 'reasons')) as one
      where one ->> 'value' = any(${texts}::text[]))`.execute(tx)
}

/** Said by another row of the file than those of `own`. */
const stillSaid = (list: string, column: string, texts: string[]) => sql`(
  select coalesce(jsonb_agg(one order by place), '[]') from jsonb_array_elements(mapping -> ${list}) with ordinality as said (one, place)
  where one ->> 'value' <> all(${texts}::text[]) or exists (
    select from import_row as other where import_id = import.id
      and cells ->> nullif(mapping -> ${column}, 'null')::int = one ->> 'value'
      and not exists (select from own where own.import_id = other.import_id and own.row_no = other.row_no))
)`

/** What a row says of its lead in numbers stays, as the events and the ledger that it made need it. */
export async function eraseFileRows(tx: Tx, lead: Named, unmatched: Unmatched): Promise<number> {
  await eraseMappedTexts(tx, lead, unmatched)
  const { numAffectedRows } = await sql`
    update import_row set cells = null where (import_id, row_no) in ${fileRowsOf(lead, unmatched)}`.execute(tx)
  return Number(numAffectedRows)
}

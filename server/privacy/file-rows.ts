import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

interface Named {
  id: number
  tracking_id: string
  external_id: string
  issuer_id: number
  product_id: number
}

/**
 * Rows of files that are of a lead: those that were matched with it, and those that name it by the column that names
 * leads, which a row that is ignored or names two does too. While a file says no such column: by its tracking id anywhere.
 */
export function fileRowsOf({ id, tracking_id, external_id, issuer_id, product_id }: Named) {
  const plain = tracking_id.replaceAll('-', '')
  const spellings = [tracking_id, plain].flatMap((text) => [text, text.toUpperCase()])
  const key = sql`cells ->> (mapping -> 'key_column')::int`
  const names = sql<SqlBool>`case mapping ->> 'key'
    when 'tracking_id' then tracking_id_in(${key}) = ${tracking_id}::uuid
    when 'external_id' then ${key} = ${external_id} and ${external_id} <> '' and (mapping -> 'product_id')::bigint = ${product_id}
    when 'event_id' then ${key} = any(array(select event_id from lead_event where lead_event.lead_id = ${id}))
    else cells ?| ${spellings}::text[] end`
  return sql<SqlBool>`import.issuer_id = ${issuer_id} and cells is not null
    and (import_row.lead_id = ${id} or import_row.lead_id is null and ${names})`
}

/** With the names of their columns, as they are held: what identifies somebody was masked when the file came. */
export async function readFileRows(tx: Tx, lead: Named) {
  const rows = await tx
    .selectFrom('import_row')
    .innerJoin('import', 'import.id', 'import_id')
    .where(fileRowsOf(lead))
    .where('import.status', '<>', 'discarded')
    .select(['import.id as import', 'file_name', 'row_no', 'import.created_at', 'header', 'cells'])
    .orderBy('import.id')
    .orderBy('row_no')
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
async function eraseMappedTexts(tx: Tx, lead: Named): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select distinct text from import_row join import on import.id = import_id
    cross join unnest(array[cells ->> (mapping -> 'status_column')::int,
      cells ->> nullif(mapping -> 'reason_column', 'null')::int]) as text
    where mapping is not null and text <> '' and ${fileRowsOf(lead)}`.execute(tx)
  const texts = rows.map(({ text }) => text)
  if (!texts.length) return
  await sql`
    update import set mapping = mapping || jsonb_build_object(
      'values', ${stillSaid('values', 'status_column', texts, lead)},
      'reasons', ${stillSaid('reasons', 'reason_column', texts, lead)})
    where issuer_id = ${lead.issuer_id} and mapping is not null and exists (
      select from jsonb_array_elements((mapping -> 'values') || (mapping -> 'reasons')) as one
      where one ->> 'value' = any(${texts}::text[]))`.execute(tx)
}

const stillSaid = (list: string, column: string, texts: string[], lead: Named) => sql`(
  select coalesce(jsonb_agg(one order by place), '[]') from jsonb_array_elements(mapping -> ${list}) with ordinality as said (one, place)
  where one ->> 'value' <> all(${texts}::text[]) or exists (
    select from import_row where import_id = import.id
      and cells ->> nullif(mapping -> ${column}, 'null')::int = one ->> 'value' and (${fileRowsOf(lead)}) is not true)
)`

/** What a row says of its lead in numbers stays, as the events and the ledger that it made need it. */
export async function eraseFileRows(tx: Tx, lead: Named): Promise<number> {
  await eraseMappedTexts(tx, lead)
  const { numAffectedRows } = await sql`
    update import_row set cells = null from import where import.id = import_id and ${fileRowsOf(lead)}`.execute(tx)
  return Number(numAffectedRows)
}

import { type Expression, type SqlBool, sql } from 'kysely'
import { type ListQuery, type Pagination, WHOLE_LIST } from '#contract/fields.ts'
import { Answer } from './http.ts'

/** Every word of the search is in one of the fields, accents and case aside (D55); strpos() knows no wildcards. */
export function everyWord(search: string, fields: Expression<string | null>[]): Expression<SqlBool> {
  const words = search.split(/\s+/).filter(Boolean).slice(0, 20)
  const text = sql`fold(concat_ws(' ', ${sql.join(fields)}))`
  const conditions = words.map((word) => sql<SqlBool>`strpos(${text}, fold(${word})) > 0`)
  return conditions.length ? sql<SqlBool>`(${sql.join(conditions, sql` and `)})` : sql<SqlBool>`true`
}

/** The page of a call whose answer is always one page. */
export interface PageQuery {
  page: number
  page_size: number
}

/** What an answer says of its page; `count` is of all pages. */
export const paginationOf = (count: number, { page, page_size }: PageQuery): Pagination => ({
  count,
  current_page: page,
  total_pages: Math.ceil(count / page_size),
  page_size,
})

interface Query<Row> {
  limit(count: number): Query<Row>
  offset(count: number): Query<Row>
  execute(): Promise<Row[]>
}

/** Runs an ordered query: one page when asked for, else the list from `offset` on, with `meta.truncated` where it was cut. */
export async function answerList<Row, T>(
  query: Query<Row>,
  { page, page_size, offset = 0 }: ListQuery,
  toItem: (row: Row) => T,
): Promise<T[] | Answer<T[]>> {
  if (page || page_size) {
    const size = page_size ?? 50
    const rows = await query
      .limit(size)
      .offset(offset + ((page ?? 1) - 1) * size)
      .execute()
    return rows.map(toItem)
  }
  const rows = await query
    .limit(WHOLE_LIST + 1)
    .offset(offset)
    .execute()
  if (rows.length <= WHOLE_LIST) return rows.map(toItem)
  return new Answer(rows.slice(0, WHOLE_LIST).map(toItem), { meta: { truncated: true } })
}

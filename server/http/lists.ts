import { type Expression, type SqlBool, sql } from 'kysely'
import { type ListQuery, type Pagination, WHOLE_LIST } from '#contract/fields.ts'
import { Answer } from './http.ts'

/** As people quote names and end them: "Banco Altaluz", 'Banco Altaluz S.A.', (Altaluz), Altaluz, */
const AROUND_WORDS = /^(?:(?!_)[\p{P}\p{S}])+|(?:(?!_)[\p{P}\p{S}])+$/gu

/** At the end of a name: people copy it from a contract, and companies are listed by what they are called. */
const LEGAL_FORM =
  /[\s,]+(S\.? ?A\.?( ?P\.? ?I\.?| ?B\.?)?|S\.? de R\.? ?L\.?|S\.? ?C\.?)( de C\.? ?V\.?)?[\s,]*(SOFOM,? E\.? ?N\.? ?R\.?)?["'”»)\s]*$/i

/** Without the punctuation around them; one that is nothing else is sought as it is. */
export const wordsOf = (search: string): string[] => {
  const words = search.replace(LEGAL_FORM, '').split(/\s+/).filter(Boolean)
  const bare = words.map((word) => word.replace(AROUND_WORDS, '')).filter(Boolean)
  return (bare.length ? bare : words).slice(0, 20)
}

/** Every word of the search is in one of the fields, accents and case aside (D55); strpos() knows no wildcards. */
export function everyWord(search: string, fields: Expression<string | null>[]): Expression<SqlBool> {
  const words = wordsOf(search)
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

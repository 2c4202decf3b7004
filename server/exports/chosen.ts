import { type SqlBool, sql } from 'kysely'

export interface Chosen {
  ids?: readonly number[] | undefined
}

/** Of the rows that the filters leave only the chosen ones, where some were. */
export const isChosen = (column: string, { ids }: Chosen) =>
  ids ? sql<SqlBool>`${sql.ref(column)} = any(${ids}::bigint[])` : sql<SqlBool>`true`

import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint, Nothing } from '#contract/endpoint.ts'
import type { ListQuery } from '#contract/fields.ts'
import { callWithMeta } from './client.ts'

type ListEndpoint<Row> = Endpoint<Nothing, z.ZodType<ListQuery, z.input<typeof ListQuery>>, Nothing, z.ZodType<Row[]>>

interface Parts {
  query?: Record<string, string | undefined>
  signal: AbortSignal
}

/**
 * A list with all its rows, however often it is cut (D54): screens search, count and sum up what they have. A row that
 * moves across a cut meanwhile comes twice and is kept once.
 */
export async function callWhole<Row extends { id: number }>(
  endpoint: ListEndpoint<Row>,
  { query, signal }: Parts,
): Promise<Row[]> {
  const rows = new Map<number, Row>()
  for (let offset = 0; ; ) {
    const { data, isCut } = await callWithMeta(endpoint, { query: { ...query, offset: offset || undefined }, signal })
    const known = rows.size
    for (const row of data) rows.set(row.id, row)
    // Without anything new there would be no end.
    if (!isCut || rows.size === known) return [...rows.values()]
    offset += data.length
  }
}

export const wholeListQuery = <Row extends { id: number }>(queryKey: QueryKey, endpoint: ListEndpoint<Row>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callWhole(endpoint, { signal }) })

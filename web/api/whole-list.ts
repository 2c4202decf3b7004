import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint, Nothing } from '#contract/endpoint.ts'
import type { ListQuery, Status } from '#contract/fields.ts'
import { callWithMeta } from './client.ts'
import { ApiError } from './errors.ts'

type ListEndpoint<Row> = Endpoint<Nothing, z.ZodType<ListQuery, z.input<typeof ListQuery>>, Nothing, z.ZodType<Row[]>>

interface Parts {
  query?: { status?: Status | undefined }
  signal: AbortSignal
}

const ATTEMPTS = 3
const INCOMPLETE = 'La lista no llegó completa. Intenta de nuevo.'

/** A list with all its rows, however often it is cut (D54): screens search, count and sum up what they have. */
export async function callWhole<Row extends { id: number }>(
  endpoint: ListEndpoint<Row>,
  { query, signal }: Parts,
): Promise<Row[]> {
  let rows: Row[] = []
  for (let attempt = 1; attempt <= ATTEMPTS; ) {
    // The last row once more: where another has its place, something came or went before it, and the list begins anew.
    const last = rows.at(-1)
    const offset = last ? rows.length - 1 : undefined
    const { data, isCut } = await callWithMeta(endpoint, { query: { ...query, offset }, signal })
    if (last && data[0]?.id !== last.id) {
      rows = []
      attempt += 1
      continue
    }
    rows = last ? [...rows, ...data.slice(1)] : data
    if (!isCut) return rows
  }
  throw new ApiError(0, INCOMPLETE)
}

export const wholeListQuery = <Row extends { id: number }>(queryKey: QueryKey, endpoint: ListEndpoint<Row>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callWhole(endpoint, { signal }) })

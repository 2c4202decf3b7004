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

/** All rows of a list, loaded in several calls when truncated (D54): screens search, count and sum locally. */
export async function callWhole<Row extends { id: number | string }>(
  endpoint: ListEndpoint<Row>,
  parts: Parts,
): Promise<Row[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const rows = await callPieces(endpoint, parts)
    if (rows) return rows
  }
  throw new ApiError(0, INCOMPLETE)
}

/**
 * Each call starts at the last row of the one before. Undefined when another row is there, since rows were added or
 * removed meanwhile, or when nothing follows it, which would loop for ever.
 */
async function callPieces<Row extends { id: number | string }>(
  endpoint: ListEndpoint<Row>,
  { query, signal }: Parts,
): Promise<Row[] | undefined> {
  const callFrom = (offset?: number) => callWithMeta(endpoint, { query: { ...query, offset }, signal })
  let { data: rows, isCut } = await callFrom()
  while (isCut) {
    const last = rows.at(-1)
    const next = await callFrom(rows.length - 1)
    const isNew = next.data.length > 1 || !next.isCut
    if (!last || next.data[0]?.id !== last.id || !isNew) return undefined
    rows = [...rows, ...next.data.slice(1)]
    isCut = next.isCut
  }
  return rows
}

export const wholeListQuery = <Row extends { id: number | string }>(queryKey: QueryKey, endpoint: ListEndpoint<Row>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callWhole(endpoint, { signal }) })

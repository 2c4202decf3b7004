import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint, Nothing } from '#contract/endpoint.ts'
import type { ListQuery } from '#contract/fields.ts'
import { call } from './client.ts'

/** By the names of the endpoint's parameters; an empty text narrows nothing. */
export type Narrowing = Record<string, string>

/** The whole list of a noun, as far as the server sends it, or what it finds of it. */
export const listQuery =
  <Row>(
    noun: QueryKey,
    endpoint: Endpoint<Nothing, z.ZodType<ListQuery, z.input<typeof ListQuery>>, Nothing, z.ZodType<Row[]>>,
  ) =>
  (narrowing?: Narrowing) =>
    queryOptions({
      queryKey: narrowing ? [...noun, 'found', narrowing] : noun,
      queryFn: ({ signal }) => call(endpoint, { query: narrowing, signal }),
      ...(narrowing && { placeholderData: keepPreviousData }),
    })

import { queryOptions } from '@tanstack/react-query'
import { affiliates } from '#contract/affiliates.ts'
import { issuers } from '#contract/issuers.ts'
import { call } from '#web/api/client.ts'
import { inWords } from '#web/api/errors.ts'
import { keys } from '#web/api/queries.ts'

export const ISSUER_FAILED = 'No se pudieron cargar los datos del emisor'
export const AFFILIATE_FAILED = 'No se pudieron cargar los datos del afiliado'

const said = <T>(load: Promise<T>, sentence: string): Promise<T> =>
  load.catch((error: unknown) => {
    throw inWords(error, sentence)
  })

/** The answer holds the company's keys: not cached once the screen is left (security 2.10). */
export const ownIssuerQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.issuers, id, 'own'],
    queryFn: ({ signal }) => said(call(issuers.get, { params: { id }, signal }), ISSUER_FAILED),
    gcTime: 0,
  })

export const ownAffiliateQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.affiliates, id, 'own'],
    queryFn: ({ signal }) => said(call(affiliates.get, { params: { id }, signal }), AFFILIATE_FAILED),
    gcTime: 0,
  })

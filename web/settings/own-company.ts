import { queryOptions } from '@tanstack/react-query'
import { type Affiliate, affiliates } from '#contract/affiliates.ts'
import { type Issuer, issuers } from '#contract/issuers.ts'
import { call } from '#web/api/client.ts'
import { inWords } from '#web/api/errors.ts'
import { keys } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

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

const KEY_ROTATED = 'API key actualizada exitosamente'

// No id while the company loads; the buttons are disabled until then.
export const useRotateIssuerKey = (id = 0) =>
  useSave<void, Issuer>({
    save: () => call(issuers.rotateKey, { params: { id } }),
    success: KEY_ROTATED,
    refreshes: [keys.issuers],
  })

export const useRotatePostbackToken = (id = 0) =>
  useSave<void, Issuer>({
    save: () => call(issuers.rotatePostbackToken, { params: { id } }),
    success: 'Token de postback actualizado exitosamente',
    refreshes: [keys.issuers],
  })

export const useRotateAffiliateKey = (id = 0) =>
  useSave<void, Affiliate>({
    save: () => call(affiliates.rotateKey, { params: { id } }),
    success: KEY_ROTATED,
    refreshes: [keys.affiliates],
  })

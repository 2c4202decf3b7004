import { URL_INVALID } from '#contract/dashboards.ts'
import { invalid } from '../http/errors.ts'

/** The boards of the product itself. */
export const OWN = '/embed/'

const originOf = (url: string): string => (/^https:\/\//i.test(url) && URL.parse(url)?.origin) || ''

/** Whether our pages may frame this address: our own boards, and the origins that the operator allows. */
export const isFramable = (url: string, origins: string[]): boolean =>
  url.startsWith(OWN) || origins.includes(originOf(url))

/** Tells the user what the operator has to do. */
export function expectFramable(url: string, origins: string[]): void {
  const origin = originOf(url)
  if (origins.includes(origin)) return
  if (!origin) throw invalid('iframe_url', URL_INVALID)
  throw invalid(
    'iframe_url',
    `El origen ${origin} no está permitido: quien opera el servidor debe agregarlo a la variable DASHBOARD_ORIGINS y reiniciarlo`,
    'ORIGIN_NOT_ALLOWED',
  )
}

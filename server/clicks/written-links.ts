import { CLICK_PATH } from '#contract/tracking.ts'
import { decodeValue } from './pairs.ts'

const STRAIGHT = new RegExp(`^${CLICK_PATH}[\\w.-]{1,50}/?(?:\\?|$)`)
const BELOW = /^\/+api\/+v1\/+leads\/+redirect(?![\w-])\/*/i
/** The router's own limit is longer; nothing of this length is a number. */
const ID_LIMIT = 50

/**
 * The address of a link as the routes know it, however it was typed, escaped or cut (D89): in capitals, with slashes twice,
 * with the `?` escaped, with what stood behind it in a sentence. Whoever opens it gets the visitor's page and not the API's
 * envelope. Any other address comes back as it is.
 */
export function straightenLink(url: string): string {
  if (STRAIGHT.test(url) || !/redirect/i.test(decodeValue(url.slice(0, 200)))) return url
  const end = url.indexOf('?')
  const path = decodeValue(end < 0 ? url : url.slice(0, end))
  const below = BELOW.exec(path)
  if (!below) return url
  const [id = '', ...written] = path.slice(below[0].length).split('?')
  const query = [...written, ...(end < 0 ? [] : [url.slice(end + 1)])].join('&')
  return `${CLICK_PATH}${encodeURIComponent(id.replace(/[/\s]+$/, '').slice(0, ID_LIMIT)) || '-'}/?${query}`
}

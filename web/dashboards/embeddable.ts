import { parseUrl } from '#contract/web-address.ts'

/** Pages of others over https: nothing else may stand in a frame of ours (security 2.9). */
export function isEmbeddable(url: string, origin: string): boolean {
  const parsed = parseUrl(url, origin)
  return parsed !== null && parsed.origin !== origin && parsed.protocol === 'https:'
}

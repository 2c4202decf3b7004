/** Our own boards, and pages of others over https: nothing else may stand in a frame of ours (security 2.9). */
export function isEmbeddable(url: string, origin: string): boolean {
  const parsed = URL.parse(url, origin)
  if (!parsed) return false
  return parsed.origin === origin ? parsed.pathname.startsWith('/embed/') : parsed.protocol === 'https:'
}

/** A board: trusted like the page around it, and its tables can be downloaded (security 2.9). */
export const isOwn = (url: string, origin: string): boolean => URL.parse(url, origin)?.origin === origin

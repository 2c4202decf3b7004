import { escaped } from '../http/escaped.ts'

interface Surroundings {
  publicUrl: string
  /** Where people find help; undefined leaves the link without an address, as specified. */
  supportUrl: string | undefined
  /** Whether there are demonstration accounts (D65). */
  demo: boolean
}

/**
 * The built landing page, with what only the running server knows: its own address, which previews of a link need in
 * full, and the targets of two of its links.
 */
export function completeLanding(html: string, { publicUrl, supportUrl, demo }: Surroundings): string {
  const base = escaped(publicUrl)
  let page = html.replace(
    /(<(?:link|meta)\s+(?:rel="canonical"|property="og:(?:url|image)")\s+(?:href|content)=")\//g,
    (start) => `${start.slice(0, -1)}${base}/`,
  )
  if (!demo) page = page.replace('<a data-link="demo" href="/login"', '<a data-link="demo" href="#vision"')
  if (supportUrl) {
    const inert = '<a data-link="support" role="link" aria-disabled="true"'
    page = page.replace(inert, () => `<a data-link="support" href="${escaped(supportUrl)}"`)
  }
  return page
}

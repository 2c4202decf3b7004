import type { ReactNode } from 'react'
import { type Guide, guidePath } from '#contract/clients.ts'
import { LINK } from '#web/ui/links.tsx'

/** Opens a guide for programmers in a tab of its own. */
export const GuideLink = ({ guide, children }: { guide: Guide; children: ReactNode }) => (
  <a href={guidePath(guide)} target="_blank" rel="noopener" className={LINK}>
    {children}
  </a>
)

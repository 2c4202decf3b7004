import type { ReactNode } from 'react'
import { type Guide, guidePath } from '#contract/clients.ts'
import { FINGER_LINK, LINK } from '#web/ui/links.tsx'

interface Props {
  guide: Guide
  /** Within a sentence there is no room for a finger. */
  inSentence?: boolean
  children: ReactNode
}

/** Opens a guide for programmers in a tab of its own. */
export const GuideLink = ({ guide, inSentence = false, children }: Props) => (
  <a href={guidePath(guide)} target="_blank" rel="noopener" className={inSentence ? LINK : FINGER_LINK}>
    {children}
  </a>
)

import { BadgeCheck, CircleCheck, CircleX, Loader, type LucideIcon, MousePointerClick } from 'lucide-react'
import { type LeadState, leadStateLabels } from '#contract/leads.ts'
import { Badge, type Tone } from '#web/ui/Badge.tsx'

const looks: Record<LeadState, { icon: LucideIcon; tone: Tone }> = {
  click: { icon: MousePointerClick, tone: 'neutral' },
  in_process: { icon: Loader, tone: 'neutral' },
  approved: { icon: BadgeCheck, tone: 'brand' },
  rejected: { icon: CircleX, tone: 'danger' },
  paid: { icon: CircleCheck, tone: 'success' },
}

export function StateBadge({ state }: { state: LeadState }) {
  const { icon: Icon, tone } = looks[state]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="size-3 shrink-0" />
      {leadStateLabels[state]}
    </Badge>
  )
}

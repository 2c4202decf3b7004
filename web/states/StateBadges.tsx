import type { ReactNode } from 'react'
import { type EntryState, entryStateLabels } from '#contract/commission-entries.ts'
import { type LeadState, leadStateLabels } from '#contract/leads.ts'
import { type PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { entryLooks, leadLooks, paymentLooks, type StateLook } from './looks.ts'

function StateBadge({ look: { tone, icon: Icon, dashed }, children }: { look: StateLook; children: ReactNode }) {
  return (
    // An outline, so that a chip with an edge is as large as one without.
    <Badge tone={tone} {...(dashed && { className: 'outline-1 -outline-offset-1 outline-dashed' })}>
      <Icon aria-hidden className="size-3 shrink-0 middling:hidden" />
      {children}
    </Badge>
  )
}

export const LeadBadge = ({ state }: { state: LeadState }) => (
  <StateBadge look={leadLooks[state]}>{leadStateLabels[state]}</StateBadge>
)

export const EntryBadge = ({ state }: { state: EntryState }) => (
  <StateBadge look={entryLooks[state]}>{entryStateLabels[state]}</StateBadge>
)

/** A status that we do not know shows as it came, looking like a pending one (specification section 4). */
export const PaymentBadge = ({ status }: { status: string }) => {
  const known = Object.hasOwn(paymentStatusLabels, status) ? (status as PaymentStatus) : undefined
  return <StateBadge look={paymentLooks[known ?? 'pending']}>{known ? paymentStatusLabels[known] : status}</StateBadge>
}

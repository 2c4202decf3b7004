import {
  BadgeCheck,
  CircleCheck,
  CircleDashed,
  CircleX,
  Hourglass,
  Loader,
  type LucideIcon,
  MousePointerClick,
  Undo2,
} from 'lucide-react'
import type { EntryState } from '#contract/commission-entries.ts'
import type { LeadState } from '#contract/leads.ts'
import type { PaymentStatus } from '#contract/payments.ts'
import type { Tone } from '#web/ui/Badge.tsx'

/** How a state looks as a chip. */
export interface StateLook {
  tone: Tone
  icon: LucideIcon
  /** The chip has a dashed edge: not begun. */
  dashed?: true
}

/** How a state of money looks as a chip and in a chart. */
interface MoneyLook extends StateLook {
  /** The colour of its bars and lines; contrasts with every ground of both themes (web/look.test.ts). */
  mark: string
  hatched?: true
}

const earned = { tone: 'money', icon: Hourglass, mark: 'var(--mark-earned)' } as const
const inPayment = { tone: 'info', icon: Loader, mark: 'var(--mark-in-payment)' } as const
const paid = { tone: 'success', icon: CircleCheck, mark: 'var(--mark-paid)' } as const
const undone = { tone: 'neutral', mark: 'var(--mark-reversed)', hatched: true } as const

export const NEGATIVE_MARK = 'var(--mark-negative)'

export const entryLooks: Record<EntryState, MoneyLook> = {
  accrued: earned,
  in_payment: inPayment,
  paid,
  reversed: { ...undone, icon: Undo2 },
}

export const paymentLooks: Record<PaymentStatus, MoneyLook> = {
  pending: { ...inPayment, icon: CircleDashed, dashed: true },
  processing: inPayment,
  paid,
  cancelled: { ...undone, icon: CircleX },
}

export const leadLooks: Record<LeadState, StateLook> = {
  click: { tone: 'neutral', icon: MousePointerClick },
  in_process: { tone: 'neutral', icon: Loader },
  approved: { tone: 'brand', icon: BadgeCheck },
  rejected: { tone: 'danger', icon: CircleX },
  paid: { tone: paid.tone, icon: paid.icon },
}

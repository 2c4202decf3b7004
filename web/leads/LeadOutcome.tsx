import { useState } from 'react'
import { Link } from 'react-router'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { LeadDetail } from '#contract/leads.ts'
import type { Role } from '#contract/roles.ts'
import { NO_REJECT_STEP, rulings } from '#contract/rulings.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Explain } from '#web/explain/Explain.tsx'
import { paths, rowParams } from '#web/paths.ts'
import { LeadBadge } from '#web/states/StateBadges.tsx'
import { Button } from '#web/ui/Button.tsx'
import { laterDialog } from '#web/ui/later.tsx'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'

const RejectDialog = laterDialog(async () => (await import('./RejectDialog.tsx')).default)
const RestoreDialog = laterDialog(async () => (await import('./RestoreDialog.tsx')).default)
const dialogs = { reject: RejectDialog, restore: RestoreDialog }

interface Props {
  lead: LeadDetail
  entries: CommissionEntry[] | undefined
  viewer: Role
}

/** Its state and money, the payment that holds it where there is but one, and why it was rejected. */
export function LeadOutcome({ lead, entries, viewer }: Props) {
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const refuse = useRefusal()
  const { rejection } = lead
  const held = [...new Set(entries?.flatMap(({ payment_id }) => payment_id ?? []))]
  // Known from the list, before why it was rejected is.
  const isRejected = lead.state === 'rejected'
  const missingStep = isRejected || lead.is_rejectable ? undefined : NO_REJECT_STEP
  const ruling = isRejected ? 'restore' : 'reject'
  // As it was opened: the lead may be rejected or taken back by somebody else meanwhile.
  const Dialog = open && dialogs[open]
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <LeadBadge state={lead.state} />
        {lead.amount !== null && (
          <>
            <Money value={lead.amount} className="text-lg font-semibold text-money-ink" />
            <Explain of={{ kind: 'lead', id: lead.id }} name={`Lead ${lead.id}`} viewer={viewer} />
          </>
        )}
        {held.length === 1 && held[0] !== undefined && <PaymentLink id={held[0]} viewer={viewer} />}
        {viewer !== 'affiliate' && (
          <Button
            size="sm"
            onClick={() => setOpen(ruling)}
            disabledReason={refuse(rulings[ruling]) ?? missingStep}
            className="ml-auto"
          >
            {isRejected ? 'Reactivar' : 'Rechazar'}
          </Button>
        )}
      </div>
      {rejection && (
        <p className="mt-2 rounded-lg bg-danger-soft px-3 py-2 wrap-anywhere text-danger-ink">
          {`Motivo del rechazo: ${rejection.label}.`}
          {viewer === 'affiliate' && rejection.advice && ` ${rejection.advice}`}
        </p>
      )}
      {Dialog && <Dialog lead={lead} onClose={() => setOpen(undefined)} />}
    </>
  )
}

export const PaymentLink = ({ id, viewer }: { id: number; viewer: Role }) => (
  <Link to={`${paths[viewer].payments}?${rowParams.payment}=${id}`} className={LINK}>
    Pago {id}
  </Link>
)

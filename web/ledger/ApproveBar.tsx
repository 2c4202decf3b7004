import { useLayoutEffect, useRef } from 'react'
import { commissionEntries, type WaitingEntry } from '#contract/commission-entries.ts'
import { sumAmounts } from '#contract/money.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Button } from '#web/ui/Button.tsx'
import { focusContent } from '#web/ui/focus-content.ts'
import { formatMoney, formatNumber } from '#web/ui/format.ts'
import { useApprove } from './queries.ts'

interface Props {
  rows: readonly WaitingEntry[]
  picked: readonly WaitingEntry[]
  onToggle: (ids: readonly number[], on: boolean) => void
}

/** What is done with the chosen rows, and their sum before it is done. */
export function ApproveBar({ rows, picked, onToggle }: Props) {
  const approve = useApprove()
  const refuse = useRefusal()
  const bar = useRef<HTMLDivElement>(null)
  // It goes with the last rows, and the pressed button with it; a plain effect would come when both are gone.
  useLayoutEffect(
    () => () => {
      if (bar.current?.contains(document.activeElement)) focusContent()
    },
    [],
  )
  const isWhole = picked.length === rows.length
  const ids = picked.map(({ id }) => id)
  const count = `${formatNumber(ids.length)} ${ids.length === 1 ? 'seleccionada' : 'seleccionadas'}`
  return (
    <div ref={bar} className="mb-3 flex flex-wrap items-center justify-between gap-3">
      <label className="flex min-h-11 items-center gap-2.5 sm:min-h-0">
        <input
          type="checkbox"
          checked={isWhole}
          ref={(box) => {
            if (box) box.indeterminate = !isWhole && ids.length > 0
          }}
          onChange={({ target }) =>
            onToggle(
              rows.map(({ id }) => id),
              target.checked,
            )
          }
          className="size-5 accent-brand"
        />
        {rows.length === 1 ? 'Elegir la única' : `Elegir las ${formatNumber(rows.length)} de esta página`}
      </label>
      <Button
        variant="primary"
        busy={approve.isPending}
        busyText="Aprobando..."
        disabled={ids.length === 0}
        disabledReason={refuse(commissionEntries.approve)}
        onClick={() => approve.mutate({ ids }, { onSuccess: () => onToggle(ids, false) })}
      >
        {ids.length === 0
          ? 'Aprobar'
          : `Aprobar ${count} (${formatMoney(sumAmounts(picked.flatMap(({ amount, compensation }) => [amount, compensation])))})`}
      </Button>
    </div>
  )
}

import { CalendarClock } from 'lucide-react'
import type { RateInForce } from '#contract/rates.ts'
import { formatDate, formatMoney } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

/** The amount in force, with a mark where another one is announced. */
export function Payout({ of: { payout, next } }: { of: Pick<RateInForce, 'payout' | 'next'> }) {
  if (!next) return <Money value={payout} />
  const announced = `${formatMoney(next.payout)} desde el ${formatDate(next.since, 'day')}`
  return (
    <Tooltip text={`Programado: ${announced}`}>
      <span className="inline-flex items-center gap-x-1.5 whitespace-nowrap">
        <CalendarClock aria-hidden className="size-3.5 text-info-ink" />
        <Money value={payout} missing="-" />
        <span className="sr-only">, programado {announced}</span>
      </span>
    </Tooltip>
  )
}

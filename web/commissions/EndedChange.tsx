import { useQuery } from '@tanstack/react-query'
import type { Announced, Compensated } from '#contract/rates.ts'
import { formatDate, formatMoney, formatNumber } from '#web/ui/format.ts'
import { compensatedQuery } from './queries.ts'
import { signed } from './RateMeaning.tsx'

/** What becomes of an announced change where what it changes ends: it goes, and what it compensated stays. */
export function EndedChange({ next }: { next: Announced | null }) {
  const { data } = useQuery(compensatedQuery(next?.id))
  if (!next) return null
  return (
    <>
      {' '}
      El cambio programado a {formatMoney(next.payout)} desde el {formatDate(next.since, 'day')} se cancela.
      {data && keptOf(data)}
    </>
  )
}

function keptOf({ entries, amount }: Compensated): string {
  if (entries === 0) return ''
  if (entries === 1)
    return ` El ajuste con el que compensa lo devengado (${signed(amount)}) se conserva; para anularlo, un administrador cancela antes el cambio.`
  return ` Los ${formatNumber(entries)} ajustes con los que compensa lo devengado (${signed(amount)}) se conservan; para anularlos, un administrador cancela antes el cambio.`
}

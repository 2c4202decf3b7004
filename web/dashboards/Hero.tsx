import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChartLine } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { Due, Summary } from '#contract/summary.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { HeroChart } from './HeroChart.tsx'
import { summaryQuery } from './queries.ts'

/** What is owed now, a stock and not a figure of a period, beside the last ninety days. */
export function Hero({ payments }: { payments: string }) {
  const title = useId()
  const query = useQuery(summaryQuery())
  const { data } = query
  return (
    <section aria-labelledby={title} aria-busy={!data} className="rounded-xl border bg-surface p-5 shadow-card">
      <h2 id={title} className="text-base font-semibold">
        Por pagar
      </h2>
      {!data && query.isError ? (
        <ErrorState text="Error al cargar lo que hay por pagar" query={query} />
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(max-content,1fr)_minmax(0,2fr)]">
          {data ? <Figures due={data.due} payments={payments} /> : <WaitingFigures />}
          {data ? <Picture days={data.days} /> : <Skeleton className="h-[21.5rem] rounded-lg" />}
        </div>
      )}
    </section>
  )
}

const Figures = ({ due, payments }: { due: Due; payments: string }) => (
  <div className="min-w-0">
    <p className="mt-2 text-[clamp(2rem,1.6rem+1vw,2.25rem)]/10 font-semibold break-words text-money-ink tabular-nums">
      {formatMoney(due.accrued)}
    </p>
    <p className="mt-1 text-muted">{whichOf(due)}</p>
    <Link
      to={payments}
      className="group mt-4 inline-flex min-h-11 max-w-full flex-wrap items-center gap-x-2 rounded font-medium hover:underline sm:min-h-9"
    >
      <span className="text-muted">En pago</span> <span className="tabular-nums">{formatMoney(due.in_payment)}</span>
      <ArrowRight aria-hidden className="size-4 text-faint group-hover:text-ink" />
    </Link>
  </div>
)

function whichOf({ entries, since }: Due): string {
  if (!entries) return 'Sin comisiones por pagar'
  const all = counted(entries, 'comisión', 'comisiones')
  if (since !== null) return `${all}, desde el ${rangeText({ from: since, to: since })}`
  return `${all} que todavía no se ${entries === 1 ? 'puede' : 'pueden'} pagar`
}

const Picture = ({ days }: { days: Summary['days'] }) =>
  days.some(({ leads, conversions, commission }) => leads > 0 || conversions > 0 || Number(commission) !== 0) ? (
    <HeroChart days={days} />
  ) : (
    <div className="flex min-h-[21.5rem] items-center justify-center">
      <EmptyState
        icon={ChartLine}
        text="Sin movimientos en los últimos 90 días"
        hint="Aquí aparecerá lo ganado cada día, con sus leads y conversiones."
      />
    </div>
  )

const WaitingFigures = () => (
  <div role="status" className="grid content-start gap-3 pt-3">
    <span className="sr-only">Cargando lo que hay por pagar...</span>
    <Skeleton className="h-9 w-48 max-w-full" />
    <Skeleton className="w-56 max-w-full" />
    <Skeleton className="w-40 max-w-full" />
  </div>
)

import { useQuery } from '@tanstack/react-query'
import { Boxes, CircleDollarSign, type LucideIcon, MousePointerClick, UserRound } from 'lucide-react'
import type { Overview } from '#contract/metrics.ts'
import { ChangeNote, Running } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { comparisonText } from '#web/charts/comparison.ts'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { formatMoney, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { overviewQuery } from './queries.ts'

/** The four figures of the specification. */
export function AdminFigures() {
  const overview = useQuery(overviewQuery())
  const { data } = overview
  if (!data && overview.isError)
    return (
      <div className="rounded-xl border bg-surface shadow-card">
        <ErrorState text="Error al cargar las cifras" query={overview} />
      </div>
    )
  return (
    <StatRow label="Cifras de la red" count={4} busy={!data}>
      <Figure label="Total Usuarios" icon={UserRound} figure={data?.total_users} />
      <Figure label="Productos Activos" icon={Boxes} figure={data?.active_products} />
      <Figure label="Conversiones Hoy" icon={MousePointerClick} figure={data?.conversions_today} running />
      <Figure label="Ingresos del Mes" icon={CircleDollarSign} figure={data?.month_income} text={formatMoney} running />
    </StatRow>
  )
}

type Known = Overview['total_users'] | Overview['month_income']

interface FigureProps {
  label: string
  icon: LucideIcon
  figure: Known | undefined
  text?: (value: number | string) => string
  /** It counts today, which is not over. */
  running?: boolean
}

const Figure = ({
  label,
  icon,
  figure,
  text = (value) => formatNumber(Number(value)),
  running = false,
}: FigureProps) => (
  <StatCard
    label={label}
    icon={icon}
    value={figure && (typeof figure.value === 'string' ? <Money value={figure.value} /> : text(figure.value))}
    aside={running && <Running />}
    note={figure && <Change figure={figure} text={text} />}
    withNote
  />
)

const SINCE = 'desde el mes pasado'

function Change({ figure, text }: Required<Pick<FigureProps, 'text'>> & { figure: Known }) {
  const { comparison, compared, previous, until } = figure
  // On the first of a month no day of it is over.
  if (!comparison) return `Sin comparación ${SINCE}`
  return (
    <ChangeNote
      change={changeOf({ ...figure, value: compared })}
      since={SINCE}
      compared={comparisonText(comparison, text(previous), until)}
    />
  )
}

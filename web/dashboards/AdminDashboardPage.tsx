import { useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  Boxes,
  ChartLine,
  CircleDollarSign,
  HandCoins,
  type LucideIcon,
  MousePointerClick,
  UserRound,
} from 'lucide-react'
import { Link } from 'react-router'
import type { Overview } from '#contract/metrics.ts'
import { ChangeNote, Running } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { comparisonText } from '#web/charts/comparison.ts'
import { paths } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { formatMoney, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { Activity } from './Activity.tsx'
import { ResultsLink } from './Dashboards.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { overviewQuery, summaryQuery } from './queries.ts'

export default function AdminDashboardPage() {
  return (
    <Page
      title="Dashboard"
      description="Las cifras de la red y lo último que pasó en ella."
      action={
        <>
          <ResultsLink to={paths.admin.results} />
          <Link to={paths.boards.network} className={buttonLook()}>
            <ChartLine aria-hidden className="size-4" />
            Ver la red
          </Link>
        </>
      }
    >
      <div className="grid gap-6">
        <FirstSteps />
        <Figures />
        <Pending />
        <nav aria-label="Acciones rápidas">
          <ul className="grid gap-3 sm:grid-cols-3">
            {tiles.map((tile) => (
              <Tile key={tile.path} {...tile} />
            ))}
          </ul>
        </nav>
        <Card
          title="Actividad reciente"
          action={
            <Link to={paths.admin.audit} className={buttonLook()}>
              Ver bitácora
            </Link>
          }
        >
          <Activity />
        </Card>
      </div>
    </Page>
  )
}

function Figures() {
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

/** What waits for somebody; nothing is drawn while nothing does. */
function Pending() {
  const { data } = useQuery(summaryQuery())
  if (!data?.attention?.commission_gaps) return null
  return (
    <nav aria-label="Por atender">
      <Link
        to={`${paths.admin.commissions}?estado=falta`}
        className="group flex items-center gap-4 rounded-xl border bg-surface px-5 py-3 shadow-card hover:border-line-strong hover:bg-hover"
      >
        <HandCoins aria-hidden className="size-5 shrink-0 text-danger-ink" />
        <span className="min-w-0">
          <span className="font-medium">Relaciones sin comisión</span>{' '}
          <Badge tone="danger">{formatNumber(data.attention.commission_gaps)}</Badge>
          <span className="block text-muted">Hay pasos que generan comisión y el afiliado no gana nada por ellos.</span>
        </span>
        <ArrowRight aria-hidden className="ml-auto size-4 shrink-0 text-faint group-hover:text-ink" />
      </Link>
    </nav>
  )
}

interface FigureProps {
  label: string
  icon: LucideIcon
  figure: Overview['total_users'] | Overview['month_income'] | undefined
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

function Change({
  figure,
  text,
}: { figure: Overview['total_users'] | Overview['month_income'] } & Required<Pick<FigureProps, 'text'>>) {
  const { comparison, previous, until } = figure
  // On the first of a month no day of it is over.
  if (!comparison) return `Sin comparación ${SINCE}`
  return (
    <ChangeNote change={changeOf(figure)} since={SINCE} compared={comparisonText(comparison, text(previous), until)} />
  )
}

interface TileProps {
  title: string
  hint: string
  path: string
  icon: LucideIcon
}

const tiles: TileProps[] = [
  {
    title: 'Gestionar usuarios',
    hint: 'Cuentas, roles y accesos',
    path: paths.admin.users,
    icon: UserRound,
  },
  {
    title: 'Configurar productos',
    hint: 'Altas y URL de redirección',
    path: paths.admin.products,
    icon: Boxes,
  },
  {
    title: 'Revisar pagos',
    hint: 'Pendientes y comisiones por pagar',
    path: paths.admin.payments,
    icon: CircleDollarSign,
  },
]

const Tile = ({ title, hint, path, icon: Icon }: TileProps) => (
  <li>
    <Link
      to={path}
      className="group flex items-center gap-4 rounded-xl border bg-surface px-5 py-4 shadow-card hover:border-line-strong hover:bg-hover"
    >
      <span className="flex size-10 shrink-0 items-center justify-center rounded-lg bg-brand-soft text-brand-ink">
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-muted">{hint}</span>
      </span>
      <ArrowRight aria-hidden className="ml-auto size-4 shrink-0 text-faint group-hover:text-ink" />
    </Link>
  </li>
)

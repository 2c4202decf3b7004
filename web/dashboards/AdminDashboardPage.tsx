import { ArrowRight, Boxes, CircleDollarSign, type LucideIcon, UserRound } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Card } from '#web/ui/Card.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Activity } from './Activity.tsx'
import { AdminFigures } from './AdminFigures.tsx'
import { Attention } from './Attention.tsx'
import { ResultsLink } from './Dashboards.tsx'
import { FirstSteps, useFirstSteps } from './FirstSteps.tsx'
import { FunnelCard } from './FunnelCard.tsx'
import { Hero } from './Hero.tsx'
import { MoversCard } from './MoversCard.tsx'
import { OwnBoard } from './OwnBoard.tsx'

const SUMMARY = 'resumen'
const boards = [
  {
    value: SUMMARY,
    label: 'Resumen',
    description: 'Lo que se debe, lo que espera a alguien y lo último que pasó en la red.',
  },
  {
    value: 'red',
    label: 'Red',
    description: 'Toda la red en un vistazo: leads, conversiones y comisiones por emisor, afiliado y producto.',
  },
  {
    value: 'rendimiento',
    label: 'Rendimiento',
    description: 'Leads, conversiones y comisiones por día, comparados con el periodo anterior.',
  },
  {
    value: 'embudo',
    label: 'Embudo',
    description: 'Hasta dónde llegan los leads de un producto, en qué paso se pierden y cuántos se aprueban.',
  },
  {
    value: 'comisiones',
    label: 'Comisiones',
    description: 'Comisiones devengadas, en pago, pagadas y revertidas, por producto y por socio.',
  },
]
const NO_FILTERS = { tablero: SUMMARY }

/** The network: what is owed, what waits and what changed; its boards are chosen above. */
export default function AdminDashboardPage() {
  const { filters, change } = useUrlFilters(NO_FILTERS)
  const chosen = boards.find(({ value }) => value === filters.tablero) ?? boards[0]
  return (
    <Page
      title="Dashboard"
      description={chosen?.description}
      action={
        <>
          <Select
            aria-label="Tablero"
            options={boards}
            value={chosen?.value ?? SUMMARY}
            onChange={(tablero) => change({ tablero })}
            className="w-44"
          />
          <ResultsLink to={paths.admin.results} />
        </>
      }
    >
      {!chosen || chosen.value === SUMMARY ? <Network /> : <OwnBoard url={`/embed/${chosen.value}`} />}
    </Page>
  )
}

function Network() {
  const made = useFirstSteps()
  return (
    <div className="grid gap-6">
      {made ? <FirstSteps made={made} /> : <Hero payments={paths.admin.payments} />}
      <AdminFigures />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 gap-6">
          <Attention of="admin" />
          <FunnelCard />
        </div>
        <div className="grid min-w-0 gap-6">
          <MoversCard
            title="Lo que más cambió"
            description="Afiliados, por sus leads de los últimos 30 días frente a los 30 anteriores."
            hint="Aquí aparecerá quien más leads gane o pierda, desde el día siguiente al primer clic."
            action={
              <Link to="?tablero=red" className={buttonLook('secondary', 'sm')}>
                Ver todos
              </Link>
            }
          />
          <Card
            title="Actividad reciente"
            action={
              <Link to={paths.admin.audit} className={buttonLook('secondary', 'sm')}>
                Ver bitácora
              </Link>
            }
          >
            <Activity />
          </Card>
        </div>
      </div>
      <nav aria-label="Acciones rápidas">
        <ul className="grid gap-3 sm:grid-cols-3">
          {tiles.map((tile) => (
            <Tile key={tile.path} {...tile} />
          ))}
        </ul>
      </nav>
    </div>
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

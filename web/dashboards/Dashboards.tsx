import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Gauge } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { DashboardFrame, HEIGHT, Skeletons } from './DashboardFrame.tsx'
import { isOwnBoard, OwnBoard } from './OwnBoard.tsx'
import { dashboardsQuery } from './queries.ts'

const NO_FILTERS = { tablero: '' }

interface Props {
  description: string
  /** Screens with the same figures, offered while there is no dashboard. */
  elsewhere: readonly { label: string; path: string }[]
  /** The screen of results by UTM and sub. */
  results: string
  /** Above the board of performance. */
  summary: ReactNode
}

/** The dashboards of the viewer, one at a time; the first one until another is chosen. */
export function Dashboards({ description, elsewhere, results, summary }: Props) {
  const heading = useId()
  const list = useQuery(dashboardsQuery())
  const { data, isError } = list
  const { filters, change } = useUrlFilters(NO_FILTERS)
  const waiting = data === undefined && !isError
  const chosen = data?.find(({ id }) => String(id) === filters.tablero) ?? data?.[0]
  return (
    <Page
      title="Dashboard"
      description={description}
      action={<ResultsLink to={results} />}
      filters={
        data && chosen ? (
          <Select
            aria-label="Tablero"
            options={data.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen.id}
            onChange={(id) => change({ tablero: id === data[0]?.id ? '' : String(id) })}
            className="w-full sm:w-80"
          />
        ) : (
          waiting && <Skeleton className="h-9 w-full sm:w-80" />
        )
      }
    >
      {waiting && <DescriptionSkeleton />}
      {chosen?.description && <p className="mb-4 max-w-3xl wrap-anywhere text-muted">{chosen.description}</p>}
      {chosen && isOwnBoard(chosen.iframe_url) ? (
        <>
          {chosen.iframe_url === paths.boards.performance && <div className="mb-8">{summary}</div>}
          <section id="tablero" aria-labelledby={heading} className="scroll-mt-6">
            <h2 id={heading} className="mb-3 text-lg font-semibold">
              {chosen.name}
            </h2>
            <OwnBoard url={chosen.iframe_url} />
          </section>
        </>
      ) : (
        <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
          {data === undefined && isError && <ErrorState text="Error al cargar los dashboards" query={list} />}
          {waiting && <Waiting />}
          {data?.length === 0 && (
            <EmptyState
              icon={Gauge}
              text="Aún no tienes dashboards"
              hint="Cuando el administrador te asigne uno, lo verás aquí. Mientras tanto, tus cifras están en Leads y en Pagos."
              action={<Links to={elsewhere} />}
            />
          )}
          {chosen && <DashboardFrame key={chosen.id} dashboard={chosen} />}
        </div>
      )}
    </Page>
  )
}

export const ResultsLink = ({ to }: { to: string }) => (
  <Link to={to} className={buttonLook()}>
    <ChartColumn aria-hidden className="size-4" />
    Resultados
  </Link>
)

const Links = ({ to }: { to: Props['elsewhere'] }) => (
  <nav aria-label="Otras pantallas" className="flex flex-wrap justify-center gap-2">
    {to.map(({ label, path }) => (
      <Link key={path} to={path} className={buttonLook()}>
        {label}
      </Link>
    ))}
  </nav>
)

/** As long as the description of a board of ours: one line, two on a phone. */
const DescriptionSkeleton = () => (
  <div className="mb-4 flex h-[2lh] max-w-3xl flex-col justify-evenly sm:h-lh">
    <Skeleton />
    <Skeleton className="w-2/3 sm:hidden" />
  </div>
)

const Waiting = () => (
  <div role="status" className={`${HEIGHT} p-6`}>
    <span className="sr-only">Cargando dashboards...</span>
    <Skeletons />
  </div>
)

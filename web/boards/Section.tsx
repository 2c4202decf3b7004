import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportTable } from '#contract/boards.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { ErrorState, type FailedQuery } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { NO_FILTERS } from './period.ts'
import { type Asked, useSaveTable } from './queries.ts'

interface Props<Row> {
  title: string
  description?: string
  /** The picture, whose figures are those of the table. */
  chart?: ReactNode
  table: ReportTable
  asked: Asked
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** The table is a ranking: its first rows say the most. */
  ranked?: boolean
}

const TOP = 5

/** A chart with its table below it and as a file. Without a chart the table is open. */
export function Section<Row extends object>({
  title,
  description,
  chart,
  table,
  asked,
  ranked = false,
  ...rest
}: Props<Row>) {
  const save = useSaveTable()
  const { active } = useUrlFilters(NO_FILTERS)
  const { rows, columns, rowKey } = rest
  const body = (
    <DataTable
      query={{ data: rows, isError: false, isFetching: false, error: null, refetch: () => undefined }}
      columns={columns}
      rowKey={rowKey}
      label={title}
      empty="Sin movimientos en el periodo"
      {...(ranked && { top: TOP })}
      {...(active && { emptyHint: 'Prueba con otro periodo o quita algún filtro.' })}
    />
  )
  return (
    <Card
      title={title}
      description={description}
      action={
        rows.length > 0 && (
          <Button
            size="sm"
            icon={Download}
            aria-label={`Descargar CSV: ${title}`}
            busy={save.isPending}
            busyText="Descargando..."
            onClick={() => save.mutate({ table, query: asked })}
          >
            CSV
          </Button>
        )
      }
    >
      {chart}
      {chart ? (
        <div className="mt-3 border-t">
          <Collapsible title="Ver tabla" initiallyOpen={false}>
            {body}
          </Collapsible>
        </div>
      ) : (
        body
      )}
    </Card>
  )
}

/** The error or the skeleton of a board. */
export const Unready = ({ query }: { query: FailedQuery & { isError: boolean } }) =>
  query.isError ? (
    <Card>
      <ErrorState text="Error al cargar el tablero" query={query} />
    </Card>
  ) : (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Cargando tablero...</span>
      <div aria-hidden className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-28 rounded-xl" />
        ))}
      </div>
      <Skeleton className="h-96 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  )

import { useQuery } from '@tanstack/react-query'
import { TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Mover, Movers } from '#contract/summary.ts'
import { changeBetween } from '#web/boards/words.ts'
import { ChangeNote } from '#web/charts/ChangeNote.tsx'
import { changeOf } from '#web/charts/change.ts'
import { comparisonText } from '#web/charts/comparison.ts'
import { Sparkline } from '#web/charts/Sparkline.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { moversQuery } from './queries.ts'

interface Props {
  title: string
  description: string
  /** Where all of them are. */
  action?: ReactNode
  /** While nothing moved. */
  hint: string
  /** Below the name. */
  detail?: (row: Mover) => ReactNode
}

/** The few rows that say most about the last thirty days, each with a small line. */
export function MoversCard({ title, description, hint, action, detail }: Props) {
  const query = useQuery(moversQuery())
  const { data } = query
  return (
    <Card title={title} description={description} action={data && data.rows.length > 0 && action}>
      {!data && query.isError && <ErrorState text="Error al cargar los cambios" query={query} />}
      {!data && !query.isError && <ListSkeleton text="Cargando los cambios..." />}
      {data?.rows.length === 0 && <EmptyState icon={TrendingUp} text="Sin movimientos" hint={hint} />}
      {data && data.rows.length > 0 && (
        <ol aria-label={title} className="-my-2 divide-y divide-line">
          {data.rows.map((row) => (
            <Row key={row.id} row={row} comparison={data.comparison} detail={detail?.(row)} />
          ))}
        </ol>
      )}
    </Card>
  )
}

const Row = ({
  row,
  comparison,
  detail,
}: {
  row: Mover
  comparison: Movers['comparison']
  detail: ReactNode | undefined
}) => (
  <li className="flex items-center gap-3 py-2">
    <span className="min-w-0 flex-1">
      <Tooltip text={row.name}>
        <span className="block truncate font-medium">{row.name}</span>
      </Tooltip>
      {detail && <span className="block text-muted">{detail}</span>}
    </span>
    <span className="hidden sm:block">
      <Sparkline values={row.line} />
    </span>
    <span className="w-24 shrink-0 text-right tabular-nums">
      <span className="block">
        {formatNumber(row.leads)} <span className="text-muted">leads</span>
      </span>
      {comparison && (
        <span className="flex justify-end">
          <ChangeNote
            change={changeOf({
              ...{ value: row.compared.leads, previous: row.previous.leads },
              change: changeBetween(row.compared.leads, row.previous.leads),
            })}
            compared={comparisonText(comparison, formatNumber(row.previous.leads))}
          />
        </span>
      )}
    </span>
  </li>
)

import { FileQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState, ErrorState, type FailedQuery } from '#web/ui/EmptyState.tsx'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { copyLink } from './copy-link.ts'
import type { RowPanel } from './use-panel.ts'

interface Props<Row> {
  panel: RowPanel
  /** What the rows are: 'Pago'. */
  noun: string
  title?: (row: Row) => ReactNode
  /** Missing while it loads, and where it does not exist or belongs to somebody else. */
  row: Row | undefined
  query: FailedQuery & { isError: boolean }
  errorText: string
  isMissing: boolean
  menu?: (row: Row) => MenuItem[]
  wide?: boolean
  children: (row: Row) => ReactNode
}

/** The panel of the row that the address names. */
export function DetailPanel<Row>({ panel, noun, title, row, query, isMissing, menu, children, ...rest }: Props<Row>) {
  if (panel.id === undefined) return null
  const { id, order, open } = panel
  const index = order.indexOf(id)
  const name = id === 0 ? noun : `${noun} ${id}`
  const shown = isMissing ? undefined : row
  const move = (step: -1 | 1) => {
    const next = order[index + step]
    if (next !== undefined) open(next)
  }
  return (
    <Panel
      title={(shown && title?.(shown)) ?? name}
      name={name}
      place={index < 0 ? undefined : { index, count: order.length }}
      onMove={move}
      menu={shown ? [copyLink(panel.param, id), ...(menu?.(shown) ?? [])] : []}
      wide={rest.wide ?? false}
      onClose={panel.close}
    >
      {shown && children(shown)}
      {isMissing && (
        <EmptyState
          icon={FileQuestion}
          text={id === 0 ? `Ese ${noun.toLowerCase()} no existe` : `El ${noun.toLowerCase()} ${id} no existe`}
          hint="Revisa el enlace: puede estar mal escrito, o lo que mostraba se eliminó."
        />
      )}
      {!shown && !isMissing && (query.isError ? <ErrorState text={rest.errorText} query={query} /> : <Waiting />)}
    </Panel>
  )
}

const Waiting = () => (
  <div role="status" aria-label="Cargando detalle" className="grid gap-4">
    {['w-48', 'w-64', 'w-40', 'w-72'].map((width) => (
      <Skeleton key={width} className={`${width} max-w-full`} />
    ))}
  </div>
)

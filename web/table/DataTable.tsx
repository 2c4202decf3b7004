import type { LucideIcon } from 'lucide-react'
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { InList } from '#web/ui/dates.tsx'
import { EmptyState, ErrorState, type FailedQuery } from '#web/ui/EmptyState.tsx'
import { BESIDE } from '#web/ui/Panel.tsx'
import { useMedia } from '#web/ui/use-media.ts'
import { usePhone } from '#web/ui/use-phone.ts'
import { Cards } from './Cards.tsx'
import { ChooseBar, ChosenStatus, PhoneChooseBar, useDropChoice } from './ChooseBar.tsx'
import type { Column, RowAction } from './column.ts'
import type { Opens } from './Row.tsx'
import { Rows } from './Rows.tsx'
import { SortMenu } from './SortMenu.tsx'
import { sortingOf, useSortingInSheet } from './sorting.tsx'
import { ShowAll, TableFooter } from './TableFooter.tsx'
import { type Choosing, type Selects, useChoosing } from './use-choosing.ts'
import { type RowPanel, useShownRow } from './use-panel.ts'
import type { InitialSort } from './use-place.ts'
import { type RowTable, useRows } from './use-rows.ts'
import { useSavedRow } from './use-saved-row.ts'

/** What a table needs of the answer of useQuery. */
export interface TableQuery<Row> extends FailedQuery {
  data: readonly Row[] | undefined
  isError: boolean
  /** The rows are those of the question before. */
  isPlaceholderData?: boolean
}

interface Props<Row> {
  query: TableQuery<Row>
  columns: readonly Column<Row>[]
  /** The accessible name, where the page's title is not enough. */
  label?: string
  actions?: (row: Row) => RowAction[]
  /** Whose they are, 'del pago 41': the rarer ones are then behind '⋯'. */
  actionsOf?: (row: Row) => string
  /** Several rows can be chosen, to do something with all of them. */
  selects?: Selects<Row> | undefined
  /** Rows open their details: where, and what the link of a row is called. */
  opens?: Opens<Row>
  rowKey?: (row: Row) => string | number
  /** The rows to keep; searching and filtering happen here when all rows are loaded. */
  filter?: ((row: Row) => boolean) | undefined
  loading?: string
  errorText?: string
  empty: ReactNode
  emptyHint?: ReactNode
  emptyIcon?: LucideIcon
  emptyAction?: ReactNode
  /** Instead of `empty` when filters leave nothing. */
  emptySearch?: ReactNode
  /** By default, when there is a `filter`; a list that the server filters says so here. */
  filtered?: boolean
  initialSort?: InitialSort
  skeletonRows?: number
  /** Off when the server pages; `footer` then holds the pages. */
  paged?: boolean
  /** The list of its screen: the address keeps its order and its page. So it is where rows open. */
  own?: boolean
  /** Only so many rows until all are asked for. */
  top?: number
  footer?: ReactNode
}

const NONE: readonly never[] = []

export function DataTable<Row extends object>({
  query,
  columns,
  label,
  actions,
  actionsOf,
  selects,
  opens,
  rowKey = (row) => (row as { id: number }).id,
  filter,
  loading = 'Cargando...',
  errorText = 'No se pudieron cargar los datos',
  empty,
  emptyHint,
  emptyIcon,
  emptyAction,
  emptySearch,
  filtered = filter !== undefined,
  initialSort,
  skeletonRows = 5,
  paged = true,
  own = opens !== undefined,
  top,
  footer,
}: Props<Row>) {
  const rows = useMemo(() => {
    const all = query.data ?? NONE
    // A malformed answer must not look like an empty list.
    if (!Array.isArray(all)) throw new TypeError('La respuesta del servidor no es una lista')
    return filter ? all.filter(filter) : all
  }, [query.data, filter])
  const table = useRows({ rows, columns, paged, initialSort, opens: opens?.panel.param, inAddress: own && paged })
  const isAside = useAside(table, paged, opens?.panel)
  const shownColumns = isAside ? columns.filter(({ spare }) => !spare) : columns
  const withActions = Boolean(actions) && !isAside
  const [isWhole, setWhole] = useState(top === undefined)
  const waiting = query.data === undefined && !query.isError
  const outdated = query.isPlaceholderData === true
  const shown = isWhole ? table.getRowModel().rows : table.getRowModel().rows.slice(0, top)
  const phone = usePhone()
  const sorting = sortingOf(table, columns)
  const inSheet = useSortingInSheet(sorting, phone)
  const savedKey = useSavedRow(rows, rowKey)
  const searching = filtered || rows.length < (query.data?.length ?? 0)
  /** All that the filter leaves is here, not only the server's page of it. */
  const holdsFiltered = searching && paged

  if (query.data === undefined && query.isError) {
    return (
      <Box>
        <ErrorState text={errorText} query={query} />
      </Box>
    )
  }
  if (!waiting && rows.length === 0) {
    return (
      <Box>
        {searching && emptySearch ? (
          <EmptyState text={emptySearch} hint="Prueba con otras palabras o quita algún filtro." />
        ) : (
          <EmptyState text={empty} hint={emptyHint} action={emptyAction} {...(emptyIcon && { icon: emptyIcon })} />
        )}
      </Box>
    )
  }
  const footing = waiting ? (
    <p role="status" className="border-t px-4 py-3 text-muted">
      {loading}
    </p>
  ) : undefined
  const sorted = table.getSortedRowModel().rows
  const originals = (some: typeof sorted) => some.map(({ original }) => original)
  const shared = { label, waiting, outdated, savedKey, keyOf: rowKey, actions: withActions ? actions : undefined }
  if (phone) {
    return (
      <Chooser selects={selects} all={rows} shown={originals(sorted)} filtered={holdsFiltered} phone>
        {(choosing) => (
          <>
            {!inSheet && <SortMenu sorting={sorting} />}
            <InList>
              <Cards rows={originals(sorted)} begin={top} footer={footer} {...{ ...shared, columns, choosing }} />
            </InList>
            {footing}
          </>
        )}
      </Chooser>
    )
  }
  return (
    <Chooser selects={selects} all={rows} shown={originals(shown)} filtered={holdsFiltered} aside={isAside}>
      {(choosing) => (
        <>
          <SortMenu sorting={sorting} className="hidden narrow:block" />
          <Rows
            table={table}
            rows={originals(shown)}
            columns={shownColumns}
            {...{ ...shared, choosing, opens, actionsOf, skeletonRows }}
          />
          {footing ??
            footer ??
            (shown.length < table.getRowModel().rows.length ? (
              <ShowAll count={rows.length} onClick={() => setWhole(true)} />
            ) : (
              paged && <TableFooter table={table} total={rows.length} />
            ))}
        </>
      )}
    </Chooser>
  )
}

interface ChooserProps<Row> {
  selects: Selects<Row> | undefined
  /** What the filters leave, and what is seen of it. */
  all: readonly Row[]
  shown: readonly Row[]
  filtered: boolean
  phone?: boolean
  aside?: boolean
  children: (choosing: Choosing<Row> | undefined) => ReactNode
}

/** The box of a list, with what is done with the chosen rows. */
function Chooser<Row>({ selects, all, shown, filtered, phone = false, aside = false, children }: ChooserProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const choosing = useChoosing(selects, all, shown)
  const onDrop = useDropChoice(choosing, box)
  return (
    <Box aside={aside} ref={box}>
      {choosing && <ChosenStatus choosing={choosing} />}
      {choosing && !phone && <ChooseBar {...{ choosing, filtered, onDrop }} />}
      {children(choosing)}
      {choosing && phone && <PhoneChooseBar {...{ choosing, filtered, onDrop }} />}
    </Box>
  )
}

/** Tells the panel the order of the rows and shows the page of the open one; whether the panel stands beside the list. */
function useAside<Row extends object>(table: RowTable<Row>, paged: boolean, panel: RowPanel | undefined): boolean {
  const sorted = table.getSortedRowModel().rows
  const order = useMemo(() => sorted.map(({ original }) => (original as { id: number }).id), [sorted])
  const { pageIndex: index, pageSize: size } = table.state.pagination
  useShownRow(panel, order, paged ? { index, size, onPage: table.setPageIndex } : undefined)
  return useMedia(BESIDE) && panel?.id !== undefined
}

/** Aside of a panel the rows stay rows, however narrow: without a container nothing asks for its width. */
const Box = ({ aside = false, ref, children }: { aside?: boolean; ref?: Ref<HTMLDivElement>; children: ReactNode }) => (
  <div
    ref={ref}
    data-aside={aside || undefined}
    className={cx('rounded-xl border bg-surface shadow-card', !aside && '@container')}
  >
    {children}
  </div>
)

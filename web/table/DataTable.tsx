import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { InList } from '#web/ui/dates.tsx'
import { EmptyState, ErrorState, type FailedQuery } from '#web/ui/EmptyState.tsx'
import { BESIDE } from '#web/ui/Panel.tsx'
import { useMedia } from '#web/ui/use-media.ts'
import { usePhone } from '#web/ui/use-phone.ts'
import { Cards } from './Cards.tsx'
import type { Column, RowAction } from './column.ts'
import { BodyRow, SkeletonRow } from './rows.tsx'
import { SortMenu } from './SortMenu.tsx'
import { ShowAll, TableFooter } from './TableFooter.tsx'
import { TableHead } from './TableHead.tsx'
import { type RowPanel, useShownRow } from './use-panel.ts'
import { type InitialSort, type RowTable, useRows } from './use-rows.ts'
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
  /** Rows open their details: where, and what the link of a row is called. */
  opens?: { panel: RowPanel; name: (row: Row) => string }
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
  top,
  footer,
}: Props<Row>) {
  const rows = useMemo(() => {
    const all = query.data ?? NONE
    // A malformed answer must not look like an empty list.
    if (!Array.isArray(all)) throw new TypeError('La respuesta del servidor no es una lista')
    return filter ? all.filter(filter) : all
  }, [query.data, filter])
  const table = useRows({ rows, columns, paged, initialSort, opens: opens?.panel.param })
  const isAside = useAside(table, paged, opens?.panel)
  const shownColumns = isAside ? columns.filter(({ spare }) => !spare) : columns
  const withActions = Boolean(actions) && !isAside
  const [isWhole, setWhole] = useState(top === undefined)
  const waiting = query.data === undefined && !query.isError
  const outdated = query.isPlaceholderData === true
  const shown = isWhole ? table.getRowModel().rows : table.getRowModel().rows.slice(0, top)
  const phone = usePhone()
  const savedKey = useSavedRow(rows, rowKey)
  const searching = filtered || rows.length < (query.data?.length ?? 0)

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
  const loadingLine = waiting && <LoadingLine>{loading}</LoadingLine>
  if (phone) {
    return (
      <Box>
        <SortMenu table={table} columns={columns} />
        <InList>
          <Cards
            rows={table.getSortedRowModel().rows.map(({ original }) => original)}
            keyOf={rowKey}
            begin={top}
            {...{ columns, label, actions, waiting, outdated, savedKey }}
            footer={footer}
          />
        </InList>
        {loadingLine}
      </Box>
    )
  }
  return (
    <Box aside={isAside}>
      <SortMenu table={table} columns={columns} className="hidden narrow:block" />
      {/* Between cards and full width the table scrolls within its own box; the page never does. */}
      <div className="@max-[60rem]:overflow-x-auto in-data-aside:overflow-x-auto">
        {/* Another `display` removes the roles of table elements, so they are written out. */}
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        <table role="table" aria-label={label} aria-busy={waiting || outdated} className="w-full narrow:block">
          <TableHead table={table} columns={shownColumns} withActions={withActions} />
          {/* Not for quick answers, which would flicker. */}
          <tbody role="rowgroup" className={cx('transition-opacity narrow:block', outdated && 'opacity-50 delay-200')}>
            <InList>
              {waiting
                ? Array.from({ length: skeletonRows }, (_, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: skeletons are all the same
                    <SkeletonRow key={index} columns={shownColumns} withActions={withActions} />
                  ))
                : shown.map(({ original }) => (
                    <BodyRow
                      key={rowKey(original)}
                      row={original}
                      columns={shownColumns}
                      actions={withActions ? actions?.(original) : undefined}
                      opens={opens}
                      isSaved={rowKey(original) === savedKey}
                    />
                  ))}
            </InList>
          </tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </div>
      {loadingLine ||
        (footer ??
          (shown.length < table.getRowModel().rows.length ? (
            <ShowAll count={rows.length} onClick={() => setWhole(true)} />
          ) : (
            paged && <TableFooter table={table} total={rows.length} />
          )))}
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

const LoadingLine = ({ children }: { children: ReactNode }) => (
  <p role="status" className="border-t px-4 py-3 text-muted">
    {children}
  </p>
)

/** Aside of a panel the rows stay rows, however narrow: without a container nothing asks for its width. */
const Box = ({ aside = false, children }: { aside?: boolean; children: ReactNode }) => (
  <div
    data-aside={aside || undefined}
    className={cx('rounded-xl border bg-surface shadow-card', !aside && '@container')}
  >
    {children}
  </div>
)

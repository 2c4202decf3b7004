import {
  createPaginatedRowModel,
  createSortedRowModel,
  functionalUpdate,
  rowPaginationFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { once } from '#contract/once.ts'
import type { Column } from './column.ts'
import { withoutRow } from './use-panel.ts'

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowPaginationFeature,
  paginatedRowModel: createPaginatedRowModel(),
})

const collator = once(() => new Intl.Collator('es-MX', { numeric: true, sensitivity: 'base' }))

type Sortable = string | number | undefined

/** Text as Spanish sorts it, numbers as numbers. */
const compare = (a: Sortable, b: Sortable): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator().compare(String(a ?? ''), String(b ?? ''))

export interface InitialSort {
  header: string
  desc?: boolean
}

interface Options<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  paged: boolean
  initialSort?: InitialSort | undefined
  /** The parameter of an address that opens a row. */
  opens?: string | undefined
}

/**
 * Changing the filters, which live in the address, or the order goes to the first page; reloading rows, as after a save,
 * stays on the page, and so does opening a row.
 */
function usePaging(rows: number, sorting: SortingState, opens = '') {
  const search = withoutRow(useLocation().search, opens)
  const [paging, setPaging] = useState({ pageIndex: 0, pageSize: 50, search, sorting })
  const { pageSize } = paging
  const last = Math.max(0, Math.ceil(rows / pageSize) - 1)
  const stays = paging.search === search && paging.sorting === sorting
  const pagination = { pageIndex: stays ? Math.min(paging.pageIndex, last) : 0, pageSize }
  return {
    pagination,
    setPagination: (next: typeof pagination) => setPaging({ ...next, search, sorting }),
  }
}

/** Sorting and paging of rows that are all here. */
export function useRows<Row extends object>({ rows, columns, paged, initialSort, opens }: Options<Row>) {
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.header,
        header: column.header,
        accessorFn: (row: Row): Sortable => column.sort?.(row) ?? undefined,
        enableSorting: Boolean(column.sort),
        sortUndefined: 'last' as const,
        sortFn: (a: { getValue: (id: string) => unknown }, b: { getValue: (id: string) => unknown }, id: string) =>
          compare(a.getValue(id) as Sortable, b.getValue(id) as Sortable),
      })),
    [columns],
  )
  const [sorting, setSorting] = useState<SortingState>(
    initialSort ? [{ id: initialSort.header, desc: initialSort.desc ?? false }] : [],
  )
  const { pagination, setPagination } = usePaging(rows.length, sorting, opens)
  return useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    state: { pagination, sorting },
    onSortingChange: setSorting,
    onPaginationChange: (change) => setPagination(functionalUpdate(change, pagination)),
    autoResetPageIndex: false,
    manualPagination: !paged,
    sortDescFirst: false,
  })
}
export type RowTable<Row extends object> = ReturnType<typeof useRows<Row>>

import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { once } from '#contract/once.ts'
import type { Column } from './column.ts'
import { type InitialSort, usePlace } from './use-place.ts'

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

interface Options<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  paged: boolean
  initialSort?: InitialSort | undefined
  /** The parameter of an address that opens a row. */
  opens?: string | undefined
  /** The address keeps the order and the page. */
  inAddress: boolean
}

/** Sorting and paging of rows that are all here. */
export function useRows<Row extends object>({ rows, columns, paged, initialSort, opens, inAddress }: Options<Row>) {
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
  const place = usePlace({ rows: rows.length, columns, initialSort, opens, inAddress })
  return useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    state: { pagination: place.pagination, sorting: place.sorting },
    onSortingChange: place.setSorting,
    onPaginationChange: place.setPagination,
    autoResetPageIndex: false,
    manualPagination: !paged,
    sortDescFirst: false,
  })
}
export type RowTable<Row extends object> = ReturnType<typeof useRows<Row>>

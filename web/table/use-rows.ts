import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column } from './column.ts'

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowPaginationFeature,
  paginatedRowModel: createPaginatedRowModel(),
})

const collator = new Intl.Collator('es-MX', { numeric: true, sensitivity: 'base' })

type Sortable = string | number | undefined

/** Text as Spanish sorts it, numbers as numbers. */
export const compare = (a: Sortable, b: Sortable): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a ?? ''), String(b ?? ''))

export interface InitialSort {
  header: string
  desc?: boolean
}

interface Options<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  paged: boolean
  initialSort?: InitialSort | undefined
}

/** Sorting and paging of rows that are all here. */
export function useRows<Row extends object>({ rows, columns, paged, initialSort }: Options<Row>) {
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
  return useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    initialState: {
      pagination: { pageIndex: 0, pageSize: 50 },
      sorting: initialSort ? [{ id: initialSort.header, desc: initialSort.desc ?? false }] : [],
    },
    manualPagination: !paged,
    sortDescFirst: false,
  })
}
export type RowTable<Row extends object> = ReturnType<typeof useRows<Row>>

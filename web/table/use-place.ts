import { functionalUpdate, type SortingState, type Updater } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { PAGE_SIZES } from '#web/ui/Pagination.tsx'
import { pageOf } from './address.ts'
import type { Column } from './column.ts'
import { useUrlFilters } from './use-url-filters.ts'

/** Where somebody is in a list whose rows are all here: its order, as '-Monto', its page, and how many rows that has. */
const PLACE = { orden: '', pagina: '1', filas: '50' }
type Place = typeof PLACE
/** What a list that begins with an order is told when it is to have none. */
const UNSORTED = '-'

/** What an address says of which rows there are, apart from which of them are seen. */
export function questionIn(search: string, opens: string): string {
  const params = new URLSearchParams(search)
  for (const name of [...Object.keys(PLACE), opens]) params.delete(name)
  return String(params)
}

/** In the address, where the list is found again; else only here, until other filters begin with the first page. */
function useKept(inAddress: boolean, opens: string): [Place, (changes: Partial<Place>) => void] {
  const question = questionIn(useLocation().search, opens)
  const address = useUrlFilters(PLACE)
  const [kept, setKept] = useState({ ...PLACE, question })
  if (inAddress) return [address.filters, address.change]
  const place = kept.question === question ? kept : { ...kept, pagina: PLACE.pagina }
  return [place, (changes) => setKept({ ...place, ...changes, question })]
}

export interface InitialSort {
  header: string
  desc?: boolean
}

interface Options<Row> {
  rows: number
  columns: readonly Column<Row>[]
  initialSort: InitialSort | undefined
  opens: string | undefined
  inAddress: boolean
}

/** The order and the page of a list. Another order begins with the first page; reloaded rows, as after a save, stay where they are. */
export function usePlace<Row>({ rows, columns, initialSort, opens = '', inAddress }: Options<Row>) {
  const [place, change] = useKept(inAddress, opens)
  const first = initialSort ? textOf(initialSort.header, initialSort.desc) : UNSORTED
  const text = place.orden || first
  const desc = text.startsWith('-')
  const id = desc ? text.slice(1) : text
  const isColumn = columns.some(({ header, sort }) => header === id && sort)
  const sorting = useMemo<SortingState>(() => (isColumn ? [{ id, desc }] : []), [isColumn, id, desc])
  const pageSize = PAGE_SIZES.find((size) => String(size) === place.filas) ?? Number(PLACE.filas)
  const last = Math.max(0, Math.ceil(rows / pageSize) - 1)
  const pagination = { pageIndex: Math.min(pageOf(place.pagina) - 1, last), pageSize }
  return {
    sorting,
    setSorting: (update: Updater<SortingState>) => {
      const [sort] = functionalUpdate(update, sorting)
      const next = sort ? textOf(sort.id, sort.desc) : UNSORTED
      change({ orden: next === first ? PLACE.orden : next, pagina: PLACE.pagina })
    },
    pagination,
    setPagination: (update: Updater<typeof pagination>) => {
      const next = functionalUpdate(update, pagination)
      // A panel asks for the page of its row, mostly this one: its step in the history stays what it was.
      if (next.pageIndex === pagination.pageIndex && next.pageSize === pageSize) return
      change({ pagina: String(next.pageIndex + 1), filas: String(next.pageSize) })
    },
  }
}

const textOf = (header: string, desc = false): string => `${desc ? '-' : ''}${header}`

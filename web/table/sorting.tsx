import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Option } from '#web/ui/option.ts'
import type { Column } from './column.ts'
import type { RowTable } from './use-rows.ts'

/** The orders of a list as a choice, for where it has no heads to click on. */
export interface Sorting {
  options: readonly Option[]
  value: string | null
  onChange: (choice: string) => void
}

interface Shared {
  sorting: Sorting | undefined
  publish: (sorting: Sorting | undefined) => void
  /** A sheet of filters takes the choice of orders in. */
  hasSheet: boolean
  setHasSheet: (has: boolean) => void
}

const Context = createContext<Shared | undefined>(undefined)

/** A screen, whose list and sheet of filters know of each other by it. */
export function SortingScope({ children }: { children: ReactNode }) {
  const [sorting, publish] = useState<Sorting>()
  const [hasSheet, setHasSheet] = useState(false)
  const shared = useMemo(() => ({ sorting, publish, hasSheet, setHasSheet }), [sorting, hasSheet])
  return <Context value={shared}>{children}</Context>
}

export function sortingOf<Row extends object>(table: RowTable<Row>, columns: readonly Column<Row>[]): Sorting {
  const sorted = table.state.sorting[0]
  return {
    options: columns
      .filter((column) => column.sort && !column.wideOnly)
      .flatMap(({ header }) => [
        { value: `asc:${header}`, label: `${header}, ascendente` },
        { value: `desc:${header}`, label: `${header}, descendente` },
      ]),
    value: sorted ? `${sorted.desc ? 'desc' : 'asc'}:${sorted.id}` : null,
    onChange: (choice) => {
      const [direction = 'asc', ...header] = choice.split(':')
      table.setSorting([{ id: header.join(':'), desc: direction === 'desc' }])
    },
  }
}

/** Hands the orders of a list to the sheet of filters while `isOn`; whether there is one. */
export function useSortingInSheet(sorting: Sorting, isOn: boolean): boolean {
  const { publish, hasSheet = false } = use(Context) ?? {}
  const isGiven = isOn && hasSheet && sorting.options.length > 0
  const what = JSON.stringify([sorting.options, sorting.value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sorting` is another object each time it is drawn
  useEffect(() => {
    if (!isGiven) return
    publish?.(sorting)
    return () => publish?.(undefined)
  }, [isGiven, what, publish])
  return isGiven
}

/** In the sheet of filters: the orders of the list beside it, if it has any. */
export function useSheetSorting(isSheet: boolean): Sorting | undefined {
  const { sorting, setHasSheet } = use(Context) ?? {}
  // Before anything is painted: the list would show the choice and take it back.
  useLayoutEffect(() => {
    if (!isSheet) return
    setHasSheet?.(true)
    return () => setHasSheet?.(false)
  }, [isSheet, setHasSheet])
  return sorting
}

import type { LucideIcon } from 'lucide-react'
import { useRef } from 'react'
import { BULK_MOST } from '#contract/bulk.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Nouns } from './nouns.ts'
import type { Selection } from './use-selection.ts'

/** What can be done with several rows of a list. */
export interface Selects<Row> {
  selection: Selection
  nouns: Nouns
  /** What the box of a row is for: 'Elegir Pago 41, …'. */
  name: (row: Row) => string
  sum?: (rows: readonly Row[]) => string
  /** One of `exports` of the contract, which takes the chosen ids. */
  exports: Endpoint
  actions?: readonly BulkAction<Row>[]
}

export interface BulkAction<Row> {
  label: string
  icon: LucideIcon
  onClick: (rows: readonly Row[]) => void
  disabledReason?: string | undefined
}

export type Choosing<Row> = NonNullable<ReturnType<typeof useChoosing<Row>>>

const idOf = (row: unknown): number => (row as { id: number }).id

type PageState = 'empty' | 'none' | 'some' | 'all'

function pageState(chosen: number, shown: number): PageState {
  if (shown === 0) return 'empty'
  if (chosen === 0) return 'none'
  return chosen === shown ? 'all' : 'some'
}

/** The chosen among `all` rows that the filters leave, in the order in which they are `shown`. */
export function useChoosing<Row>(selects: Selects<Row> | undefined, all: readonly Row[], shown: readonly Row[]) {
  const anchor = useRef<number>(undefined)
  if (!selects) return undefined
  const { ids, toggle, clear } = selects.selection
  const has = (row: Row) => ids.has(idOf(row))
  const chosen = all.filter(has)
  const onPage = shown.filter(has).length
  /** With Shift all from the row that was touched last up to this one. */
  const touch = (row: Row, withRange: boolean) => {
    const order = shown.map(idOf)
    const [from, to] = [anchor.current === undefined ? -1 : order.indexOf(anchor.current), order.indexOf(idOf(row))]
    const range = withRange && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [idOf(row)]
    anchor.current = idOf(row)
    toggle(range, !has(row))
  }
  return {
    ...selects,
    has,
    touch,
    chosen,
    clear,
    page: pageState(onPage, shown.length),
    togglePage: () => toggle(shown.map(idOf), onPage < shown.length),
    /** How many more there are to choose from. */
    most: Math.min(all.length, BULK_MOST),
    chooseMost: () => toggle(all.map(idOf), true),
  }
}

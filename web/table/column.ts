import { Eye, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Makes the column sortable by this value. ISO dates sort as text; decimal text must become a number. */
  sort?: (row: Row) => string | number | null | undefined
  /** Numbers and amounts stand to the right. */
  align?: 'right' | 'center'
  /** The whole text on hover, where the cell is cut; text cells need not say it. */
  title?: (row: Row) => string
  /** The widest the cell may be before it is cut, e.g. 'max-w-48'. */
  width?: string
  /** Cells that wrap instead of being cut. */
  wrap?: boolean
  /** Left out where there is little room. */
  secondary?: boolean
  /** Left out of the cards of small screens too. */
  wideOnly?: boolean
  /** Its part of a phone's card. A list that names no parts shows the first column and below it all others by name. */
  card?: CardPart
  /** What a card shows instead of the cell, where that holds more than a line. */
  brief?: (row: Row) => ReactNode
  /** Left out while a panel stands beside the list. */
  spare?: boolean
}

/** `start` stands before the rest; of `meta` there may be several, parted by dots; a `line` is one of its own, by name. */
export type CardPart = 'start' | 'title' | 'amount' | 'meta' | 'chip' | 'line'

export interface RowAction {
  label: string
  icon: LucideIcon
  onClick: () => void
  /** What a click on the whole row does; of several, the first. */
  opens?: boolean
  /** An icon in the row; without any the one that opens. What is rarer is behind '⋯'. */
  main?: boolean
  tone?: 'danger'
  disabled?: boolean
  disabledReason?: string | undefined
}

type More = Partial<RowAction>

export const viewAction = (onClick: () => void, more?: More): RowAction => ({
  label: 'Ver',
  icon: Eye,
  onClick,
  opens: true,
  ...more,
})
export const editAction = (onClick: () => void, more?: More): RowAction => ({
  label: 'Editar',
  icon: Pencil,
  onClick,
  opens: true,
  ...more,
})
export const deleteAction = (onClick: () => void, more?: More): RowAction => ({
  label: 'Eliminar',
  icon: Trash2,
  tone: 'danger',
  onClick,
  ...more,
})

/** For who may not change the rows, by the reason that they read; what opens a row is for all. */
export const refused = (actions: RowAction[], reason: string | undefined): RowAction[] =>
  reason ? actions.map((action) => (action.opens ? action : { ...action, disabledReason: reason })) : actions

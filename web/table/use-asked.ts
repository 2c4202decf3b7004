import { useCallback, useState } from 'react'
import { useUrlFilters } from './use-url-filters.ts'

/** The parameter of an address that opens a dialog of its screen. */
export const ASKED = 'abrir'
export const CREATE = 'nuevo'

const NOTHING = { [ASKED]: '' }

interface Asked {
  /** CREATE, the id of a row, or nothing. */
  asked: string
  /** Forgets it, when the dialog is closed. */
  forget: () => void
}

/** What the address asks a screen to open, so that other places can lead to a row or a form. */
export function useAsked(): Asked {
  const { filters, clear, active } = useUrlFilters(NOTHING)
  const forget = useCallback(() => {
    if (active) clear()
  }, [active, clear])
  return { asked: filters[ASKED] ?? '', forget }
}

/** The row whose details are open: the chosen one, else the one that the address names. */
export function useOpenRow<Row extends { id: number }>(rows: readonly Row[] | undefined) {
  const [chosen, show] = useState<Row>()
  const { asked, forget } = useAsked()
  const close = () => {
    show(undefined)
    forget()
  }
  return { open: chosen ?? rows?.find(({ id }) => String(id) === asked), show, close }
}

import { useCallback } from 'react'
import { useUrlFilters } from './use-url-filters.ts'

/** The parameter of an address that opens a dialog of its screen. */
export const ASKED = 'abrir'
export const CREATE = 'nuevo'

const NOTHING = { [ASKED]: '' }

interface Asked {
  /** CREATE, or nothing. */
  asked: string
  /** Forgets it, when the dialog is closed. */
  forget: () => void
}

/** What the address asks a screen to open, so that other places can lead to a form. */
export function useAsked(): Asked {
  const { filters, clear, active } = useUrlFilters(NOTHING)
  const forget = useCallback(() => {
    if (active) clear()
  }, [active, clear])
  return { asked: filters[ASKED] ?? '', forget }
}

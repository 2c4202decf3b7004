import { useCallback, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { BULK_MOST } from '#contract/bulk.ts'
import { questionIn } from './use-place.ts'

/** The rows of a list that something will be done with. */
export interface Selection {
  ids: ReadonlySet<number>
  /** Adds or takes away; beyond what one call can change, none is added. */
  toggle: (ids: readonly number[], on: boolean) => void
  clear: () => void
}

const NONE: ReadonlySet<number> = new Set()

/** Other filters or another page may leave out what was chosen, and nothing unseen is changed: they begin with none. */
export function useSelection(opens = ''): Selection {
  const question = questionIn(useLocation().search, opens)
  const [state, setState] = useState({ question, ids: NONE })
  const ids = state.question === question ? state.ids : NONE
  const toggle = useCallback(
    (some: readonly number[], on: boolean) =>
      setState((before) => {
        const known = before.question === question ? before.ids : NONE
        const left = on ? [...known, ...some] : [...known].filter((id) => !some.includes(id))
        return { question, ids: new Set([...new Set(left)].slice(0, BULK_MOST)) }
      }),
    [question],
  )
  const clear = useCallback(() => setState({ question, ids: NONE }), [question])
  return useMemo(() => ({ ids, toggle, clear }), [ids, toggle, clear])
}

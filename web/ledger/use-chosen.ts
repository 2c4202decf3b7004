import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

const NONE: ReadonlySet<number> = new Set()
let kept = { step: '', ids: NONE }

/** The ids that were ticked. Who reads a doubtful lead in between finds them again by going back. */
export function useChosen() {
  const { key } = useLocation()
  const [ids, setIds] = useState(() => (kept.step === key ? kept.ids : NONE))
  useEffect(() => {
    kept = { step: key, ids }
  }, [key, ids])
  return [ids, setIds] as const
}

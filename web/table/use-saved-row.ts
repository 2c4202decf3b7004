import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { saved } from '#web/api/saved.ts'

const SHOWN_MS = 2000
/** Later, a row that comes into sight is no news. */
const NEWS_MS = 10_000

/**
 * The key of the row just saved, for a moment, once the list has it as it is now. A list of other things that has a row of
 * the same id stays quiet, since that row did not change.
 */
export function useSavedRow<Row extends object>(rows: readonly Row[], keyOf: (row: Row) => string | number) {
  const last = useSyncExternalStore(saved.subscribe, saved.last, saved.last)
  const [shown, setShown] = useState<string | number>()
  const told = useRef(last)
  const before = useRef(rows)
  useEffect(() => {
    const find = (among: readonly Row[]) => among.find((row) => (row as { id?: unknown }).id === last?.id)
    const row = find(rows)
    if (last && told.current !== last && row && row !== find(before.current)) {
      told.current = last
      if (Date.now() - last.at < NEWS_MS) setShown(keyOf(row))
    }
    before.current = rows
  }, [last, rows, keyOf])
  useEffect(() => {
    if (shown === undefined) return
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}

import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { fetchTheRest, later } from '#web/ui/later-part.ts'

// Forms and zod by themselves: with the schemas of a dialog they would hold up a slow phone for twice as long.
later(() => import('#web/form/DialogForm.tsx'))

const QUIET_MS = 300

/** Once the screen shows what it came for, what it may need next is fetched: dialogs, menus, calendars. */
export function SpareTime() {
  const busy = useIsFetching() > 0
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen has other parts
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => void fetchTheRest(), QUIET_MS)
    return () => clearTimeout(timer)
  }, [busy, pathname])
  return null
}

import { useCallback, useSyncExternalStore } from 'react'

const unasked = () => false

/** Whether the window matches a media query, now and after every change; where there is no window, as in tests, none does. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches, unasked)
}

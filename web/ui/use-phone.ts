import { useSyncExternalStore } from 'react'

const query = () => matchMedia('(width < 40rem)')

function subscribe(changed: () => void) {
  const phone = query()
  phone.addEventListener('change', changed)
  return () => phone.removeEventListener('change', changed)
}

/** Narrower than 640 px, where lists are cards and filters a sheet; the same width as `sm:` of the styles. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => query().matches)

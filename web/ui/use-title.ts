import { useEffect } from 'react'

/** Sets the window title; index.html has one for readers without scripts. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Afluente`
  }, [title])
}

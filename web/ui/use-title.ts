import { useEffect } from 'react'

/** Names the window. The title of index.html stays for whoever reads it without running scripts. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Afluente`
  }, [title])
}

const KEY = 'theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

export type Theme = 'light' | 'dark' | 'system'

const listeners = new Set<() => void>()

/** The choice of the person; public/theme.js applies it before the first paint. */
export const theme = {
  choice(): Theme {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  },
  shown: (): 'light' | 'dark' => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'),
  choose(choice: Theme) {
    localStorage.setItem(KEY, choice)
    apply()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function apply() {
  const choice = theme.choice()
  document.documentElement.dataset.theme = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
  for (const listener of listeners) listener()
}

dark.addEventListener('change', apply)
// Another tab of the same browser may have chosen.
addEventListener('storage', (event) => event.key === KEY && apply())

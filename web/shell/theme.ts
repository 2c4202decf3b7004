const KEY = 'theme'

export type Theme = 'light' | 'dark' | 'system'

const listeners = new Set<() => void>()

const systemDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The choice of the person; public/before-paint.js applies it before the first paint. */
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
  /** Called once: listens to the system's theme and to other tabs. */
  follow() {
    systemDark().addEventListener('change', apply)
    addEventListener('storage', (event) => event.key === KEY && apply())
  },
}

function apply() {
  const choice = theme.choice()
  document.documentElement.dataset.theme = choice === 'system' ? (systemDark().matches ? 'dark' : 'light') : choice
  for (const listener of listeners) listener()
}

const KEY = 'density'

type Density = 'compact' | 'comfortable'

const listeners = new Set<() => void>()

/** How high the rows of all lists are; a finger gets the higher ones until something else is chosen. */
export const density = {
  choice(): Density {
    const stored = localStorage.getItem(KEY)
    if (stored === 'compact' || stored === 'comfortable') return stored
    return matchMedia('(pointer: coarse)').matches ? 'comfortable' : 'compact'
  },
  choose(choice: Density) {
    localStorage.setItem(KEY, choice)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

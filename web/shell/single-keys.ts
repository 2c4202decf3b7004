const KEY = 'singleKeys'

const listeners = new Set<() => void>()

/** Whether one key alone may do something, which who dictates must be able to turn off (WCAG 2.1.4). */
export const singleKeys = {
  areOn: (): boolean => localStorage.getItem(KEY) !== 'off',
  turn(on: boolean) {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

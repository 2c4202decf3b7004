/** The row that was saved last, for the lists that show it. */
interface Saved {
  id: number
  at: number
}

let last: Saved | undefined
const listeners = new Set<() => void>()

export const saved = {
  last: (): Saved | undefined => last,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** The first of these that has an id; where none has one, as after a deletion, nothing is marked. */
  mark(...answers: unknown[]) {
    const ids = answers.map((answer) => (answer as { id?: unknown } | null | undefined)?.id)
    const id = ids.find((each) => typeof each === 'number')
    if (id === undefined) return
    last = { id, at: Date.now() }
    for (const listener of listeners) listener()
  },
}

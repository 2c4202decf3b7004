/** Asks the person who they are; true when the server has been shown it. */
type Asker = () => Promise<boolean>

let asker: Asker | undefined
let asking: Promise<boolean> | undefined

/** Between the calls, which learn that a confirmation is needed, and the dialog, which gets it. */
export const elevation = {
  answerBy(next: Asker): () => void {
    let leave: (confirmed: false) => void = () => undefined
    const left = new Promise<false>((resolve) => {
      leave = resolve
    })
    const ask: Asker = () => Promise.race([next(), left])
    asker = ask
    return () => {
      if (asker === ask) asker = undefined
      // Nobody answers a dialog that went with its screen, and later calls would share the question for ever.
      leave(false)
    }
  },
  /** Calls at the same time share one question. */
  ask(): Promise<boolean> {
    asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
      asking = undefined
    })
    return asking
  },
}

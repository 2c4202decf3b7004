/** Asks the person who they are; true when the server has been shown it. */
type Asker = () => Promise<boolean>

let asker: Asker | undefined
let asking: Promise<boolean> | undefined

/** Between the calls, which learn that a confirmation is needed, and the dialog, which gets it. */
export const elevation = {
  answerBy(next: Asker): () => void {
    asker = next
    return () => {
      if (asker === next) asker = undefined
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

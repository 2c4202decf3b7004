export type InTurn = <T>(job: () => Promise<T>) => Promise<T>

/** Runs jobs one after another, in the order in which they are given. */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job)
    // The next job starts whatever the outcome of this one, which its own caller handles.
    last = result.catch(() => undefined)
    return result
  }
}

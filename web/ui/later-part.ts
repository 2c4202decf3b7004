import { useSyncExternalStore } from 'react'

/** What may come later and has not been fetched yet. */
const unfetched = new Set<() => Promise<void>>()

/**
 * For a spare moment, one after the other: all at once they would hold up a slow phone for long. What cannot be had then is
 * no matter until somebody asks for it, who is told.
 */
export async function fetchTheRest(): Promise<void> {
  for (const fetch of unfetched) await fetch().catch(() => undefined)
}

export interface Later<Part> {
  fetch: () => Promise<void>
  /** Undefined until it is there. */
  usePart: () => Part | undefined
}

/** A part that the first paint of a screen does without: fetched in a spare moment, or when it is asked for. */
export function later<Part>(load: () => Promise<Part>): Later<Part> {
  let part: Part | undefined
  let coming: Promise<void> | undefined
  const listeners = new Set<() => void>()
  async function begin() {
    part ??= await load()
    unfetched.delete(fetch)
    for (const tell of listeners) tell()
  }
  const fetch = () => {
    coming ??= begin().finally(() => {
      coming = undefined
    })
    return coming
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  unfetched.add(fetch)
  return {
    fetch,
    usePart: () =>
      useSyncExternalStore(
        subscribe,
        () => part,
        () => undefined,
      ),
  }
}

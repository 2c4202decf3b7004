/** Aborted with the first of these: `AbortSignal.any`, which Chrome knows since 116 and Safari since 17.4 (D92). */
export function anyOf(signals: AbortSignal[]): AbortSignal {
  const either = new AbortController()
  for (const signal of signals) {
    const abort = () => either.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: either.signal })
  }
  return either.signal
}

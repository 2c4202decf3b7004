import type { Client } from '#bench/journal/client.ts'

/**
 * A short run shares its machine with other tests. While such a machine stalls, the gate closes new connections before
 * it reads them, and a disk that hangs for seconds refuses clicks with a 503: as promised, and no fault of what is broken
 * here.
 */
const isStall = (client: Client, outcome: string): boolean =>
  outcome === 'reset' || (outcome === '503' && client.stalledMs > 0)

export const refusedClicks = (client: Client, short: boolean): number =>
  client.failed.filter(({ kind, outcome }) => kind === 'click' && !(short && isStall(client, outcome))).length

/** Whether every unserved request got a refusal with Retry-After. */
export const onlyUnavailable = (client: Client, short = false): boolean =>
  client.failed.every(({ outcome }) => outcome === '503' || outcome === '429' || (short && outcome === 'reset'))

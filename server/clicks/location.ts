import { randomUUIDv7 } from 'node:crypto'
import { destination } from '#contract/products.ts'
import type { Target } from './targets.ts'

/** A sample id. All ids use the same characters, so an address that is valid with one is valid with all. */
const ANY_ID = randomUUIDv7()

/** The text around the ids in each target's address. */
const cachedParts = new WeakMap<Target, string[]>()

/** Where a click goes. Throws when a link must not lead to the stored address. */
export function locationOf(target: Target, trackingId: string): string {
  let parts = cachedParts.get(target)
  if (!parts) {
    parts = addressOf(target).split(ANY_ID)
    cachedParts.set(target, parts)
  }
  return parts.join(trackingId)
}

/** Headers are ASCII, so other characters are percent-encoded; the origin must stay the stored one. */
function addressOf({ redirect_url }: Target): string {
  const location = destination(redirect_url, ANY_ID).replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  const [stored, actual] = [URL.parse(redirect_url), URL.parse(location)]
  if (!stored || !actual || !/^https?:$/.test(actual.protocol) || stored.origin !== actual.origin)
    throw new Error(`The stored target leads to another origin: ${stored?.origin} became ${actual?.origin}`)
  return location
}

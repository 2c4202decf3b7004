import { randomUUIDv7 } from 'node:crypto'
import { destination } from '#contract/products.ts'
import type { Target } from './targets.ts'

/** Stands for the lead's id. Ids are all of the same letters, so that what is true of one address is true of all. */
const ANY_ID = randomUUIDv7()

/** What comes before, between and after the ids in the address of each target. */
const remembered = new WeakMap<Target, string[]>()

/** Where a click goes. Throws when the stored address is not one that a link may lead to. */
export function locationOf(target: Target, trackingId: string): string {
  let parts = remembered.get(target)
  if (!parts) {
    parts = addressOf(target).split(ANY_ID)
    remembered.set(target, parts)
  }
  return parts.join(trackingId)
}

/** A header holds ASCII alone, so other letters go percent-encoded; the origin must stay the stored one. */
function addressOf({ redirect_url }: Target): string {
  const location = destination(redirect_url, ANY_ID).replace(/[^\x21-\x7e]+/g, encodeURIComponent)
  const [stored, actual] = [URL.parse(redirect_url), URL.parse(location)]
  if (!stored || !actual || !/^https?:$/.test(actual.protocol) || stored.origin !== actual.origin)
    throw new Error(`The stored target leads to another origin: ${stored?.origin} became ${actual?.origin}`)
  return location
}

import { randomUUIDv7 } from 'node:crypto'

/** The time of an id in ms since 1970, with which a UUID of version 7 begins (RFC 9562, 5.7). */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Clicks only get ids of version 7. */
export const isOfClick = (id: string): boolean => id[14] === '7'

/** An id of a click at that moment. `random` replaces its random part. */
export function idAt(moment: string | number | Date, random: string = randomUUIDv7().slice(14)): string {
  const digits = new Date(moment).getTime().toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-${random}`
}

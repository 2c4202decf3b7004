import { randomUUIDv7 } from 'node:crypto'

/** Milliseconds since 1970 at which an id was made: a UUID of version 7 begins with them (RFC 9562, 5.7). */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Ids of other versions were never given to a click. */
export const isOfClick = (id: string): boolean => id[14] === '7'

/** An id as a click of that moment has it. `random` takes the place of chance. */
export function idAt(moment: string | number | Date, random: string = randomUUIDv7().slice(14)): string {
  const digits = new Date(moment).getTime().toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-${random}`
}

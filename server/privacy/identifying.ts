import { maskPrivate } from './mask.ts'

const EMAIL = /[^\s@]+(?:@|%40)[^\s@]+\.[a-z]{2,}/i
/** Ten digits, of Mexico if they say so; none begins with a 1, as moments in seconds do. */
const PHONE = /(?<!\d)(?:\+?52[ .-]?)?1?[ (]{0,2}[2-9](?:\d[ ).-]{0,2}\d{4}|\d{2}[ ).-]{0,2}\d{3})[ .-]?\d{4}(?!\d)/
const RFC_OF_PERSON = /(?<![A-ZÑ&])[A-ZÑ&]{4}\d{6}[A-Z0-9]{3}(?![A-Z0-9])/i

/** Whether an id that somebody else gave seems to tell who a person is, known here as `reference`. */
export const isIdentifying = (id: string, reference: string): boolean =>
  (reference !== '' && id.toLowerCase().includes(reference.toLowerCase())) ||
  [EMAIL, PHONE, RFC_OF_PERSON].some((shape) => shape.test(id)) ||
  maskPrivate(id, () => undefined) !== id

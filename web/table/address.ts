/** What an address may hold, as the calls take it; by hand, since lists show their rows before their schemas come. */

export const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

export const isPage = (text: string): boolean => /^0*[1-9]\d{0,11}$/.test(text)

/** The first one where it is none. */
export const pageOf = (text: string): number => (isPage(text) ? Number(text) : 1)

/** Whether it is one of the values that have these labels. */
export const isOneOf = (labels: object, text: string): boolean => Object.hasOwn(labels, text)

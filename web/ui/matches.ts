const MARKS = /\p{M}/gu

/** Lower case without accents: 'México' and 'mexico' are the same search. */
const fold = (text: string): string => text.normalize('NFD').replace(MARKS, '').toLowerCase()

/** Every word of the search stands in some field, whatever the case and the accents. */
export function matches(words: string, fields: readonly (string | number | null | undefined)[]): boolean {
  const text = fields.map((field) => fold(String(field ?? ''))).join('\n')
  return fold(words)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

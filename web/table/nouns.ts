import { counted, formatNumber } from '#web/ui/format.ts'

/** What the rows of a list are. */
export interface Nouns {
  one: string
  many: string
  the: 'los' | 'las'
}

export const countOf = (count: number, { one, many }: Nouns): string => counted(count, one, many)

/** 'Se actualizaron 12 pagos' */
export const updatedText = (count: number, nouns: Nouns): string =>
  `${count === 1 ? 'Se actualizó' : 'Se actualizaron'} ${countOf(count, nouns)}`

/** 'Se actualizaron 11 de 12' */
export const partlyText = (count: number, of: number): string =>
  count === 0
    ? `No se actualizó ${of === 1 ? 'nada' : `nada de ${formatNumber(of)}`}`
    : `${count === 1 ? 'Se actualizó' : 'Se actualizaron'} ${formatNumber(count)} de ${formatNumber(of)}`

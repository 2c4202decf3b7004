import type { CardPart, Column } from './column.ts'

/** The columns of a list by the part of the card that they are. */
export type CardParts<Row> = { title: Column<Row> } & Partial<Record<'start' | 'amount' | 'chip', Column<Row>>> &
  Record<'meta' | 'lines', readonly Column<Row>[]>

export function cardParts<Row>(columns: readonly Column<Row>[]): CardParts<Row> {
  const [first, ...rest] = columns
  if (!first) throw new Error('A list has a column at least')
  const of = (part: CardPart) => columns.find(({ card }) => card === part)
  const [start, title, amount, chip] = [of('start'), of('title'), of('amount'), of('chip')]
  return {
    title: title ?? first,
    ...(start && { start }),
    ...(amount && { amount }),
    ...(chip && { chip }),
    meta: columns.filter(({ card }) => card === 'meta'),
    lines: title ? columns.filter(({ card }) => card === 'line') : rest.filter(({ wideOnly }) => !wideOnly),
  }
}

import { TIME_ZONE } from '#contract/time.ts'

/** What a column holds decides how it is written: text is never a number or a formula, money always has two decimals. */
export type Kind = 'text' | 'number' | 'money' | 'day' | 'moment'

export interface Column<Row> {
  head: string
  kind: Kind
  value: (row: Row) => string | number | null | undefined
}

const columnOf =
  (kind: Kind) =>
  <Row>(head: string, value: Column<Row>['value']): Column<Row> => ({ head, kind, value })

export const text = columnOf('text')
export const number = columnOf('number')
/** Decimal text, e.g. "1500.00". */
export const money = columnOf('money')
/** yyyy-MM-dd. */
export const day = columnOf('day')
/** ISO with Z. */
export const moment = columnOf('moment')

// Swedish happens to write yyyy-MM-dd HH:mm.
const clock = new Intl.DateTimeFormat('sv-SE', {
  ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
  timeZone: TIME_ZONE,
})

/** `yyyy-MM-dd HH:mm` as a clock in Mexico City showed it. */
export const inMexico = (iso: string): string => clock.format(new Date(iso))

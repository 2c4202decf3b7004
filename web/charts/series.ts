/** What is drawn for one figure of every row. The colours also differ in lightness (web/styles.css). */
export interface Series<Row> {
  name: string
  kind: 'line' | 'bar'
  color: 1 | 2 | 3 | 4 | 5 | 6
  /** Nothing is drawn where it is undefined. */
  value: (row: Row) => number | undefined
  /** The exact figure, as the tooltip says it. */
  text: (row: Row) => string
  dashed?: boolean
  /** Bars of one stack stand on each other. */
  stack?: string
  /** All of it is drawn hollow, since none of it is final: bars, or points joined to nothing. */
  hollow?: boolean
  /** Drawn hollow: not final yet. */
  faint?: (row: Row) => boolean
  /** Measured on the right. */
  onRight?: boolean
}

export interface ChartProps<Row> {
  /** What the picture shows, in a sentence; its figures stand in the table below it. */
  label: string
  rows: readonly Row[]
  /** Below the axis, short; and over the tooltip, in full. */
  tick: (row: Row) => string
  title: (row: Row) => string
  series: readonly Series<Row>[]
  /** How the axes write a figure. */
  axis: (value: number) => string
  rightAxis?: (value: number) => string
}

export const colorOf = ({ color }: { color: number }): string => `var(--chart-${color})`

/** The colours of figures that are no state of money; those are in web/states/looks.ts. */
export const FIGURE = 'var(--chart-1)'
export const BEFORE = 'var(--chart-2)'

/** What is drawn for one figure of every row. */
export interface Series<Row> {
  name: string
  kind: 'line' | 'area' | 'bar'
  /** As CSS has it. */
  color: string
  hatched?: boolean
  /** Nothing is drawn where it is undefined. */
  value: (row: Row) => number | undefined
  /** The exact figure, as the tooltip says it. */
  text: (row: Row) => string
  dashed?: boolean
  /** Bars of one stack stand on each other. */
  stack?: string
  /** The rows that are not final, drawn hollow and dashed, and what the legend calls them. */
  unfinished?: { name: string; is: (row: Row) => boolean }
  /** Measured on the right. */
  onRight?: boolean
}

export interface ChartProps<Row> {
  /** What the picture shows, in a sentence; its figures stand in the table below it. */
  label: string
  rows: readonly Row[]
  /** The day of a row, or its first one. */
  day: (row: Row) => string
  /** Over the tooltip. */
  title: (row: Row) => string
  series: readonly Series<Row>[]
  /** How the axes write a figure. */
  axis: (value: number) => string
  rightAxis?: (value: number) => string
}

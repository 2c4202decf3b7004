import { getNiceTickValues } from 'recharts'
import type { Series } from './series.ts'

const TICKS = 4

/** From zero, lest small changes look large; below it as far as something is drawn, not a whole step. */
export function axisOf<Row>(rows: readonly Row[], series: readonly Series<Row>[]) {
  const [least, most] = extentOf(rows, series)
  const ticks = getNiceTickValues([least, most], TICKS, false)
  return { domain: [least, ticks.at(-1) ?? most], ticks: ticks.filter((tick) => tick >= least) }
}

/** Where the lowest and the highest of what is measured on the left end; what is stacked ends where its stack does. */
function extentOf<Row>(rows: readonly Row[], series: readonly Series<Row>[]): [least: number, most: number] {
  const left = series.filter(({ onRight }) => !onRight)
  const ends = rows.flatMap((row) => {
    const sums = new Map<string, number>()
    for (const { name, stack, value } of left) {
      const figure = value(row) ?? 0
      const key = `${stack ?? name} ${Math.sign(figure)}`
      sums.set(key, (sums.get(key) ?? 0) + figure)
    }
    return [...sums.values()]
  })
  return ends.reduce<[number, number]>(([least, most], end) => [Math.min(least, end), Math.max(most, end)], [0, 0])
}

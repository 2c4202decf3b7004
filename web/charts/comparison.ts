import type { Comparison, Period } from '#contract/periods.ts'
import { dateInMexico } from '#contract/time.ts'
import { formatPeriod } from '#web/ui/format.ts'

/** '1–22 nov', '28 sep – 4 oct'; with the years where a day is of another than this one. */
export function rangeText({ from, to }: Period, today: string = dateInMexico()): string {
  const isOfThisYear = [from, to].every((day) => day.slice(0, 4) === today.slice(0, 4))
  return formatPeriod(from, to, !isOfThisYear) ?? `${from} – ${to}`
}

/** '1–22 nov frente a 1–22 oct: $73,190.00'; with a time where neither day counts beyond it. */
export function comparisonText(
  { period, previous_period }: Comparison,
  previous: string,
  until: string | null = null,
): string {
  const time = until === null ? '' : `, ambos hasta las ${until}`
  return `${rangeText(period)} frente a ${rangeText(previous_period)}${time}: ${previous}`
}

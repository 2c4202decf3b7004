import type { Comparison, Period } from '#contract/periods.ts'
import { dateInMexico } from '#contract/time.ts'

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** '1–22 nov', '28 sep – 4 oct'; with the years where a day is of another than this one. */
export function rangeText({ from, to }: Period, today: string = dateInMexico()): string {
  const [first, last] = [partsOf(from), partsOf(to)]
  const isOfThisYear = first.year === last.year && last.year === today.slice(0, 4)
  const year = isOfThisYear ? '' : ` ${last.year}`
  if (first.month === last.month && first.year === last.year)
    return `${from === to ? last.day : `${first.day}–${last.day}`} ${last.month}${year}`
  const firstYear = first.year === last.year ? '' : ` ${first.year}`
  return `${first.day} ${first.month}${firstYear} – ${last.day} ${last.month}${year}`
}

const partsOf = (day: string) => ({
  year: day.slice(0, 4),
  month: MONTHS[Number(day.slice(5, 7)) - 1] ?? '',
  day: Number(day.slice(8)),
})

/** '1–22 nov frente a 1–22 oct: $73,190.00'; with a time where neither day counts beyond it. */
export function comparisonText(
  { period, previous_period }: Comparison,
  previous: string,
  until: string | null = null,
): string {
  const time = until === null ? '' : `, ambos hasta las ${until}`
  return `${rangeText(period)} frente a ${rangeText(previous_period)}${time}: ${previous}`
}

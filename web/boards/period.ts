import { DEFAULT_DAYS, lastDays, type Period, periodProblem } from '#contract/boards.ts'
import { addDays, dateInMexico, firstOfMonth } from '#contract/time.ts'

/** The filters as the address holds them. */
export const NO_FILTERS = { periodo: '30', desde: '', hasta: '', product_id: '', issuer_id: '', affiliate_id: '' }
export type Filters = typeof NO_FILTERS

export const CUSTOM = 'otro'

export const periodOptions = [
  { value: '7', label: 'Últimos 7 días' },
  { value: '30', label: 'Últimos 30 días' },
  { value: '90', label: 'Últimos 90 días' },
  { value: 'mes', label: 'Este mes' },
  { value: 'mes-anterior', label: 'Mes anterior' },
  { value: 'anio', label: 'Este año' },
  { value: CUSTOM, label: 'Otro periodo' },
]

/** A typed address may hold anything; an invalid period becomes the last thirty days. */
export function periodOf({ periodo, desde: from, hasta: to }: Filters, today: string = dateInMexico()): Period {
  const month = firstOfMonth(today)
  const monthBefore = addDays(month, -1)
  switch (periodo) {
    case '7':
    case '90':
      return lastDays(Number(periodo), today)
    case 'mes':
      return { from: month, to: today }
    case 'mes-anterior':
      return { from: firstOfMonth(monthBefore), to: monthBefore }
    case 'anio':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
    case CUSTOM:
      if (isDay(from) && isDay(to) && !periodProblem({ from, to })) return { from, to }
  }
  return lastDays(DEFAULT_DAYS, today)
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text

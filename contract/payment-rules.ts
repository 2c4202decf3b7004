import type { z } from 'zod'
import { dateInMexico } from './time.ts'

export const CALCULATION_INCOMPLETE = 'Envía juntas la suma y la última comisión del cálculo'

interface Totals {
  period_start?: string | undefined
  period_end?: string | undefined
  total_leads?: number | undefined
  total_conversions?: number | undefined
  entries_amount?: string | undefined
  upto?: number | undefined
}

interface Rule {
  path: keyof Totals
  message: string
  /** False where a field it needs is missing or not readable yet. */
  broken: (payment: Totals) => boolean
}

const bothAre = <T>(type: string, a: T | undefined, b: T | undefined): boolean => typeof a === type && typeof b === type

/** D42 and the specification's section 5. "Today" is Mexico City's. */
const rules: Rule[] = [
  {
    path: 'period_start',
    message: 'La fecha de inicio no puede ser futura',
    broken: ({ period_start: start }) => typeof start === 'string' && start > dateInMexico(),
  },
  {
    path: 'period_end',
    message: 'La fecha de fin debe ser posterior a la fecha de inicio',
    broken: ({ period_start: start, period_end: end }) =>
      bothAre('string', start, end) && end !== '' && String(end) <= String(start),
  },
  {
    path: 'period_end',
    message: 'La fecha de fin no puede ser futura',
    broken: ({ period_end: end }) => typeof end === 'string' && end > dateInMexico(),
  },
  {
    path: 'total_conversions',
    message: 'Las conversiones no pueden ser mayores que los leads',
    broken: ({ total_leads: leads, total_conversions: conversions }) =>
      bothAre('number', leads, conversions) && Number(conversions) > Number(leads),
  },
  {
    path: 'entries_amount',
    message: CALCULATION_INCOMPLETE,
    broken: ({ entries_amount: sum, upto }) => sum === undefined && upto !== undefined,
  },
]

export const paymentProblems = (payment: Totals): Rule[] => rules.filter((rule) => rule.broken(payment))

/** The rules speak even while other fields are still wrong, so that a form says all it has to say at once. */
export const consistent = <S extends z.ZodType<Totals>>(schema: S): S =>
  rules.reduce(
    (checked, { path, message, broken }) =>
      checked.refine((payment) => !broken(payment as Totals), {
        path: [path],
        message,
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    schema,
  )

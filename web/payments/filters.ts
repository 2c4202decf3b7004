import { once } from '#contract/once.ts'
import type { Payment } from '#contract/payments.ts'
import { matches } from '#web/ui/matches.ts'
import { type Option, optionsByName } from '#web/ui/option.ts'
import { statusOptions } from './PaymentParts.tsx'

export const ALL = 'todos'
export const statuses: Option[] = [{ value: ALL, label: 'Todos los estados' }, ...statusOptions]

/** The filters of all screens; each has some of them. */
export interface Filters {
  q: string
  emisor: string
  afiliado: string
  anio: string
  mes: string
  estado: string
}

const yearOf = (payment: Payment): string => payment.period_start.slice(0, 4)
const monthOf = (payment: Payment): string => payment.period_start.slice(5, 7)

export const passes = (payment: Payment, { q, emisor, afiliado, anio, mes, estado }: Partial<Filters>): boolean =>
  (!emisor || payment.issuer === Number(emisor)) &&
  (!afiliado || payment.affiliate === Number(afiliado)) &&
  (chosen(anio) === '' || yearOf(payment) === anio) &&
  (chosen(mes) === '' || monthOf(payment) === mes) &&
  (chosen(estado) === '' || payment.payment_status === estado) &&
  matches(q ?? '', [payment.affiliate_name])

/** The years in which payments begin, latest first. */
export const yearOptions = (payments: readonly Payment[]): Option[] => [
  { value: ALL, label: 'Todos los años' },
  ...distinct(payments.map(yearOf))
    .reverse()
    .map((year) => ({ value: year, label: year })),
]

/** The months in which payments begin, as the calendar has them. */
export const monthOptions = (payments: readonly Payment[]): Option[] => [
  { value: ALL, label: 'Todos los meses' },
  ...distinct(payments.map(monthOf)).map((month) => ({ value: month, label: monthName(month) })),
]

/** From the payments themselves: a company that is gone still paid or was paid. */
export const issuerOptions = (payments: readonly Payment[]): Option<number>[] =>
  optionsByName(payments.map((payment) => [payment.issuer, payment.issuer_name]))

export const affiliateOptions = (payments: readonly Payment[]): Option<number>[] =>
  optionsByName(payments.map((payment) => [payment.affiliate, payment.affiliate_name]))

const distinct = (values: string[]): string[] => [...new Set(values)].sort()

const name = once(() => new Intl.DateTimeFormat('es-MX', { month: 'long', timeZone: 'UTC' }))

function monthName(month: string): string {
  const text = name().format(Date.UTC(2000, Number(month) - 1))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const chosen = (value = ALL): string => (value === ALL ? '' : value)

/** The same filters as the export names them. */
export const exportOf = ({ q, emisor, afiliado, anio, mes, estado }: Partial<Filters>) => ({
  search: q,
  issuer: emisor,
  affiliate: afiliado,
  year: chosen(anio),
  month: chosen(mes),
  payment_status: chosen(estado),
})

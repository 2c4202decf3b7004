import { expect, test } from 'vitest'
import type { Payment } from '#contract/payments.ts'
import {
  affiliateOptions,
  exportOf,
  type Filters,
  issuerOptions,
  monthOptions,
  passes,
  yearOptions,
} from './filters.ts'

const payment = (change: Partial<Payment>) =>
  ({
    ...{ affiliate: 1, affiliate_name: 'Comparador Núñez', issuer: 2, issuer_name: 'Banco Río' },
    ...{ period_start: '2025-03-01', payment_status: 'paid' },
    ...change,
  }) as Payment
const [march, november, other] = [
  payment({}),
  payment({ period_start: '2024-11-01', payment_status: 'pending' }),
  payment({ affiliate: 3, affiliate_name: 'Portal Sur', issuer: 4, issuer_name: 'Alba', payment_status: 'cancelled' }),
]
const all = [march, november, other]

test.each<[Partial<Filters>, Payment[]]>([
  [{}, all],
  [{ emisor: '', afiliado: '', anio: 'todos', mes: 'todos', estado: 'todos', q: '' }, all],
  [{ emisor: '2' }, [march, november]],
  [{ afiliado: '3' }, [other]],
  [{ anio: '2024' }, [november]],
  [{ mes: '03' }, [march, other]],
  [{ mes: '03', emisor: '2' }, [march]],
  [{ anio: '2024', mes: '03' }, []],
  [{ estado: 'cancelled' }, [other]],
  [{ q: 'nunez comparador' }, [march, november]],
  [{ emisor: '999' }, []],
])('%j leaves the payments that pass all of it', (filters, left) => {
  expect(all.filter((each) => passes(each, filters))).toEqual(left)
})

test('years and months are those in which payments begin, the companies those that paid or were paid', () => {
  const labels = (options: { label: string }[]) => options.map(({ label }) => label)
  expect(labels(yearOptions(all))).toEqual(['Todos los años', '2025', '2024'])
  expect(labels(monthOptions(all))).toEqual(['Todos los meses', 'Marzo', 'Noviembre'])
  expect(labels(issuerOptions(all))).toEqual(['Alba', 'Banco Río'])
  expect(labels(affiliateOptions(all))).toEqual(['Comparador Núñez', 'Portal Sur'])
})

test('the file is narrowed like the list', () => {
  expect(exportOf({ q: 'sur', emisor: '2', anio: '2024', mes: 'todos', estado: 'paid' })).toEqual({
    ...{ search: 'sur', issuer: '2', affiliate: undefined, year: '2024', month: '', payment_status: 'paid' },
  })
})

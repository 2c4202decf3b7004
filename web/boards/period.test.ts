import { expect, test } from 'vitest'
import { NO_FILTERS, periodOf, periodOptions } from './period.ts'

const TODAY = '2025-03-04' // a Tuesday
const YESTERDAY = '2025-03-03'

test.each([
  ['hoy', '', '', TODAY, TODAY],
  ['ayer', '', '', YESTERDAY, YESTERDAY],
  ['semana', '', '', '2025-03-03', TODAY],
  ['semana-pasada', '', '', '2025-02-24', '2025-03-02'],
  ['mes', '', '', '2025-03-01', TODAY],
  ['mes-anterior', '', '', '2025-02-01', '2025-02-28'],
  ['7', '', '', '2025-02-25', YESTERDAY],
  ['30', '', '', '2025-02-02', YESTERDAY],
  ['90', '', '', '2024-12-04', YESTERDAY],
  ['365', '', '', '2024-03-04', YESTERDAY],
  ['anio', '', '', '2025-01-01', TODAY],
  ['otro', '2024-02-28', '2024-03-01', '2024-02-28', '2024-03-01'],
  ['otro', '2024-03-02', '2024-03-01', '2025-02-02', YESTERDAY],
  ['otro', '2023-02-29', '2023-03-01', '2025-02-02', YESTERDAY],
  ['otro', '', '', '2025-02-02', YESTERDAY],
  ['otro', '2025-03-01', '2025-12-31', '2025-03-01', TODAY],
  ['otro', '2025-03-05', '2025-12-31', '2025-02-02', YESTERDAY],
  ['nada', '', '', '2025-02-02', YESTERDAY],
])('%s from %j to %j is %s to %s', (periodo, desde, hasta, from, to) => {
  expect(periodOf({ ...NO_FILTERS, periodo, desde, hasta }, TODAY)).toEqual({ from, to })
})

test('a week begins on Monday, on Sundays and Mondays as well', () => {
  const week = (today: string) => periodOf({ ...NO_FILTERS, periodo: 'semana' }, today)
  expect(week('2025-03-09').from).toBe('2025-03-03')
  expect(week('2025-03-10')).toEqual({ from: '2025-03-10', to: '2025-03-10' })
})

test('every choice says which days it means', () => {
  expect(periodOptions(TODAY).map(({ label, hint = '' }) => `${label}: ${hint}`)).toEqual([
    'Hoy: 4 mar',
    'Ayer: 3 mar',
    'Esta semana: 3–4 mar',
    'Semana pasada: 24 feb – 2 mar',
    'Este mes: 1–4 mar',
    'Mes pasado: 1–28 feb',
    'Últimos 7 días: 25 feb – 3 mar',
    'Últimos 30 días: 2 feb – 3 mar',
    'Últimos 90 días: 4 dic 2024 – 3 mar 2025',
    'Últimos 365 días: 4 mar 2024 – 3 mar 2025',
    'Este año: 1 ene – 4 mar',
    'Otro rango: ',
  ])
})

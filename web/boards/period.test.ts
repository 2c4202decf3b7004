import { expect, test } from 'vitest'
import { NO_FILTERS, periodOf } from './period.ts'

const TODAY = '2025-03-04'

test.each([
  ['7', '', '', '2025-02-26', TODAY],
  ['30', '', '', '2025-02-03', TODAY],
  ['90', '', '', '2024-12-05', TODAY],
  ['mes', '', '', '2025-03-01', TODAY],
  ['mes-anterior', '', '', '2025-02-01', '2025-02-28'],
  ['anio', '', '', '2025-01-01', TODAY],
  ['otro', '2024-02-28', '2024-03-01', '2024-02-28', '2024-03-01'],
  ['otro', '2024-03-02', '2024-03-01', '2025-02-03', TODAY],
  ['otro', '2023-02-29', '2023-03-01', '2025-02-03', TODAY],
  ['otro', '', '', '2025-02-03', TODAY],
  ['nada', '', '', '2025-02-03', TODAY],
])('%s from %j to %j is %s to %s', (periodo, desde, hasta, from, to) => {
  expect(periodOf({ ...NO_FILTERS, periodo, desde, hasta }, TODAY)).toEqual({ from, to })
})

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Product } from '#contract/products.ts'
import { OwnCommission, stepCommission } from './OwnCommission.tsx'

type Commission = NonNullable<Product['commission']>

const since = '2026-03-04T18:00:00.000Z'
const next = { id: 9, payout: '700.00', since: '2100-01-01T06:00:00.000Z' }
const step = (id: number, name: string, payout: string, announced: typeof next | null = null) => ({
  ...{ id, name, payout, since, next: announced },
})
const plain: Commission = {
  ...{ payout: '1250.50', since, next: null, validation: 'automatic', validation_days: 0 },
  steps: [step(1, 'Aprobada', '1250.50')],
}

const textOf = (commission: Product['commission']) =>
  renderToStaticMarkup(<OwnCommission of={commission} />).replace(/<[^>]*>/g, '')

test.each<[string, Product['commission'], string]>([
  ['nothing is set', null, 'Sin comisión configurada'],
  ['an amount and its day', plain, '$1,250.50desde el 04/03/2026'],
  [
    'what will be paid',
    { ...plain, next, steps: [step(1, 'Aprobada', '1250.50', next)] },
    '$1,250.50desde el 04/03/2026, $700.00 desde el 01/01/2100',
  ],
  [
    'a step with an amount of its own',
    { ...plain, steps: [...plain.steps, step(2, 'Entregada', '350.00')] },
    '$1,250.50desde el 04/03/2026Entregada: $350.00',
  ],
  [
    'and what it will be',
    { ...plain, steps: [step(2, 'Entregada', '350.00', next)] },
    '$1,250.50desde el 04/03/2026Entregada: $350.00, $700.00 desde el 01/01/2100',
  ],
  [
    'how long it waits',
    { ...plain, validation_days: 30, validation: 'explicit' },
    '$1,250.50desde el 04/03/202630 días de validación, con aprobación',
  ],
  ['for a day', { ...plain, validation_days: 1 }, '$1,250.50desde el 04/03/20261 día de validación'],
  ['for somebody', { ...plain, validation: 'explicit' }, '$1,250.50desde el 04/03/2026con aprobación'],
])('%s', (_, commission, text) => expect(textOf(commission)).toBe(text))

test('a step says its own amount, and one that pays nothing none', () => {
  const commission = { ...plain, steps: [step(1, 'Aprobada', '300.00'), step(2, 'Entregada', '350.00')] }
  expect(textOf(stepCommission(commission, 1))).toBe('$300.00desde el 04/03/2026')
  expect(textOf(stepCommission(commission, 2))).toBe('$350.00desde el 04/03/2026')
  expect(textOf(stepCommission(commission, 3))).toBe('Sin comisión configurada')
  expect(textOf(stepCommission(null, 1))).toBe('Sin comisión configurada')
})

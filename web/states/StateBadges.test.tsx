import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PaymentBadge } from './StateBadges.tsx'

const badge = (status: string) => renderToStaticMarkup(<PaymentBadge status={status} />)
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, '')

test.each([
  ['pending', 'Pendiente'],
  ['processing', 'Procesando'],
  ['paid', 'Pagado'],
  ['cancelled', 'Cancelado'],
  ['x', 'x'],
  ['toString', 'toString'],
])('a payment that is %s reads %s', (status, text) => {
  expect(textOf(badge(status))).toBe(text)
})

test('a status that nobody knows looks like a pending one', () => {
  expect(badge('x')).toBe(badge('pending').replace('Pendiente', 'x'))
})

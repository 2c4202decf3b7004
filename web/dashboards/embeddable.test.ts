import { expect, test } from 'vitest'
import { isEmbeddable } from './embeddable.ts'

test.each([
  ['https://metabase.banco.mx/public/dashboard/1', true],
  ['https://afluente.mx.malo.mx/embed/1', true],
  ['/embed/rendimiento', false],
  ['https://afluente.mx/embed/rendimiento', false],
  ['/app/issuer/settings', false],
  ['http://metabase.banco.mx/public/dashboard/1', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['', false],
])('%s: %s', (url, allowed) => {
  expect(isEmbeddable(url, 'https://afluente.mx')).toBe(allowed)
})

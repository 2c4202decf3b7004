import { expect, test } from 'vitest'
import { isEmbeddable, isOwn } from './embeddable.ts'

test.each([
  ['/embed/issuer/leads', true],
  ['https://afluente.mx/embed/issuer/leads', true],
  ['https://metabase.banco.mx/public/dashboard/1', true],
  ['/app/issuer/settings', false],
  ['/embed/../app/issuer/settings', false],
  ['http://metabase.banco.mx/public/dashboard/1', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['', false],
])('%s: %s', (url, allowed) => {
  expect(isEmbeddable(url, 'https://afluente.mx')).toBe(allowed)
})

test.each([
  ['/embed/rendimiento', true],
  ['https://afluente.mx/embed/rendimiento', true],
  ['https://metabase.banco.mx/embed/1', false],
  ['https://afluente.mx.malo.mx/embed/1', false],
  ['//malo.mx/embed/1', false],
])('%s is our own: %s', (url, own) => {
  expect(isOwn(url, 'https://afluente.mx')).toBe(own)
})

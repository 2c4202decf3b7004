import { expect, test } from 'vitest'
import { countOf, partlyText, updatedText } from './nouns.ts'

const payments = { one: 'pago', many: 'pagos', the: 'los' } as const

test.each([
  [0, '0 pagos', 'Se actualizaron 0 pagos'],
  [1, '1 pago', 'Se actualizó 1 pago'],
  [2, '2 pagos', 'Se actualizaron 2 pagos'],
  [1200, '1,200 pagos', 'Se actualizaron 1,200 pagos'],
])('%d rows are counted and told', (count, counted, updated) => {
  expect(countOf(count, payments)).toBe(counted)
  expect(updatedText(count, payments)).toBe(updated)
})

test.each([
  [0, 1, 'No se actualizó nada'],
  [0, 1200, 'No se actualizó nada de 1,200'],
  [1, 2, 'Se actualizó 1 de 2'],
  [2, 3, 'Se actualizaron 2 de 3'],
])('that a change reached %d of %d is said', (done, of, text) => {
  expect(partlyText(done, of)).toBe(text)
})

import { expect, test } from 'vitest'
import { heldText } from './held.ts'

test.each([
  [0, '0.00', ''],
  [1, '500.00', ', de ellas 1 retenida ($500.00)'],
  [1200, '600000.00', ', de ellas 1,200 retenidas ($600,000.00)'],
])('of %i that are held', (held, held_amount, text) => {
  expect(heldText({ held, held_amount })).toBe(text)
})

import { expect, test } from 'vitest'
import { changeOf } from './change.ts'

test.each([
  [
    { value: 9, previous: 8, change: 12.5 },
    { direction: 'up', text: '+12.5%' },
  ],
  [
    { value: 11, previous: 12, change: -8.3 },
    { direction: 'down', text: '-8.3%' },
  ],
  [
    { value: 20, previous: 20, change: 0 },
    { direction: 'same', text: 'Sin cambio' },
  ],
  [
    { value: 0, previous: 0, change: null },
    { direction: 'same', text: 'Sin cambio' },
  ],
  [
    { value: 1500, previous: 0, change: null },
    { direction: 'up', text: '+1,500' },
  ],
  [
    { value: 3, previous: 5, change: null },
    { direction: 'down', text: '-2' },
  ],
  [
    { value: '1500.00', previous: '0.00', change: null },
    { direction: 'up', text: '+$1,500.00' },
  ],
  [
    { value: '-250.00', previous: '0.00', change: null },
    { direction: 'down', text: '-$250.00' },
  ],
] as const)('%j reads %j', (compared, change) => {
  expect(changeOf(compared)).toEqual(change)
})

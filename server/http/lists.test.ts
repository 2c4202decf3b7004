import { expect, test } from 'vitest'
import { wordsOf } from './lists.ts'

test.each([
  ['Banco Altaluz', ['Banco', 'Altaluz']],
  ['"Altaluz"', ['Altaluz']],
  ['«Banco Altaluz», (Oro)', ['Banco', 'Altaluz', 'Oro']],
  ['Banco Altaluz S.A.', ['Banco', 'Altaluz']],
  ['“Banco Altaluz, S.A. de C.V.”', ['Banco', 'Altaluz']],
  ['Altaluz S.A.P.I. de C.V., SOFOM, E.N.R.', ['Altaluz']],
  ['Portal Sur S de RL de CV', ['Portal', 'Sur']],
  ['S.A.', ['S.A']],
  ['Casa', ['Casa']],
  ['ana@credito.mx; AAA010101AB1', ['ana@credito.mx', 'AAA010101AB1']],
  ['%', ['%']],
  ['  ', []],
])('%j is sought as %j', (search, words) => {
  expect(wordsOf(search)).toEqual(words)
})

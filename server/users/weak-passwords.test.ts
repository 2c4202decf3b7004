import { expect, test } from 'vitest'
import { COMMON_PASSWORD, EASY_PASSWORD } from '#contract/auth.ts'
import { refuseNamesIn, weaknessOf } from './weak-passwords.ts'

refuseNamesIn('https://red.promotora.com.mx')
refuseNamesIn('http://127.0.0.1:3000')

test.each([
  ['Password1', COMMON_PASSWORD],
  ['Afluente2026', EASY_PASSWORD],
  ['afluente', EASY_PASSWORD],
  ['¡Áfluente-mx-77!', EASY_PASSWORD],
  ['demo.afluente.mx', EASY_PASSWORD],
  ['red.promotora.com.mx', EASY_PASSWORD],
  ['Promotora#1', EASY_PASSWORD],
  ['        ', EASY_PASSWORD],
  ['zzzzzzzzzzzz', EASY_PASSWORD],
  ['0101010101', EASY_PASSWORD],
  ['perro9perro9', EASY_PASSWORD],
  ['ñandúñandú', EASY_PASSWORD],
])('%j is refused', (password, reason) => {
  expect(weaknessOf(password)).toBe(reason)
})

test.each([
  'tres caballos azules',
  'el afluente del Papaloapan',
  'kT7#vq2!',
  'promotora de ríos lentos',
  '漢字仮名交じり文だ',
])('%j is taken', (password) => {
  expect(weaknessOf(password)).toBeUndefined()
})

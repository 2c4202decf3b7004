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
  ['12345678901234', EASY_PASSWORD],
  ['98765432109876', EASY_PASSWORD],
  ['1234-1234-1234', EASY_PASSWORD],
  ['Qwertyuiop2026', EASY_PASSWORD],
  ['asdfghjklñ!', EASY_PASSWORD],
  ['1qaz2wsx3edc4rfv', EASY_PASSWORD],
  ['abcdefghij', EASY_PASSWORD],
  ['1111222233334444', EASY_PASSWORD],
])('%j is refused', (password, reason) => {
  expect(weaknessOf(password)).toBe(reason)
})

test.each([
  'tres caballos azules',
  'el afluente del Papaloapan',
  'kT7#vq2!',
  'kT7#vq1234',
  'Ventana-1234-lluvia',
  '84920571639482',
  'promotora de ríos lentos',
  '漢字仮名交じり文だ',
])('%j is taken', (password) => {
  expect(weaknessOf(password)).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { Login } from './auth.ts'
import { amountText, Email, OptionalPhone, OptionalUrl, Rfc, signedAmountText } from './fields.ts'
import { FactorCode } from './proofs.ts'
import { cleanMoney, cleanPhone, cleanRfc, unwrapEmail } from './typed.ts'

/** What the API makes of it, or what it says. */
const taken = (schema: z.ZodType<string>, text: string): string => {
  const { data, error } = schema.safeParse(text)
  return data ?? error?.issues[0]?.message ?? ''
}

const PHONE = '+525512345678'
test.each([
  ['', ''],
  ['+52', ''],
  ['+5', ''],
  ['+', ''],
  ['5512345678', PHONE],
  ['55 1234 5678', PHONE],
  ['55.1234.5678', PHONE],
  ['55–1234–5678', PHONE],
  ['(55) 1234-5678', PHONE],
  ['55/1234/5678', PHONE],
  ['52 55 1234 5678', PHONE],
  ['+52 551 234 5678', PHONE],
  ['+52 1 55 1234 5678', PHONE],
  ['5215512345678', PHONE],
  ['0052 55 1234 5678', PHONE],
  ['011 52 55 1234 5678', PHONE],
  ['044 55 1234 5678', PHONE],
  ['045 55 1234 5678', PHONE],
  ['01 55 1234 5678', PHONE],
  ['01 (55) 1234 5678', PHONE],
  ['Tel. 55 1234 5678', PHONE],
  ['Teléfono: +52 55 1234 5678', PHONE],
  ['cel 55 1234 5678', PHONE],
  ['WhatsApp: +52 1 55 1234 5678', PHONE],
  ['tel:+525512345678', PHONE],
  ['\u202a+52 55 1234 5678\u202c', PHONE],
  ['\u200e55\u00a01234\u20115678\ufeff', PHONE],
  ['+52 55', '+5255'],
  ['５５ １２３４ ５６７８', PHONE],
  ['+5255 1234', '+52551234'],
  ['+5512345678', '+52512345678'], // a backspace into the prefix
  ['+52abc1234567', '+52abc1234567'],
  ['+5255abc', '+5255abc'],
  ['55 1234 5678 ext. 12', '+525512345678ext12'],
  ['+1 555 123 4567', '+52+15551234567'],
  ['+5256 1234 5678', '+525612345678'],
])('phone %j becomes %j, also pasted behind the prefix that stands there', (typed, cleaned) => {
  expect(cleanPhone(typed)).toBe(cleaned)
  expect(cleanPhone(cleaned)).toBe(cleaned)
  if (cleaned === PHONE) expect([cleanPhone(`+52${typed}`), taken(OptionalPhone, typed)]).toEqual([PHONE, PHONE])
})

test.each([
  ['+1 555 123 4567', 'Solo se permiten números después de +52'],
  ['55 1234 5678 ext. 12', 'Solo se permiten números después de +52'],
  ['55 1234 567', 'Teléfono debe tener el formato +525512345678'],
])('phone %j is refused: %s', (typed, text) => {
  expect(taken(OptionalPhone, typed)).toBe(text)
})

const RFC = 'VECJ880326XX7'
test.each([
  ['VECJ-880326-XX7', RFC],
  ['vecj 880326 xx7', RFC],
  [' VECJ880326XX7\n', RFC],
  ['VECJ–880326—XX7', RFC],
  ['VECJ.880326.XX7', RFC],
  ['RFC: VECJ880326XX7', RFC],
  ['R.F.C. VECJ-880326-XX7', RFC],
  ['rfc vecj880326xx7', RFC],
  ['\u202aVECJ880326XX7\u202c', RFC],
  ['VECJ\u00ad880326\u200bXX7', RFC],
  ['ＶＥＣＪ８８０３２６ＸＸ７', RFC],
  ['ABC-010203-XY1', 'ABC010203XY1'],
  ['RFC010203AB1', 'RFC010203AB1'], // of a company
  ['RFC: RFC010203AB1', 'RFC010203AB1'],
  ['n\u0303&a 010203ab1', 'Ñ&A010203AB1'],
])('RFC %j becomes %j', (typed, cleaned) => {
  expect(cleanRfc(typed)).toBe(cleaned)
  expect(taken(Rfc, typed)).toBe(cleaned)
})

test.each([
  ['VECJ8803#6XX7', 'RFC debe tener 12 o 13 caracteres en formato válido'],
  ['RFC: VECJ880326', 'RFC debe tener 12 o 13 caracteres en formato válido'],
  ['VECJ-880326', 'RFC debe tener entre 12 y 13 caracteres'],
])('RFC %j is refused: %s', (typed, text) => {
  expect(taken(Rfc, typed)).toBe(text)
})

test.each([
  ['$1,234.50 ', '1234.50'],
  ['MX$1,234.50', '1234.50'],
  ['MXN 1,234.50', '1234.50'],
  ['1,234.50 MXN', '1234.50'],
  ['$ 1,234.50 M.N.', '1234.50'],
  ['\u202d$1\u00a0234.50\u202c', '1234.50'],
  ['1,234,567', '1234567'],
  ['1,000,000.5', '1000000.5'],
  ['−$500', '-500'],
  ['0,500', '0,500'],
  ['1234,567', '1234567'], // typed one by one: the first comma is gone
  ['1500,50', '1500,50'],
  ['1.500,50', '1.500,50'],
  ['1,5', '1,5'],
  [',500', ',500'],
  ['12 pesos', '12pesos'],
])('money %j is %j while it is typed', (typed, cleaned) => {
  expect(cleanMoney(typed)).toBe(cleaned)
})

const WRONG_AMOUNT = 'Formato de monto inválido'
test.each([
  ['$1,500.5 MXN', '1500.50', '1500.50'],
  ['−1,500', WRONG_AMOUNT, '-1500.00'],
  ['1500,50', WRONG_AMOUNT, WRONG_AMOUNT],
  ['1e3', WRONG_AMOUNT, WRONG_AMOUNT],
  ['\u00a0', 'Falta', 'Falta'],
])('the API takes the amount %j as %j, of either sign as %j', (typed, amount, signed) => {
  expect([taken(amountText('Falta'), typed), taken(signedAmountText('Falta'), typed)]).toEqual([amount, signed])
})

test.each([
  [' ana@banco.mx\u00a0', 'ana@banco.mx'],
  ['\u200bana@banco.mx\u202c', 'ana@banco.mx'],
  ['mailto:ana@banco.mx?subject=Hola', 'ana@banco.mx'],
  ['Ana Paz <ana@banco.mx>', 'ana@banco.mx'],
  ['"Paz, Ana" <mailto:ana@banco.mx>;', 'ana@banco.mx'],
  ['<ana@banco.mx>', 'ana@banco.mx'],
  ['ana@banco.mx;', 'ana@banco.mx'],
])('the address %j is %j, also at the sign-in', (typed, address) => {
  expect([taken(Email, typed), taken(Login.shape.email, typed)]).toEqual([address, address])
})

test('an address that is being typed keeps what it may go on from', () => {
  for (const typed of ['ana@banco.', 'Ana <ana', 'mail', 'ana paz@banco.mx']) expect(unwrapEmail(typed)).toBe(typed)
})

test.each([
  ['<https://banco.mx/alta?a=1>', 'https://banco.mx/alta?a=1'],
  ['"https://banco.mx"', 'https://banco.mx'],
  ['\u200bhttps://banco.mx\u00a0', 'https://banco.mx'],
])('the web address %j is %j', (typed, address) => {
  expect(taken(OptionalUrl, typed)).toBe(address)
})

test.each([
  ['123 456', '123456'],
  ['123-456', '123456'],
  ['\u202a123\u2011456\u202c', '123456'],
  [' \u200b', 'Escribe el código'],
])('the code %j is %j', (typed, code) => {
  expect(taken(FactorCode, typed)).toBe(code)
})

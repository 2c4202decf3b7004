import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCardNumber, isClabe, isSecretName, maskPersonal, maskPrivate } from './mask.ts'
import { findNumbers, narrow } from './numbers.ts'

const CARD = '[tarjeta omitida]'
const CURP = '[CURP omitida]'
const CLABE = '[CLABE omitida]'

const personal = (text: string): string => maskPersonal(text, () => undefined)
const privately = (text: string): string => maskPrivate(text, () => undefined)

test.for([
  ['4111111111111111', CARD],
  ['4111 1111 1111 1111', CARD],
  ['4111.1111.1111.1111', CARD],
  ['4111_1111_1111_1111', CARD],
  ['4111-1111-1111-1111', CARD],
  ['4111 - 1111 - 1111 - 1111', CARD],
  ['4111\t1111\t1111\t1111', CARD],
  ['4111–1111—1111−1111', CARD],
  ['4111\u200b1111\u200d1111\ufeff1111', CARD],
  ['4111\u20091111\u202f1111\u30001111', CARD],
  ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', CARD],
  ['41 11 11 11 11 11 11 11', CARD],
  ['４１１１１１１１１１１１１１１１', CARD],
  ['４１１１ 1111 １１１１ 1111', CARD],
  ['x4111111111111111', `x${CARD}`],
  ['folio-4111111111111111b', `folio-${CARD}b`],
  ['12345 4111 1111 1111 1111 12/27', `12345 ${CARD} 12/27`],
  ['4111111111111111,5500000000000004', `${CARD},${CARD}`],
  ['3782 822463 10005', CARD],
  ['36700102000000', CARD],
  ['6212345678900000003', CARD],
  ['GODE561231HDFRRN04', CURP],
  ['curpgode561231mdfrrna4', `curp${CURP}`],
  ['PEGJ 850101 HDFRRN09', CURP],
  ['PEGJ-85-01-01-H-DF-RRN-09', CURP],
  ['PEGJ\u200b850101–HDFRRN09', CURP],
  ['ＰＥＧＪ８５０１０１ＨＤＦＲＲＮ０９', CURP],
  ['PEGJ850101HDFRRN09 y 4111111111111111', `${CURP} y ${CARD}`],
  ['4111/1111/1111/1111', CARD],
  ['4111,1111,1111,1111', CARD],
  ['4111|1111|1111|1111 y 5', `${CARD} y 5`],
  ['(4111)(1111)(1111)(1111)', `(${CARD})`],
  ['[4111] [1111] [1111] [1111]', `[${CARD}]`],
  ['"4111", "1111", "1111", "1111"', `"${CARD}"`],
  ['4111\r\n1111\r\n1111\r\n1111', CARD],
  ['4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1', CARD],
  ['7, 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1, 12/27', `7, ${CARD}, 12/27`],
  ['411111 1111111111', CARD],
  ['41111111 11111111', CARD],
  ['٤١١١١١١١١١١١١١١١', CARD],
  ['𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 ñ', `${CARD} ñ`],
  ['४१११-११११-११११-११११', CARD],
  ['PEGJ/850101/HDFRRN09', CURP],
  ['PEGJ\n85-01-01\nH DF RRN 09', CURP],
])('%s', ([text, masked]) => {
  expect(personal(text as string)).toBe(masked)
})

test.for([
  '4111111111111112', // the check digit
  '1735689600000', // a moment in milliseconds
  '120214567890120042', // a campaign of Facebook
  '23843210987650123', // an older one
  '7234567890123456789', // a click of TikTok
  'Cj0KCQiA4rmrBhCxARIsAIeOgW9vJ', // a click of Google
  'b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514', // an e-mail, hashed
  'aa411111111111111100000000000000', // a hash in which a card's digits stand by chance
  '41111111-1111-7111-8111-111111111111', // a tracking id
  '5512345678 1500.00', // a telephone beside an amount
  'Tel. 55 1234 5678, 2026-11-23 10:30',
  'GODE561231GR8', // an RFC
  '411111 y 1111111111',
  '41, 11, 11, 11\n11, 11, 11, 11\n', // two rows of a table
  '41.50, 13.00, 14.25, 16.00, 17.75',
  '002010077777777771', // a CLABE: masked in the data of events alone
  'ana@ejemplo.mx',
])('%s is kept', (text) => {
  expect(personal(text)).toBe(text)
})

test.for([
  ['CLABE 002010077777777771.', `CLABE ${CLABE}.`],
  ['002 010 07777777777 1', CLABE],
  ['002010077777777772', '002010077777777772'],
  ['cvv: 123', 'cvv: [dato omitido]'],
  ['{"cvc":"9876"}', '{"cvc":"[dato omitido]"}'],
  ['NIP 4321 y 4111111111111111', `NIP [dato omitido] y ${CARD}`],
  ['no cvv', 'no cvv'],
  ['código de seguridad 123', 'código de seguridad [dato omitido]'],
  ['Codigo de seguridad de la tarjeta: 1234', 'Codigo de seguridad de la tarjeta: [dato omitido]'],
  ['el CVV es 123, el código 12345', 'el CVV es [dato omitido], el código 12345'],
  ['cvv/123', 'cvv/[dato omitido]'],
])('in the data of an event: %s', ([text, masked]) => {
  expect(privately(text as string)).toBe(masked)
})

test('each of many is masked, as long as an event may be', () => {
  expect(personal('4111111111111111 x '.repeat(800))).toBe(`${CARD} x `.repeat(800))
  expect(personal('4111 1111 1111 1111\n'.repeat(800))).toBe(`${CARD}\n`.repeat(800))
  expect(personal('4111111111111111 x '.repeat(100_000))).toBe(`${CARD} x `.repeat(100_000))
  expect(personal('4111 '.repeat(3200))).toBe('4111 '.repeat(3200))
  expect(personal('7 '.repeat(8000))).toBe('7 '.repeat(8000))
})

test.for([
  '123 ',
  '1234 ',
  '4111 1111 1111 1111 ',
  '123 456 789 012 3',
  '4 ',
  '41 ',
  '41/',
  '4111',
  '123    ',
  '12/3,4 ',
  '333 333 ',
  'AAAA12 12 12 ',
  'a1234567',
  '𝟒𝟏𝟏 ',
])('%j again and again: one look more for each group of digits, no more', (piece) => {
  const looks = (length: number) => {
    const checked: string[] = []
    findNumbers(narrow(piece.repeat(Math.ceil(length / piece.length))), (digits) => {
      checked.push(digits)
      return undefined
    })
    return { count: checked.length, longest: Math.max(0, ...checked.map(({ length }) => length)) }
  }
  const [half, whole] = [looks(8_000), looks(16_000)]
  expect(whole.count).toBeLessThanOrEqual(2 * half.count + 8)
  expect(whole.count).toBeLessThanOrEqual(4_000)
  expect(whole.longest).toBeLessThanOrEqual(19)
})

test('what is masked is told', () => {
  const told = new Set<string>()
  maskPrivate('cvv 123, 4111111111111111, GODE561231HDFRRN04, 002010077777777771', (warning) => told.add(warning))
  expect([...told].sort()).toEqual(['CARD_NUMBER_MASKED', 'CLABE_MASKED', 'CURP_MASKED', 'SECRET_MASKED'])
})

test('secrets are known by a word of their name', () => {
  for (const name of ['cvv', 'CVV2', 'nip', 'NIP_tarjeta', 'userPassword', 'contraseña', 'card-cvc', 'códigoSeguridad'])
    expect([name, isSecretName(name)]).toEqual([name, true])
  for (const name of ['clave', 'shipping', 'opinion', 'municipio', 'manip', '']) expect(isSecretName(name)).toBe(false)
})

test('numbers by the networks and banks alone', () => {
  for (const digits of ['4222222222222', '2221000000000009', '5062210000000009', '6011111111111117'])
    expect([digits, isCardNumber(digits)]).toEqual([digits, true])
  for (const digits of ['', '4', '9111111111111111', '0000000000000000']) expect(isCardNumber(digits)).toBe(false)
  expect(isClabe('032180000118359719')).toBe(true)
  expect(isClabe('999999999999999999')).toBe(false)
})

test('masking twice changes nothing more, and text without digits never changes', () => {
  const numbers = fc.stringMatching(/^[0-9 ._x-]{0,60}$/)
  fc.assert(
    fc.property(numbers, fc.stringMatching(/^[^0-9０-９]{0,60}$/), (digits, letters) => {
      expect(personal(personal(digits))).toBe(personal(digits))
      expect(personal(letters)).toBe(letters)
    }),
  )
})

import { expect, test } from 'vitest'
import { cleanEventData } from './data.ts'

const CARD = '[tarjeta omitida]'
const SECRET = '[dato omitido]'

test.for<[data: unknown, cleaned: unknown, warnings: string[]]>([
  ['sin nada', 'sin nada', []],
  ['4111111111111111', CARD, ['CARD_NUMBER_MASKED']],
  [4111111111111111, CARD, ['CARD_NUMBER_MASKED']],
  ['pagó con 5500 0000 0000 0004.', `pagó con ${CARD}.`, ['CARD_NUMBER_MASKED']],
  ['amex 3782-822463-10005', `amex ${CARD}`, ['CARD_NUMBER_MASKED']],
  ['4111111111111112', '4111111111111112', []],
  ['1735689600000', '1735689600000', []],
  [1735689600000, 1735689600000, []],
  ['folio-4111111111111111', `folio-${CARD}`, ['CARD_NUMBER_MASKED']],
  [{ clabe: '002010077777777771' }, { clabe: '[CLABE omitida]' }, ['CLABE_MASKED']],
  [{ cvv: 123, pago: { NIP: ['1', 2] } }, { cvv: SECRET, pago: { NIP: SECRET } }, ['SECRET_MASKED']],
  [{ password: null, nip: '' }, { password: null, nip: '' }, []],
  [{ correo: 'ana@ejemplo.mx', rfc: 'GODE561231GR8' }, { correo: 'ana@ejemplo.mx', rfc: 'GODE561231GR8' }, []],
  ['GODE561231HDFRRN04', '[CURP omitida]', ['CURP_MASKED']],
  ['curp: gode561231mdfrrna4', 'curp: [CURP omitida]', ['CURP_MASKED']],
  ['GODE561231GR8', 'GODE561231GR8', []],
  [{ a: [{ b: '4111111111111111' }] }, { a: [{ b: CARD }] }, ['CARD_NUMBER_MASKED']],
  [{ '4111111111111111': 1 }, { [CARD]: 1 }, ['CARD_NUMBER_MASKED']],
  ['a\u0000b\u202ec', 'abc', []],
  [{ n: null, b: true, x: 1.5 }, { n: null, b: true, x: 1.5 }, []],
  [undefined, undefined, []],
])('%j', ([data, cleaned, warnings]) => {
  expect(cleanEventData(data)).toEqual({ data: cleaned, warnings })
})

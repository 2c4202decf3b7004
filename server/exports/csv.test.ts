import { expect, test } from 'vitest'
import { money, number, text } from './cells.ts'
import { csvCell, csvOf } from './csv.ts'
import { xlsxCell } from './xlsx.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+525512345678', "'+525512345678"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r'=1"`],
  ['\0=1', "'\0=1"],
  ['＝1+1', "'＝1+1"],
  ['=HYPERLINK("https://malo.mx";"x")', `"'=HYPERLINK(""https://malo.mx"";""x"")"`],
  ["a;=cmd|'/C calc'!A0;", `"a;'=cmd|'/C calc'!A0;"`],
  ['a;;@SUM(A1);-1', `"a;;'@SUM(A1);'-1"`],
  ['a;"=1+1"', `"a;'""=1+1"""`],
  ['a\t=1+1', `"a\t'=1+1"`],
  ['a\n=1+1', `"a\n'=1+1"`],
  ['a\r\n＝1+1', `"a\r\n'＝1+1"`],
  ['a; b;c', '"a; b;c"'],
  ['a=1', 'a=1'],
  ["'=1", "'=1"],
  ['Única "Oro", sin costo', '"Única ""Oro"", sin costo"'],
  ['dos\nlíneas', '"dos\nlíneas"'],
  ['', ''],
  [null, ''],
  [undefined, ''],
])('the text %j is written %j', (value, written) => {
  expect(csvCell('text', value)).toBe(written)
})

test.each([
  ['money', '-12.30', '-12.30', -12.3],
  ['money', '0.00', '0.00', 0],
  ['money', '9999999999.99', '9999999999.99', 9_999_999_999.99],
  ['number', -5, '-5', -5],
  ['number', 0, '0', 0],
  ['day', '2025-03-04', '04/03/2025', new Date('2025-03-04T00:00Z')],
  ['moment', '2025-03-05T04:30:59.999Z', '04/03/2025 22:30', new Date('2025-03-04T22:30Z')],
  ['moment', '2022-07-01T04:59:00.000Z', '30/06/2022 23:59', new Date('2022-06-30T23:59Z')],
  ['moment', '2025-03-05T06:05:00.000Z', '05/03/2025 00:05', new Date('2025-03-05T00:05Z')],
  ['moment', null, '', null],
] as const)('%s %j is %j in text and %j in a sheet', (kind, value, inText, inSheet) => {
  expect(csvCell(kind, value)).toBe(inText)
  expect(xlsxCell(kind, value)).toEqual(inSheet)
})

test('a sheet keeps the text as it is, up to what its cells hold', () => {
  expect(xlsxCell('text', '=1+1')).toBe('=1+1')
  expect(xlsxCell('text', 'a'.repeat(40_000))).toHaveLength(32_767)
})

test('the file begins with the mark of UTF-8 and its heads; lines end as RFC 4180 has them', async () => {
  const columns = [
    number<[number, string, string]>('ID', ([id]) => id),
    text<[number, string, string]>('Nombre, completo', ([, name]) => name),
    money<[number, string, string]>('Monto', ([, , amount]) => amount),
    text<[number, string, string]>('=1+1', () => 'x'),
  ]
  async function* batches() {
    yield [[1, 'Ñandú', '-1.50'] as [number, string, string], [2, '=A1', '2.00'] as [number, string, string]]
    yield [[3, '', '0.00'] as [number, string, string]]
  }
  let written = ''
  for await (const part of csvOf(columns, batches())) written += part
  expect(written).toBe(`\uFEFFID,"Nombre, completo",Monto,'=1+1\r\n1,Ñandú,-1.50,x\r\n2,'=A1,2.00,x\r\n3,,0.00,x\r\n`)
})

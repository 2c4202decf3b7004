import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../http/errors.ts'
import { meantBy } from './cells.ts'
import { readCsv } from './csv.ts'
import { isHeaderAgain, tableIn } from './header.ts'
import { containerOf, expectTable } from './kinds.ts'

const ID = '0192f0c1-2233-4455-8899-aabbccddeeff'
const ROW = [ID, 'Aprobada']

async function read(file: string | Buffer) {
  const bytes = Readable.from([Buffer.from(file as string)])[Symbol.asyncIterator]()
  const { rows, delimiter } = await readCsv(bytes)
  const filled = (await Readable.from(rows).toArray()).filter(({ cells }) => cells.some(Boolean))
  const table = tableIn(filled, { known: [], isSheet: false })
  const below = filled.filter((row) => row.row_no > table.last_row && !isHeaderAgain(row, table))
  return { ...table, delimiter, rows: below.map(({ cells }) => table.header.map((_, at) => meantBy(cells[at] ?? ''))) }
}

test.each([
  ['sep=;', `sep=;\r\nFolio;Estado\r\n${ID};Aprobada`],
  ['sep=,', `sep=,\nFolio,Estado\n${ID},Aprobada`],
  ['SEP=| behind a mark', `\uFEFFSEP=|\nFolio|Estado\n${ID}|Aprobada`],
  ['sep= in UTF-16', Buffer.from(`\uFEFFsep=;\nFolio;Estado\n${ID};Aprobada`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(`Folio,Estado\n${ID},Aprobada`, 'utf16le')],
  ['a header of Windows over rows of Unix', `Folio,Estado\r\n${ID},Aprobada\n`],
  ['a header of Unix over rows of Windows', `Folio,Estado\n${ID},Aprobada\r\n`],
  ['line ends of three characters', `Folio,Estado\r\r\n${ID},Aprobada\r\r\n`],
  ['line ends of an old Mac', `Folio,Estado\r${ID},Aprobada\r`],
  ['a blank before quotes', `Folio, Estado\n"${ID}", "Aprobada"\n`],
  ['single quotes', `'Folio','Estado'\n'${ID}','Aprobada'\n`],
  ['curly quotes', `“Folio”,“Estado”\n“${ID}”,“Aprobada”\n`],
  ['formulas that are texts', `Folio,Estado\n="${ID}","=""Aprobada"""\n`],
])('%s: the same table', async (_, file) => {
  expect(await read(file)).toMatchObject({ header: ['Folio', 'Estado'], header_row: 1, rows: [ROW] })
})

test.each([
  ["'-987", '-987'],
  ["'=2+5", '=2+5'],
  ["'@canal", '@canal'],
  ['="0012"', '0012'],
  ["'90", "'90"],
  ["O'Higgins", "O'Higgins"],
])('%s means %s', (written, meant) => expect(meantBy(written)).toBe(meant))

test.each([
  [
    'inches, and quotes within quotes',
    `a,b\n6'5" alto,"Tarjeta "Oro" nueva"`,
    [[`6'5" alto`, '"Tarjeta "Oro" nueva"']],
  ],
  ['a quote behind a backslash', 'a,b\n"Dice \\"sí, claro\\" y va",x', [['Dice "sí, claro" y va', 'x']]],
])('%s are read', async (_, file, rows) => expect((await read(file)).rows).toEqual(rows))

test.each([
  [
    'titles above',
    `Reporte, noviembre\nBanco:;Altaluz\n\nFolio;Estado;Monto\n${ID};Aprobada;1,550.00`,
    4,
    'Folio Estado Monto',
  ],
  [
    'a narrower title that says a date',
    `Corte,28/11/2026\nFolio,Estado,Motivo\n${ID},Aprobada,x`,
    2,
    'Folio Estado Motivo',
  ],
  ['a name twice', `Folio,Fecha,Fecha\n${ID},1,2`, 1, 'Folio Fecha Fecha (2)'],
  ['blank names at the end', `Folio,Estado,,\n${ID},Aprobada,x,`, 1, 'Folio Estado Columna 3'],
  ['two rows', `Folio,Estado,Montos,\n,,Pedido,Dado\n${ID},Aprobada,1,2`, 1, 'Folio Estado Montos Pedido Montos Dado'],
  [
    'groups above names',
    `Cliente,,Crédito,\nFolio,Nombre,Monto,Estado\n${ID},Ana,1,Aprobada`,
    2,
    'Folio Nombre Monto Estado',
  ],
  ['none', `${ID},Aprobada\n${ID},Rechazada`, 0, 'Columna 1 Columna 2'],
  [
    'none, and a row without an id',
    `${ID},Aprobada\ndesconocido,En revisión\n${ID},Aprobada`,
    0,
    'Columna 1 Columna 2',
  ],
  ['none, of names and a status', 'ana,Aprobada\nluis,Aprobada', 0, 'Columna 1 Columna 2'],
  ['a year among names', `Folio,Estado,2026\n${ID},Aprobada,1`, 1, 'Folio Estado 2026'],
])('the header: %s', async (_, file, header_row, names) => {
  const table = await read(file)
  expect([table.header_row, table.header.join(' ')]).toEqual([header_row, names])
})

const of2003 = '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>'
test.each([
  ['a page', '\n<html><body><table>', 'página web (HTML)'],
  ['a page in UTF-16', Buffer.from('\uFEFF<table border=1>', 'utf16le'), 'página web (HTML)'],
  ['a sheet of 2003', of2003, 'hoja XML de Excel 2003'],
  ['other XML', '<?xml version="1.0"?><leads/>', 'es XML'],
  ['a PDF', '%PDF-1.7', 'PDF'],
  ['JSON', ' [{"folio": 1}]', 'JSON'],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'imagen'],
  ['gzip', Buffer.from('1f8b0800', 'hex'), 'comprimido'],
])('%s is named, and how to save it', (_, head, message) => {
  expect(() => expectTable(Buffer.from(head as string))).toThrow(message)
})

test.each([
  ['EncryptedPackage', 'tiene contraseña. Ábrelo, quítasela'],
  ['Workbook', 'Excel antiguo (.xls)'],
  ['WordDocument', 'Word'],
])('a container with %s is named', (stream, message) => {
  expect(containerOf(Buffer.from(stream, 'utf16le')).message).toContain(message)
})

const name = fc.constantFrom('Folio', 'Estado', 'Motivo', 'Monto', 'Nombre del cliente', 'Fecha')
const cell = fc.oneof(
  fc.constantFrom('Aprobada', 'Peña, Ana', '6" x 3"', '1,550.00', '28/11/2026', '', 'línea\nnueva'),
  fc.stringMatching(/^[a-zñ ]{0,12}$/).map((text) => text.trim()),
)
const dirty = fc.record({
  header: fc.uniqueArray(name, { minLength: 2, maxLength: 6 }),
  rows: fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  said: fc.boolean(),
  mark: fc.boolean(),
  titles: fc.array(fc.constantFrom('Reporte de noviembre', '', 'Banco Altaluz'), { maxLength: 3 }),
  ends: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 4 }),
  blanks: fc.nat(2),
  quotes: fc.boolean(),
})

test('dirt around a table: the same rows, or a refusal in words', async () => {
  await fc.assert(
    fc.asyncProperty(dirty, async ({ header, rows, delimiter, said, mark, titles, ends, blanks, quotes }) => {
      const width = header.length
      const table = rows.map((cells, at) => [`${ID.slice(0, -2)}${10 + at}`, ...cells.slice(0, width - 1)])
      const written = (text: string) =>
        quotes || /["\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
      const lines = [header, ...table].map((cells) =>
        [...cells.map(written), ...Array(blanks).fill('')].join(delimiter),
      )
      const all = [...(said ? [`sep=${delimiter}`] : []), ...titles, ...lines]
      const text = all.map((line, at) => line + ends[at % ends.length]).join('')
      const found = await read((mark ? '\uFEFF' : '') + text).catch((error: unknown) => error)
      if (found instanceof AppError) return expect(found.message).toMatch(/^El renglón \d+ /)
      const trimmed = table.map((cells) => cells.map((one) => one.trim()))
      expect(found).toMatchObject({ delimiter, header, rows: trimmed })
    }),
  )
})

import { Readable } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FILES, startServer, type TestClient, type TestServer } from '../testing.ts'
import { Places } from './places.ts'
import { at, makeWorld, upload, xlsxOf } from './testing.ts'
import { unpackingWhen } from './unpacking.ts'
import { readXlsx } from './xlsx.ts'

let server: TestServer
let client: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
  const { ids } = await makeWorld(server.db)
  client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
})
afterAll(() => server.stop())

test('a file of Excel is read like a CSV, dates and numbers as text', async () => {
  const file = await xlsxOf([
    ['folio', 'estado', 'día', 'monto'],
    ['a', 'APROBADA', new Date('2026-03-01T00:00:00Z'), 1500.5],
    ['b', '=1+1', null, null],
  ])
  const { data } = (await upload(client, file, { name: 'marzo.xlsx' })).json()
  expect(data).toMatchObject({ format: 'xlsx', rows: 2, header: ['folio', 'estado', 'día', 'monto'] })
  expect(data.sample[1]).toEqual(['b', '=1+1', '', ''])
  expect(data.sample[0].slice(0, 2)).toEqual(['a', 'APROBADA'])
  expect((await client.get(at(data.id))).status).toBe(200)
})

const head = (signature: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUInt32LE(signature)
  return bytes
}

/** An archive, as Excel writes it, of entries that say to unpack to so much. */
type Part = [name: string, packed: Buffer, says: number, method?: number]
function zipOf(...entries: Part[]): Uint8Array<ArrayBuffer> {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, packed, says, method = 8] of entries) {
    const local = head(0x04034b50, 30)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(says, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = head(0x02014b50, 46)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(says, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += local.length + name.length + packed.length
  }
  const end = head(0x06054b50, 22)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, ...directory, end]))
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...targets: [type: string, target: string][]) => {
  const xml = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships>${xml.join('')}</Relationships>`
}

interface Book {
  /** Its texts once, in a part of their own. */
  texts?: string[]
  rows?: string
  sheets?: { name: string; rows: string; state?: string | undefined }[]
  stored?: boolean
}

/** A file as Excel writes it, with some parts of its own. */
function bookOf(parts: Record<string, string>, book: Book): Uint8Array<ArrayBuffer> {
  const { texts = ['folio', 'estado', 'a'], rows = '', sheets = [{ name: 'Hoja', rows }], stored = false } = book
  const names = sheets.map(({ name, state = 'visible' }, index) => {
    const escaped = name.replace('&', '&amp;')
    return `<sheet name="${escaped}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`
  })
  const tables = sheets.map((_, index): [string, string] => ['worksheet', `worksheets/sheet${index + 1}.xml`])
  const whole = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(...tables, ['sharedStrings', 'texts.xml'], ['styles', 'styles.xml']),
    'xl/texts.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map((sheet, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet><sheetData>${sheet.rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  }
  return zipOf(
    ...Object.entries(whole).map(([name, xml]): Part => {
      const bytes = Buffer.from(xml)
      return [name, stored ? bytes : deflateRawSync(bytes), bytes.length, stored ? 0 : 8]
    }),
  )
}
const sheetOf = (texts: string[], rows: string) => bookOf({}, { texts, rows })

/** A row of cells, each a column and the place of its text, if it has one. */
const rowOf = (row_no: number, cells: Record<string, number | undefined>) => {
  const xml = Object.entries(cells).map(([column, text]) =>
    text === undefined ? `<c r="${column}${row_no}"/>` : `<c r="${column}${row_no}" t="s"><v>${text}</v></c>`,
  )
  return `<row r="${row_no}">${xml.join('')}</row>`
}
const HEAD = rowOf(1, { A: 0, B: 1 })
const manyRows = (cells: Record<string, number | undefined>, count = 1_000) =>
  Array.from({ length: count }, (_, index) => rowOf(index + 2, cells)).join('')

test('empty cells out to the last column of a sheet are nothing', async () => {
  const file = sheetOf(['folio', 'estado', 'a'], HEAD + manyRows({ A: 2, B: 2, XFD: undefined }, 150))
  expect((await upload(client, file)).json().data).toMatchObject({ rows: 150, header: ['folio', 'estado'] })
})

const good = sheetOf(['folio', 'estado', 'a'], HEAD + rowOf(2, { A: 2, B: 2 }))

/** A good file, but for what it says of the sizes of its entries. */
function hiding(change: (zip: Buffer, end: number) => Uint8Array): Uint8Array<ArrayBuffer> {
  const zip = Buffer.from(good)
  return new Uint8Array(change(zip, zip.length - 22))
}
function changeEntries(zip: Buffer, end: number, change: (entry: number) => void): Buffer {
  for (let at = zip.readUInt32LE(end + 16); at < end; at += 46 + zip.readUInt16LE(at + 28)) change(at)
  return zip
}
const inLocalHeaders = (size: number) =>
  hiding((zip, end) =>
    changeEntries(zip, end, (entry) => {
      zip.writeUInt16LE(8, entry + 8)
      zip.writeUInt32LE(0, entry + 20)
      zip.writeUInt32LE(size, entry + 24)
    }),
  )
const inAnotherDirectory = () =>
  hiding((zip, end) => {
    const other = head(0x06064b50, 56)
    other.writeBigUInt64LE(BigInt(zip.readUInt16LE(end + 10)), 32)
    other.writeBigUInt64LE(BigInt(zip.readUInt32LE(end + 16)), 48)
    const locator = head(0x07064b50, 20)
    locator.writeBigUInt64LE(BigInt(end), 8)
    zip.writeUInt16LE(0, end + 10)
    zip.writeUInt32LE(0xffffffff, end + 12)
    return Buffer.concat([zip.subarray(0, end), other, locator, zip.subarray(end)])
  })

const zeros = deflateRawSync(Buffer.alloc(3_000_000))
const BROKEN = 'El archivo de Excel está dañado. Ábrelo y guárdalo de nuevo.'
test.each([
  [
    'a bomb that says so',
    zipOf(['xl/workbook.xml', zeros, 900_000_000]),
    'El archivo de Excel es demasiado grande al abrirlo. Guárdalo como CSV.',
  ],
  ['a bomb that says less', zipOf(['[Content_Types].xml', zeros, 1_000]), BROKEN],
  ['sizes in the headers of the entries', inLocalHeaders(0), BROKEN],
  ['sizes in the headers of the entries, others in the directory', inLocalHeaders(5), BROKEN],
  ['sizes in another directory', inAnotherDirectory(), BROKEN],
  [
    'a text of megabytes in each row',
    sheetOf(['folio', 'estado', 'x'.repeat(1_000_000)], HEAD + manyRows({ A: 0, B: 2 })),
    'La celda «estado» del renglón 2 pasa de 4,000 caracteres',
  ],
  [
    'a text far behind the last column',
    sheetOf(['folio', 'estado'], HEAD + manyRows({ A: 0, XFD: 1 }, 150)),
    'El renglón 2 tiene más celdas que el encabezado. Ponle nombre a cada columna, o borra lo que sobra.',
  ],
  [
    'a name far behind the last column',
    sheetOf(['folio', 'estado'], rowOf(1, { A: 0, XFD: 1 })),
    'El archivo tiene más de 100 columnas',
  ],
  [
    'rows that are not in their order',
    sheetOf(['folio', 'estado'], HEAD + rowOf(3, { A: 0 }) + rowOf(2, { A: 0 })),
    BROKEN,
  ],
  ['a row that no sheet has', sheetOf(['folio', 'estado'], HEAD + rowOf(2_000_000_000, { A: 0 })), BROKEN],
  [
    'more than Excel writes of so many rows',
    new Uint8Array(Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(25 * 1024 * 1024)])),
    'El archivo de Excel pasa de 25 MB. Para más filas, guarda el archivo como CSV.',
  ],
  ['a bomb that says nothing', zipOf(['[Content_Types].xml', zeros, 0]), BROKEN],
  [
    'an archive of something else',
    zipOf(['a.txt', deflateRawSync(Buffer.from('a')), 1]),
    'El archivo es un .zip. Descomprímelo y sube el CSV o Excel que trae.',
  ],
  ['an archive that breaks off', new Uint8Array(Buffer.from('PK\u0003\u0004 and nothing more')), BROKEN],
])('%s is refused in Spanish, and the server goes on', async (_, file, message) => {
  const answer = await upload(client, file, { name: 'a.xlsx' })
  expect([answer.status, answer.json().meta.code, answer.json().message]).toEqual([422, 'BAD_FILE', message])
  expect((await server.anonymous.get('/healthz')).status).toBe(200)
})

/** Four times what the reader waits for the end of a tag. */
const LONG = 'a'.repeat(1_000_000)
const ENDLESS = [
  ['a tag', `<row ${LONG}`],
  ['a tag with an open quote', `<row a="${'>'.repeat(1_000_000)}`],
  ['a comment', `<!-- > ${LONG}`],
  ['a text marked as such', `<![CDATA[ > ${LONG}`],
  ['an instruction', `<? > ${LONG}`],
  ['the end of a tag', `</${LONG}`],
] as const

test.each(ENDLESS)('%s without an end is refused before it is read again and again', async (_, xml) => {
  const Unpacking = unpackingWhen(
    async () => undefined,
    (why) => {
      throw new Error(why)
    },
  )
  const packed = new Blob([deflateRawSync(`<sheet>${xml}`)]).stream()
  await expect(new Response(packed.pipeThrough(new Unpacking('deflate-raw'))).text()).rejects.toThrow('markup')
})

test('a file with such a sheet is refused in Spanish', async () => {
  const answer = await upload(client, sheetOf(['folio', 'estado', 'a'], HEAD + ENDLESS[0][1]))
  expect([answer.status, answer.json().message]).toEqual([422, BROKEN])
})

test('a sheet of too many rows of nothing is refused as soon as it has too many', async () => {
  const answer = await upload(client, sheetOf(['folio', 'estado'], HEAD + '<row/>'.repeat(220_000)))
  expect(answer.json().message).toBe(
    'El archivo de Excel tiene más de 200,000 renglones. Para más filas, guarda el archivo como CSV.',
  )
})

const stateOf = (name: string) =>
  server.db.selectFrom('import').select(['status', 'last_row']).where('file_name', '=', name).executeTakeFirst()

test('a file whose sender has left is let go of, and that of another issuer is read', async () => {
  const rows = Array.from({ length: 15_000 }, (_, index) => rowOf(index + 2, { A: 2, B: 2 }))
  const leaving = new AbortController()
  const sending = client.send('POST', '/api/v1/imports/?name=largo.xlsx', {
    ...{ headers: { 'content-type': 'text/csv' }, signal: leaving.signal },
    rawBody: sheetOf(['folio', 'estado', 'a'], HEAD + rows.join('')),
  })
  await expect.poll(async () => (await stateOf('largo.xlsx'))?.last_row).toBeGreaterThan(0)
  const { ids } = await makeWorld(server.db)
  const other = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const waiting = upload(other, good, { name: 'otro.xlsx' })
  leaving.abort()
  await expect(sending).rejects.toThrow()
  expect((await waiting).status).toBe(201)
  await expect.poll(() => stateOf('largo.xlsx')).toMatchObject({ status: 'discarded' })
})

test('a file that takes too long is given up', async () => {
  const read = async (file: Uint8Array, changes: object) => {
    const bytes = Readable.from([Buffer.from(file)])[Symbol.asyncIterator]()
    const wanted = { gone: new AbortController().signal, choose: () => 'Hoja' }
    const { rows } = await readXlsx(bytes, wanted, { ...PATIENT, ...changes })
    return Readable.from(rows).toArray()
  }
  const SLOW = 'El archivo de Excel tarda demasiado en leerse. Guárdalo como CSV.'
  await expect(read(good, { batchMs: 1 })).rejects.toThrow(SLOW)
  await expect(read(good, { wholeMs: 1 })).rejects.toThrow(SLOW)
  const busy = sheetOf(['folio', 'estado'], HEAD + `<row><c r="XFD1"><v>1</v></c></row>`.repeat(100_000))
  await expect(read(busy, { cpuMs: 100 })).rejects.toThrow(SLOW)
  expect(await read(good, {})).toHaveLength(2)
})

const PATIENT = { cpuMs: 60_000, batchMs: 60_000, wholeMs: 60_000 }

test('files of several issuers are read at once; one waits until a place is free, or its sender has left', async () => {
  const places = new Places(2)
  const [stays, leaves] = [new AbortController(), new AbortController()]
  const leave = await places.take(stays.signal)
  await places.take(stays.signal)
  const [gone, waits] = [places.take(leaves.signal), places.take(stays.signal)]
  leaves.abort(new Error('left'))
  await expect(gone).rejects.toThrow('left')
  leave()
  const back = await waits
  back()
  await places.take(stays.signal)
})

const wideRows = Array.from(
  { length: 300 },
  (_, index) =>
    `<row r="${index + 2}"><c r="A${index + 2}" t="s"><v>2</v></c><c r="XFD${index + 2}" t="inlineStr"><is><t> </t></is></c></row>`,
)
test('a stray blank in the last column of a sheet is nothing', async () => {
  const file = sheetOf(['folio', 'estado', 'a'], HEAD + wideRows.join(''))
  expect((await upload(client, file)).json().data).toMatchObject({ rows: 300, header: ['folio', 'estado'] })
})

const FORMAT = 'El archivo de Excel tiene un formato de número demasiado largo. Guárdalo como CSV.'
const styled = (format: string, stored = false) =>
  bookOf(
    { 'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts></styleSheet>` },
    { rows: HEAD + rowOf(2, { A: 1 }), stored },
  )
test.each([
  ['a number format of megabytes', styled('0'.repeat(1_000_000)), FORMAT],
  ['one that is not packed', styled('0'.repeat(1_000_000), true), FORMAT],
  ['a comment without an end in the styles', styled(`"/><!-- ${'x'.repeat(1_000_000)}`), BROKEN],
])('%s is refused before a cell is read by it', async (_, file, message) => {
  expect((await upload(client, file)).json().message).toBe(message)
})

const TABLE = HEAD + rowOf(2, { A: 2, B: 2 })
const sheetsOf = (...sheets: [name: string, rows: string, state?: string][]) =>
  bookOf({}, { sheets: sheets.map(([name, rows, state]) => ({ name, rows, state })) })
test('a hidden sheet is never read; of several that people see one is chosen, and again in the next file', async () => {
  const { ids } = await makeWorld(server.db)
  const issuer = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const hidden = sheetsOf(['oculta', rowOf(1, { A: 2 }), 'hidden'], ['Leads', TABLE], ['Hoja2', ''])
  expect((await upload(issuer, hidden)).json().data).toMatchObject({
    ...{ sheet: 'Leads', sheets: ['Leads'], header: ['folio', 'estado'], header_row: 1 },
  })
  const covered = sheetsOf(['Portada', rowOf(1, { A: 2 })], ['Enero & más', TABLE])
  const asked = await upload(issuer, covered)
  expect([asked.status, asked.json().meta.code, asked.json().meta.choices]).toEqual([
    ...[409, 'CHOOSE_SHEET'],
    ['Portada', 'Enero & más'],
  ])
  expect(asked.json().message).toBe('El archivo tiene varias hojas. Elige cuál se lee: «Portada», «Enero & más»')
  const sheet = encodeURIComponent('Enero & más')
  const read = (await upload(issuer, covered, { query: `&sheet=${sheet}` })).json().data
  expect(read).toMatchObject({ sheet: 'Enero & más', sheets: ['Portada', 'Enero & más'], rows: 1 })
  expect((await upload(issuer, covered, { query: '&sheet=otra' })).json().meta.field_errors).toEqual({
    sheet: ['El archivo no tiene la hoja «otra» entre las visibles'],
  })
  const mapping = { key: 'tracking_id', key_column: 0, status_column: 1, values: [{ value: 'a', action: 'ignore' }] }
  expect((await issuer.put(at(read.id, 'mapping/'), mapping)).status).toBe(200)
  expect((await upload(issuer, covered)).json().data).toMatchObject({ sheet: 'Enero & más', remembered: mapping })
})

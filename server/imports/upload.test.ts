import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { FILES, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'
import { readCsv } from './csv.ts'
import { at, csvOf, makeWorld, upload, whenDone, xlsxOf } from './testing.ts'

let server: TestServer
let client: TestClient
let issuerId: number
beforeAll(async () => {
  server = await startServer({ IMPORT_MB: '2' }, { works: [FILES] })
  const { ids } = await makeWorld(server.db)
  issuerId = ids.issuer_id
  client = await server.as({ role: 'issuer', issuerId })
})
afterAll(() => server.stop())

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const refusal = ({ status, text }: TestAnswer) => [status, JSON.parse(text).meta.code, JSON.parse(text).message]
const rowsOf = async (answer: TestAnswer) =>
  (await client.get(at(answer.json().data.id, 'rows/')))
    .json()
    .data.results.map((row: { cells: string[] }) => row.cells)

test('a file is received with its header and its first rows', async () => {
  const answer = await upload(
    client,
    csvOf([
      ['a', 'APROBADA', ''],
      ['b', 'RECHAZADA', 'buró'],
    ]),
  )
  expect(answer.status).toBe(201)
  expect(answer.json().data).toMatchObject({
    ...{ status: 'received', file_name: 'marzo.csv', format: 'csv', charset: 'utf-8', rows: 2, issuer_id: issuerId },
    header: ['folio', 'estado', 'motivo'],
    sample: [
      ['a', 'APROBADA', ''],
      ['b', 'RECHAZADA', 'buró'],
    ],
    ...{ mapping: null, remembered: null },
  })
})

const BOM = '\uFEFF'
const text = 'folio;estado;motivo\nñu;"uno;\ndos";buró\n'
test.each([
  ['UTF-8 with a byte order mark', BOM + text, 'utf-8'],
  ['the code page of Windows', latin1(text), 'windows-1252'],
  ['UTF-16', new Uint8Array(Buffer.from(BOM + text, 'utf16le')), 'utf-16le'],
])('%s, semicolons and quoted line breaks are read', async (_, file, charset) => {
  const answer = await upload(client, file)
  expect(answer.json().data).toMatchObject({ charset, header: ['folio', 'estado', 'motivo'] })
  expect(await rowsOf(answer)).toEqual([['ñu', 'uno;\ndos', 'buró']])
})

test('a letter of Windows late in a file of UTF-8 spoils nothing else', async () => {
  const file = Buffer.concat([Buffer.from('folio,estado\nñ,í\n'), latin1('Peñón,ok\n')])
  expect(await rowsOf(await upload(client, new Uint8Array(file)))).toEqual([
    ['ñ', 'í'],
    ['Peñón', 'ok'],
  ])
})

test('blank rows and a header in between are left out; numbers are those of a spreadsheet', async () => {
  const answer = await upload(client, 'folio,estado\n\na,1\n,\nfolio,estado\nb,2')
  const { results } = (await client.get(at(answer.json().data.id, 'rows/'))).json().data
  expect(results.map((row: { row_no: number; cells: string[] }) => [row.row_no, ...row.cells])).toEqual([
    [3, 'a', '1'],
    [6, 'b', '2'],
  ])
})

test('what belongs in no file of ours is masked', async () => {
  const answer = await upload(client, 'folio,tarjeta\na,4242 4242 4242 4242\n')
  expect((await rowsOf(answer))[0][1]).toMatch(/^\[tarjeta omitida\]#[0-9a-f]{16}$/)
})

test('a number of Excel is read as it is, or, where it has lost digits, as none that could be an id', async () => {
  const numbers = [123_456_789_012_345, 1_234_567_890_123_456, 4_242_424_242_424_242, 333.655, -12.5]
  const file = await xlsxOf([['folio', 'estado'], ...numbers.map((number) => [number, 'APROBADA'])])
  const rows = await rowsOf(await upload(client, file))
  expect(rows.map(([id]: string[]) => id)).toEqual([
    ...['123456789012345', '1.23457e+15', '4.24242e+15', '333.6550', '-12.5'],
  ])
})

const wide = Array.from({ length: 1_000_000 }, (_, index) => `c${index}`).join(',')
test.each([
  ['nothing', '', 'El archivo está vacío'],
  ['only a header', 'folio,estado\n', 'El archivo no tiene renglones debajo del encabezado'],
  ['a million columns', `${wide}\n`, 'El renglón 1 es demasiado largo. Revisa que cada lead esté en un renglón suyo.'],
  ['too many columns', `${wide.slice(0, 1000)}\n`, 'El archivo tiene más de 100 columnas'],
  ['a huge cell', `folio,estado\na,${'x'.repeat(5_000)}\n`, 'La celda «estado» del renglón 2 pasa de 4,000 caracteres'],
  [
    'a huge cell of which less is kept',
    `folio,estado\na,${'4111 1111 1111 1111 '.repeat(201)}\n`,
    'La celda «estado» del renglón 2 pasa de 4,000 caracteres',
  ],
  ['a huge name', `folio,${'x'.repeat(5_000)}\n`, 'La celda «Columna 2» del renglón 1 pasa de 4,000 caracteres'],
  [
    'a huge row',
    `a,b,c,d,e,f,g,h,i\n${Array(9).fill('x'.repeat(3_999)).join(',')}\n`,
    'Las celdas del renglón 2 pasan de 32,000 caracteres en total',
  ],
  [
    'cells without end',
    `folio,estado\n${','.repeat(1_500_000)}\n`,
    'El renglón 2 es demasiado largo. Revisa que cada lead esté en un renglón suyo.',
  ],
  [
    'more cells than names',
    'folio,estado\na,b,c\n',
    'El renglón 2 tiene más celdas que el encabezado. Revisa si alguno de sus textos lleva una coma, que separa las celdas.',
  ],
  [
    'an open quote',
    `folio,estado\n"a,${'b,\n'.repeat(200_000)}`,
    'El renglón 2 es demasiado largo. Revisa que ninguna comilla quede abierta.',
  ],
  ['bytes of something else', new Uint8Array([0, 1, 2, 3, 0]), 'El archivo no es CSV ni Excel (.xlsx)'],
  [
    'an old Excel',
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    'El archivo es de un Excel antiguo o tiene contraseña. Guárdalo como .xlsx sin ella, o como CSV.',
  ],
])('%s is refused in Spanish, and nothing stays', async (_, file, message) => {
  expect(refusal(await upload(client, file))).toEqual([422, 'BAD_FILE', message])
  await expectNothingLeft()
})

async function expectNothingLeft(): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await server.db
        .selectFrom('import_row')
        .innerJoin('import', 'import.id', 'import_id')
        .select('row_no')
        .where('status', 'in', ['receiving', 'discarded'])
        .execute()
      return rows.length
    })
    .toBe(0)
}

test('a file over the limit is refused while it arrives', async () => {
  const file = `folio,estado\n${`a,${'b'.repeat(1_000)}\n`.repeat(3_000)}`
  expect(refusal(await upload(client, file))).toEqual([
    ...[413, 'FILE_TOO_LARGE'],
    'El archivo pasa de 2 MB. Divídelo en varios.',
  ])
  await expectNothingLeft()
})

test('a file that breaks off is discarded', async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`folio,estado\n${'a,b\n'.repeat(5_000)}`)),
  })
  const leaving = new AbortController()
  const sending = client.send('POST', '/api/v1/imports/?name=a.csv', {
    headers: { 'content-type': 'text/csv' },
    ...{ rawBody: body, signal: leaving.signal },
  })
  await expect.poll(() => stateOf('a.csv')).toEqual('receiving')
  leaving.abort()
  await expect(sending).rejects.toThrow()
  await expect.poll(() => stateOf('a.csv')).toEqual('discarded')
  await expectNothingLeft()
})

const stateOf = async (name: string) =>
  (await server.db.selectFrom('import').select('status').where('file_name', '=', name).executeTakeFirst())?.status

test('only one file of an issuer is received at a time; one that was cut off does not stand in the way', async () => {
  const user = await server.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  const values = { issuer_id: issuerId, file_name: 'b.csv', created_by: user.id, format: 'csv' }
  const { id } = await server.db.insertInto('import').values(values).returning('id').executeTakeFirstOrThrow()
  expect(refusal(await upload(client, csvOf([['a', 'b', 'c']])))[1]).toBe('UPLOAD_RUNNING')
  await server.db
    .updateTable('import')
    .set({ touched_at: new Date(Date.now() - 400_000) })
    .where('id', '=', id)
    .execute()
  expect((await upload(client, csvOf([['a', 'b', 'c']]))).status).toBe(201)
})

test('a file of Excel that arrives for minutes is not taken for one that was cut off', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await xlsxOf([
    ['folio', 'estado'],
    ['a', 'APROBADA'],
  ])
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const sending = client.request('POST', '/api/v1/imports/?name=lento.xlsx', {
    ...{ headers: { 'content-type': 'text/csv' }, rawBody: readable },
  })
  void writer.write(file.slice(0, 100))
  await expect.poll(() => stateOf('lento.xlsx')).toBe('receiving')
  const own = server.db.updateTable('import').where('file_name', '=', 'lento.xlsx')
  await own.set({ touched_at: new Date(Date.now() - 240_000) }).execute()
  vi.advanceTimersByTime(30_000)
  const lately = sql<boolean>`touched_at > now() - interval '1 minute'`.as('lately')
  const isTouched = () =>
    server.db.selectFrom('import').select(lately).where('file_name', '=', 'lento.xlsx').executeTakeFirst()
  await expect.poll(isTouched).toEqual({ lately: true })
  void writer.write(file.slice(100))
  void writer.close()
  expect((await sending).status).toBe(201)
})

test('a file that is discarded between its last row and its end is refused like one before', async () => {
  await sql`create function discard_late() returns trigger language plpgsql as $$ begin
    update import set status = 'discarded' where file_name = 'tarde.csv';
    return null;
  end $$`.execute(server.db)
  await sql`create trigger discard_late after insert on import_row
    for each statement execute function discard_late()`.execute(server.db)
  const answer = await upload(client, csvOf([['a', 'b', 'c']]), { name: 'tarde.csv' })
  await sql`drop trigger discard_late on import_row`.execute(server.db)
  expect(refusal(answer)).toEqual([409, 'DISCARDED', 'El archivo se descartó mientras llegaba'])
})

test('so many files of an issuer wait at most', async () => {
  const { ids } = await makeWorld(server.db)
  const issuer = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const { id: created_by } = await server.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  const values = { issuer_id: ids.issuer_id, file_name: 'c.csv', created_by, format: 'csv' }
  const waiting = [...Array(10).fill('received'), ...Array(10).fill('simulated')]
  const [first] = await server.db
    .insertInto('import')
    .values(waiting.map((status) => ({ ...values, status })))
    .returning('id')
    .execute()
  const file = csvOf([['a', 'b', 'c']])
  expect(refusal(await upload(issuer, file))).toEqual([
    ...[409, 'TOO_MANY_WAITING'],
    'Este emisor ya tiene 20 archivos sin aplicar. Aplica o descarta alguno e inténtalo en unos minutos.',
  ])
  await issuer.post(at(first?.id ?? 0, 'discard/'))
  expect((await upload(issuer, file)).status).toBe(201)
})

test('a CSV has so many rows at most', async () => {
  const bytes = Readable.from([Buffer.from('folio\na\nb\nc\n')])
  const { rows } = await readCsv(bytes[Symbol.asyncIterator](), 2)
  await expect(Readable.from(rows).toArray()).rejects.toThrow(
    'El archivo tiene más de 5,000,000 de renglones. Divídelo en varios.',
  )
})

test('an administrator names the issuer; another type of body is refused', async () => {
  const admin = await server.as({ role: 'admin' })
  const file = csvOf([['a', 'b', 'c']])
  expect(refusal(await upload(admin, file))).toEqual([422, 'VALIDATION_ERROR', 'Selecciona el emisor'])
  expect((await upload(admin, file, { query: `&issuer_id=${issuerId}` })).status).toBe(201)
  for (const type of ['application/json', 'application/x-www-form-urlencoded'])
    expect(refusal(await upload(client, file, { type }))).toEqual([
      ...[415, 'UNSUPPORTED_MEDIA_TYPE'],
      'El cuerpo debe ser un archivo: text/csv o de Excel',
    ])
  expect((await upload(client, file, { type: 'Text/CSV; charset=utf-8' })).status).toBe(201)
})

test('a packed body is refused as what it is', async () => {
  const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
  const answer = await client.request('POST', '/api/v1/imports/?name=a.csv', {
    rawBody: csvOf([['a', 'b', 'c']]),
    headers,
  })
  expect(refusal(answer)).toEqual([
    ...[415, 'UNSUPPORTED_MEDIA_TYPE'],
    'El archivo se envía sin comprimir, sin el encabezado Content-Encoding',
  ])
})

test('the row of the header is found, or as a person says', async () => {
  const titles = 'Reporte de leads, noviembre\n\nfolio;estado;estado\na;APROBADA;x\n'
  const found = (await upload(client, titles)).json().data
  expect(found).toMatchObject({ header_row: 3, header: ['folio', 'estado', 'estado (2)'], rows: 1 })
  const query = (row: number) => ({ query: `&header_row=${row}` })
  const none = (await upload(client, 'folio;estado\nb;c\n', query(0))).json().data
  expect(none).toMatchObject({ header_row: 0, header: ['Columna 1', 'Columna 2'], rows: 2 })
  expect((await upload(client, 'x;y\nfolio;estado\nb;c\n', query(2))).json().data).toMatchObject({
    ...{ header_row: 2, header: ['folio', 'estado'], sample: [['b', 'c']] },
  })
  expect(refusal(await upload(client, titles, query(2)))).toEqual([
    ...[422, 'BAD_FILE'],
    'El renglón 2, que elegiste como encabezado, está vacío',
  ])
  expect((await upload(client, titles, query(51))).status).toBe(400)
})

test('another file under the key of one before is another file', async () => {
  const admin = await server.as({ role: 'admin' })
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'un-archivo' }
  const send = (rawBody: string) =>
    admin.request('POST', `/api/v1/imports/?name=marzo.csv&issuer_id=${issuerId}`, { rawBody, headers })
  const answers = [await send('folio,estado\nuno,1'), await send('folio,estado\ndos,2')]
  expect(await Promise.all(answers.map(rowsOf))).toEqual([[['uno', '1']], [['dos', '2']]])
})

test('who uploaded it is a name for its own side alone', async () => {
  const admin = await server.as({ role: 'admin' })
  const { id } = (await upload(admin, 'a,b\n1,2', { query: `&issuer_id=${issuerId}` })).json().data
  const nameFor = async (reader: TestClient) => (await reader.get(at(id))).json().data.created_by_name
  expect([await nameFor(admin), await nameFor(client)]).toEqual([expect.stringMatching(/\S+ \S+/), null])
  const { results } = (await client.get('/api/v1/imports/')).json().data
  expect(results.find((file: { id: number }) => file.id === id).created_by_name).toBeNull()
  await admin.post(at(id, 'discard/'))
})

test('a file can be discarded, and its rows go', async () => {
  const { id } = (await upload(client, csvOf([['a', 'b', 'c']]))).json().data
  expect((await client.post(at(id, 'discard/'))).status).toBe(200)
  expect((await client.get(at(id))).status).toBe(404)
  await expectNothingLeft()
  await expect(whenDone(client, id)).rejects.toThrow()
})

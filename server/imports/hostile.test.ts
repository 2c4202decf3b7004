import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestClient, type TestServer } from '../testing.ts'
import { at, makeWorld, upload, xlsxOf } from './testing.ts'

let server: TestServer
let client: TestClient
beforeAll(async () => {
  server = await startServer()
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

/** An archive of one entry that says to unpack to so much. */
function zipOf(name: string, packed: Buffer, says: number): Uint8Array<ArrayBuffer> {
  const head = (signature: number, size: number) => {
    const bytes = Buffer.alloc(size)
    bytes.writeUInt32LE(signature)
    return bytes
  }
  const local = head(0x04034b50, 30)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(says, 22)
  local.writeUInt16LE(name.length, 26)
  const entry = head(0x02014b50, 46)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(says, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = head(0x06054b50, 22)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  return new Uint8Array(Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]))
}

const zeros = deflateRawSync(Buffer.alloc(30_000_000))
const BROKEN = 'El archivo de Excel está dañado. Ábrelo y guárdalo de nuevo.'
test.each([
  [
    'a bomb that says so',
    zipOf('xl/workbook.xml', zeros, 900_000_000),
    'El archivo de Excel es demasiado grande al abrirlo. Guárdalo como CSV.',
  ],
  ['a bomb that says less', zipOf('[Content_Types].xml', zeros, 1_000), BROKEN],
  ['a bomb that says nothing', zipOf('[Content_Types].xml', zeros, 0), BROKEN],
  ['an archive of something else', zipOf('a.txt', deflateRawSync(Buffer.from('a')), 1), BROKEN],
  ['an archive that breaks off', new Uint8Array(Buffer.from('PK\u0003\u0004 and nothing more')), BROKEN],
])('%s is refused in Spanish, and the server goes on', async (_, file, message) => {
  const answer = await upload(client, file, { name: 'a.xlsx' })
  expect([answer.status, answer.json().meta.code, answer.json().message]).toEqual([422, 'BAD_FILE', message])
  expect((await server.anonymous.get('/healthz')).status).toBe(200)
})

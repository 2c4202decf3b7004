import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DateFormat, guessDateFormat } from '#contract/import-mapping.ts'
import type { ImportDetail, ImportRow } from '#contract/imports.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { FILES, startServer, type TestClient, type TestServer } from '../testing.ts'
import { applied, at, makeWorld, mappingOf, upload, type World, whenDone, xlsxOf } from './testing.ts'

let server: TestServer
let world: World
let client: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())
beforeEach(async () => {
  world = await makeWorld(server.db)
  client = await server.as({ role: 'issuer', issuerId: world.ids.issuer_id })
})

type LeadRow = Awaited<ReturnType<World['lead']>>
const today = dateInMexico()
const HEADER = ['folio', 'estado', 'comisión', 'fecha']
const compared = { reason_column: null, reasons: [], amount_column: 2, date_column: 3 }

/** With semicolons, since amounts have commas. */
const fileOf = (rows: readonly (readonly string[])[]) =>
  [HEADER, ...rows].map((cells) => `${cells.join(';')}\r\n`).join('')
async function simulatedFile(sent: string | Uint8Array<ArrayBuffer>, changes: object = {}): Promise<ImportDetail> {
  const { id } = (await upload(client, sent)).json().data
  const mapped = await client.put(at(id, 'mapping/'), { ...mappingOf(), ...compared, ...changes })
  expect(mapped.status, mapped.text).toBe(200)
  await client.post(at(id, 'simulate/'))
  return (await whenDone(client, id)) as ImportDetail
}
const rowsOf = async ({ id }: { id: number }, query = ''): Promise<ImportRow[]> =>
  (await client.get(at(id, `rows/${query}`))).json().data.results
const remarksOf = async (file: { id: number }) => (await rowsOf(file)).map(({ remarks }) => remarks.join(' '))

test('what rows say is added up over all batches of a file', async () => {
  const { tracking_id } = await world.lead()
  const row = [tracking_id, 'APROBADA', '1,550.10', dayFirst(addDays(today, -40))]
  const file = await simulatedFile(fileOf(Array.from({ length: 5_002 }, () => row)))
  expect(file.remarks).toEqual([
    { remark: 'other_amount', rows: 5_002, said: '7753600.20', known: '2501000.00' },
    { remark: 'before_click', rows: 5_002, said: null, known: null },
  ])
})

test('amounts and dates are compared and shown; what would come of the rows is the same', async () => {
  const leads = await Promise.all(Array.from({ length: 7 }, () => world.lead()))
  const [same, more, early, odd, blank, rejected, requested] = leads as [LeadRow, ...LeadRow[]] as LeadRow[]
  const row = (lead: LeadRow | undefined, ...cells: string[]) => [lead?.tracking_id ?? '', ...cells]
  const file = await simulatedFile(
    fileOf([
      row(same, 'APROBADA', '$500.00', `${dayFirst(today)} 10:41`),
      row(more, 'APROBADA', ' $ 1,550.00 MXN', dayFirst(today)),
      row(early, 'APROBADA', '500', dayFirst(addDays(today, -40))),
      row(odd, 'APROBADA', 'quinientos', '31/02/2026'),
      row(blank, 'APROBADA', '', ''),
      row(rejected, 'RECHAZADA', '0', dayFirst(addDays(today, -40))),
      row(requested, 'SOLICITUD', '25000', dayFirst(today)),
      ['no es un id', 'APROBADA', 'x', 'x'],
    ]),
  )
  expect(file.outcomes.map(({ outcome, rows, amount }) => [outcome, rows, amount])).toEqual([
    ['approve', 5, '2500.00'],
    ['record', 1, '0.00'],
    ['reject', 1, '0.00'],
    ['invalid', 1, '0.00'],
  ])
  expect(file.remarks).toEqual([
    { remark: 'other_amount', rows: 1, said: '1550.00', known: '500.00' },
    { remark: 'unreadable_amount', rows: 1, said: null, known: null },
    { remark: 'before_click', rows: 2, said: null, known: null },
    { remark: 'unreadable_date', rows: 1, said: null, known: null },
  ])
  expect(await remarksOf(file)).toEqual([
    ...['', 'other_amount', 'before_click', 'unreadable_amount unreadable_date', '', 'before_click', '', ''],
  ])
  expect(await rowsOf(file, '?remark=before_click&outcome=approve')).toMatchObject([{ row_no: 4, known_on: today }])
  const sent = (await client.get(`/api/v1/exports/imports/${file.id}/rows/`)).text.split('\r\n')
  expect(sent[0]).toMatch(/,Resultado,Observaciones$/)
  expect(sent[1]).toMatch(/,Se aprobará,500.00,,$/)
  expect(sent[2]).toMatch(/,Otro monto: la comisión es de \$500.00$/)
  expect(sent[3]).toMatch(new RegExp(`,"?Fecha anterior al clic, que fue el ${dayFirst(today)}"?$`))
  expect(sent[4]).toMatch(/,"Monto que no se entiende; Fecha que no se entiende"$/)
  const only = await client.get(`/api/v1/exports/imports/${file.id}/rows/?remark=other_amount`)
  expect(only.text.trim().split('\r\n')).toHaveLength(2)
  // Nothing of it is left out, and it is still shown when it was applied.
  const done = await applied(client, file)
  expect([done.results, done.remarks]).toEqual([[{ result: 'applied', rows: 7, amount: '2500.00' }], file.remarks])
})

test('what was paid, and compensated, is the commission; an event that exists has its day', async () => {
  const [lead, other] = [await world.lead(), await world.lead()]
  const said = (...amounts: string[]) =>
    fileOf([lead, other].map((one, place) => [one.tracking_id, 'APROBADA', amounts[place] ?? '', dayFirst(today)]))
  await applied(client, await simulatedFile(said('500', '500')))
  const admin = await server.as({ role: 'admin' })
  const change = { commission_id: world.commission.id, amount: '600', valid_from: `${addDays(today, 2)}T06:00:00Z` }
  const compensation = { since: today, note: 'Lo acordamos con el banco', entries: 2, amount: '200.00' }
  expect((await admin.post('/api/v1/rates/', { ...change, compensation })).status).toBe(201)
  expect((await simulatedFile(said('600', '500'))).remarks).toEqual([
    { remark: 'other_amount', rows: 1, said: '500.00', known: '600.00' },
  ])
  await sql`update lead_event set occurred_at = now() - interval '3 hours', created_at = ${`${today}T12:00:00-06:00`}
    where lead_id = ${lead.id}`.execute(server.db)
  const later = addDays(today, 1)
  const file = await simulatedFile(
    fileOf([
      [lead.tracking_id, 'APROBADA', '600', dayFirst(today)],
      [other.tracking_id, 'APROBADA', '600', dayFirst(later)],
    ]),
  )
  expect(await remarksOf(file)).toEqual(['', 'other_date'])
  expect((await rowsOf(file))[1]).toMatchObject({ outcome: 'unchanged', known_on: today })
  // Another mapping compares anew; without columns nothing is compared.
  await client.put(at(file.id, 'mapping/'), { ...mappingOf(), ...compared, amount_column: null, date_column: null })
  await client.post(at(file.id, 'simulate/'))
  expect(await whenDone(client, file.id)).toMatchObject({ remarks: [] })
  expect(await remarksOf(file)).toEqual(['', ''])
  expect((await client.get(`/api/v1/exports/imports/${file.id}/rows/`)).text).not.toContain('Observaciones')
})

test('a sheet of Excel says days as dates or as their numbers, and amounts as numbers', async () => {
  const leads = await Promise.all(Array.from({ length: 3 }, () => world.lead()))
  const serial = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569
  const sheet = (cells: (place: number) => [number | string, number | Date | string]) =>
    xlsxOf([HEADER, ...leads.map((lead, place) => [lead.tracking_id, 'APROBADA', ...cells(place)])])
  const early = addDays(today, -40)
  const dates = await simulatedFile(
    await sheet((place) => [place === 0 ? 500.004 : 550.5, new Date(`${place < 2 ? today : early}T00:00:00Z`)]),
  )
  expect(dates.mapping?.date_format).toBe('ymd')
  expect(await remarksOf(dates)).toEqual(['', 'other_amount', 'other_amount before_click'])
  const numbers = await simulatedFile(await sheet((place) => [500, serial(place < 2 ? today : early) + 0.4375]))
  expect(numbers.mapping?.date_format).toBe('serial')
  expect(await remarksOf(numbers)).toEqual(['', '', 'before_click'])
  // The number of a day is none where dates are written another way.
  const asked = await simulatedFile(await sheet(() => [500, serial(today)]), { date_format: 'dmy' })
  expect(await remarksOf(asked)).toEqual(['unreadable_date', 'unreadable_date', 'unreadable_date'])
})

test('how dates are written is asked for where it cannot be seen, kept, and remembered', async () => {
  const lead = await world.lead()
  const file = fileOf([[lead.tracking_id, 'APROBADA', '500', '12/13/2031']])
  const seen = await simulatedFile(file)
  expect([seen.mapping?.date_format, await remarksOf(seen)]).toEqual(['mdy', ['']])
  const next = (await upload(client, file)).json().data as ImportDetail
  expect(next.remembered).toMatchObject({ amount_column: 2, date_column: 3, date_format: 'mdy' })
  const unclear = (await upload(client, fileOf([[lead.tracking_id, 'APROBADA', '500', 'ayer']]))).json().data
  const map = (changes: object) => client.put(at(unclear.id, 'mapping/'), { ...mappingOf(), ...compared, ...changes })
  const refused = await map({})
  expect([refused.status, refused.json().meta.field_errors]).toEqual([
    422,
    { date_format: ['Elige cómo está escrita la fecha'] },
  ])
  expect((await map({ amount_column: 4 })).json().meta.field_errors).toHaveProperty('amount_column')
  expect((await map({ date_column: 99 })).json().meta.field_errors).toHaveProperty('date_column')
  expect((await map({ date_format: 'dmy' })).status).toBe(200)
})

test.each<[string[], DateFormat | null]>([
  [['03/04/2026', '13/04/2026'], 'dmy'],
  [['03/04/2026', '04/13/2026'], 'mdy'],
  [['03/04/2026'], 'dmy'],
  [['13/04/2026', '04/13/2026'], null],
  [['', '2026-04-03T10:00:00Z'], 'ymd'],
  [['2026-04-03', '3.4.2026 10:00'], 'dmy'],
  [['46023', '46024.5'], 'serial'],
  [['46023', '03/04/2026'], null],
  [['pendiente', '13/04/2026'], 'dmy'],
  [['x', '46023'], 'serial'],
  [['', ''], null],
  [['ayer'], null],
])('%j are written as %s', (texts, format) => expect(guessDateFormat(texts)).toBe(format))

test.each([
  ['$1,234.50', '1234.50'],
  ['1234.5', '1234.50'],
  ['MXN 1,234,567', '1234567.00'],
  ['$ 99.90 M.N.', '99.90'],
  ['\u00a0500\u00a0', '500.00'],
  ['-500.00', '-500.00'],
  ['0.1', '0.10'],
  ['0.125', '0.13'],
  ['1234.500', '1234.50'],
  ['1,500', '1500.00'],
  ['1,500.000', '1500.00'],
  ['1.500', null],
  ['$-12.500 MXN', null],
  ['333.655', null],
  ['1.234,50', null],
  ['1,23', null],
  ['1e3', null],
  ['12345678901234567890', null],
  ['٥٠٠', null],
  ['', null],
])('%s is the amount %s', async (said, amount) => {
  const { rows } = await sql<{ amount: string | null }>`select amount_in(${said}) as amount`.execute(server.db)
  expect(rows[0]?.amount).toBe(amount)
})

test.each([
  ['31/12/2026', 'dmy', '2026-12-31'],
  ['1-2-2026 23:59', 'dmy', '2026-02-01'],
  ['12/31/2026', 'mdy', '2026-12-31'],
  ['2026-12-31T23:59:00-06:00', 'dmy', '2026-12-31'],
  ['2026/12/31', 'ymd', '2026-12-31'],
  ['46387.99', 'serial', '2026-12-31'],
  ['29/02/2028', 'dmy', '2028-02-29'],
  ['29/02/2026', 'dmy', null],
  ['31/12/2026', 'mdy', null],
  ['31/12/2026', 'ymd', null],
  ['00/12/2026', 'dmy', null],
  ['31/12/26', 'dmy', null],
  ['2026-00-10', 'ymd', null],
  ['9999-12-31', 'ymd', null],
  ['99999', 'serial', null],
  ['46387', 'dmy', null],
  ['31/12/2026abc', 'dmy', null],
  ['٣١/١٢/٢٠٢٦', 'dmy', null],
])('%s, as %s, is the day %s', async (said, format, day) => {
  const { rows } = await sql<{ day: string | null }>`select day_in(${said}, ${format}) as day`.execute(server.db)
  expect(rows[0]?.day).toBe(day)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PrivacyFile } from '#contract/privacy.ts'
import { readConfig } from '../config.ts'
import { applied, at, csvOf, makeWorld, mappingOf, simulated, upload, type World } from '../imports/testing.ts'
import { FILES, startServer, type TestClient, type TestServer, unique, untilLockWait } from '../testing.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'
import { retainAndRest } from './retention.ts'

const { retention: TERMS } = readConfig({})
const grounds = { folio: 'ARCO-2026-014', reason: 'Solicitud del titular' }

let server: TestServer
let admin: TestClient
let issuer: TestClient
let world: World
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())
beforeEach(async () => {
  world = await makeWorld(server.db)
  issuer = await server.as({ role: 'issuer', issuerId: world.ids.issuer_id })
})

type LeadRow = Awaited<ReturnType<World['lead']>>
const NAMES = ['folio', 'estado', 'motivo', 'cliente', 'tarjeta']
const CARD = '4111 1111 1111 1111'
const line = ({ tracking_id }: LeadRow, state: string, name: string) => [tracking_id, state, '', name, CARD]
const textOf = (...rows: string[][]) => csvOf(rows, NAMES)

const fileOf = async ({ id }: LeadRow): Promise<PrivacyFile> =>
  (await admin.post(`/api/v1/privacy/leads/${id}/file/`, grounds)).json().data
const erase = async ({ id }: LeadRow): Promise<number> =>
  (await admin.post(`/api/v1/privacy/leads/${id}/erase/`, grounds)).json().data.file_rows
const named = async (lead: LeadRow) =>
  (await fileOf(lead)).file_rows.map(({ row_no, cells }) => [row_no, cells.cliente])
const rowsOf = (id: number) =>
  server.db.selectFrom('import_row').selectAll().where('import_id', '=', id).orderBy('row_no').execute()
const entriesOf = ({ id }: LeadRow) =>
  server.db.selectFrom('commission_entry').selectAll().where('lead_id', '=', id).execute()

test('access shows what files say of a lead by the names of their columns, masked as it is held', async () => {
  const [lead, other] = [await world.lead(), await world.lead()]
  const file = textOf(line(other, 'APROBADA', 'Luis Otro'), line(lead, 'APROBADA', 'Marta Ruiz'))
  const { id } = await applied(issuer, await simulated(issuer, file))
  const { file_rows } = await fileOf(lead)
  expect(file_rows).toEqual([
    {
      ...{ import: id, file_name: 'marzo.csv', row_no: 3, created_at: expect.any(String) },
      cells: {
        ...{ folio: lead.tracking_id, estado: 'APROBADA', motivo: '', cliente: 'Marta Ruiz' },
        tarjeta: expect.not.stringContaining('4111 1111'),
      },
    },
  ])
})

test('an erasure takes the texts of its rows and leaves what the ledger needs, and the rows of others', async () => {
  const [lead, other] = [await world.lead(), await world.lead()]
  const file = textOf(line(lead, 'APROBADA', 'Marta Ruiz'), line(other, 'APROBADA', 'Luis Otro'))
  const { id } = await applied(issuer, await simulated(issuer, file))
  const [rows, entries] = [await rowsOf(id), await entriesOf(lead)]
  expect(await erase(lead)).toBe(1)
  expect(await rowsOf(id)).toEqual(rows.map((row) => (row.lead_id === lead.id ? { ...row, cells: null } : row)))
  expect(await entriesOf(lead)).toEqual(entries)
  expect([await named(lead), await named(other)]).toEqual([[], [[3, 'Luis Otro']]])
  const whole = await issuer.get(`/api/v1/explain/entry/${entries[0]?.id}/`)
  expect(whole.text).toContain(`Renglón 2 de la conciliación ${id}`)
  expect(whole.text + (await issuer.get(at(id, 'rows/'))).text).not.toContain('Marta')
  expect(await erase(lead)).toBe(0)
  // It can still be undone.
  await issuer.post(at(id, 'undo-preview/'))
  await expectNoDrift(server.db)
  await expectConserved(server.db)
})

test('rows that were ignored, that name two leads or that nobody mapped yet are found and erased too', async () => {
  const external_id = `marta${unique()}`
  const [lead, same] = [await world.lead({ external_id }), await world.lead({ external_id })]
  const other = await world.lead()
  const pending = textOf(line(lead, 'PENDIENTE', 'Ignorada'), line(other, 'PENDIENTE', 'Luis Otro'))
  const { id: ignored } = await simulated(issuer, pending)
  // By which they are found at once.
  expect((await rowsOf(ignored)).map(({ lead_id }) => lead_id)).toEqual([lead.id, other.id])
  const { product_id } = world.ids
  await simulated(
    issuer,
    textOf([external_id, 'APROBADA', '', 'De dos', ''], ['marta', 'APROBADA', '', 'Ajena', external_id]),
    mappingOf({ key: 'external_id', product_id }),
  )
  const unmapped = textOf(['1', 'X', '', 'Sin columnas', lead.tracking_id.toUpperCase()], line(other, 'X', 'Luis Otro'))
  expect((await upload(issuer, unmapped)).status).toBe(201)
  const stranger = await makeWorld(server.db)
  const foreign = await server.as({ role: 'issuer', issuerId: stranger.ids.issuer_id })
  await simulated(foreign, textOf(line(lead, 'PENDIENTE', 'De otro emisor')))
  expect((await named(lead)).map(([, name]) => name)).toEqual(['Ignorada', 'De dos', 'Sin columnas'])
  expect((await named(same)).map(([, name]) => name)).toEqual(['De dos'])
  expect(await erase(lead)).toBe(3)
  expect([await named(lead), await named(same)]).toEqual([[], []])
  expect(await named(other)).toHaveLength(2)
})

test('rows that were erased while somebody waited for their lead are neither shown nor counted again', async () => {
  const lead = await world.lead()
  const whileErased = async <T>(run: (of: LeadRow) => Promise<T>): Promise<T> => {
    const file = textOf(['1', 'X', '', 'Marta Ruiz', lead.tracking_id])
    const { id } = (await upload(issuer, file)).json().data
    const { asked } = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('lead').select('id').where('id', '=', lead.id).forNoKeyUpdate().execute()
      const waiting = { asked: run(lead) }
      await untilLockWait(server.db)
      await sql`update import_row set cells = null where import_id = ${id}`.execute(tx)
      return waiting
    })
    return asked
  }
  expect(await whileErased(named)).toEqual([])
  expect(await whileErased(erase)).toBe(0)
})

test('what a mapping repeats of the texts of a lead goes with them, unless another row says it too', async () => {
  const [lead, other] = [await world.lead(), await world.lead()]
  const own = `Marta Ruiz no contesta el ${unique()}`
  const mapping = mappingOf({
    values: [...mappingOf().values, { value: own, action: 'reject', event_type_id: null }],
    reasons: ['buró', own].map((value) => ({ value, code: 'no_contactado' })),
  })
  const row = ({ tracking_id }: LeadRow, state: string, reason: string) => [tracking_id, state, reason, '', '']
  const file = textOf(row(lead, 'RECHAZADA', own), row(other, 'RECHAZADA', 'buró'))
  const { id } = await applied(issuer, await simulated(issuer, file, mapping))
  const both = textOf(row(lead, own, 'buró'), row(other, own, 'buró'))
  const shared = await simulated(issuer, both, mapping)
  const copied = await simulated(issuer, textOf(row(other, 'PENDIENTE', 'buró')), mapping)
  const remembered = (await upload(issuer, textOf(row(other, 'PENDIENTE', '')))).json().data.id
  const mapped = async (one: number) => {
    const { mapping: found, remembered: before } = (await issuer.get(at(one))).json().data
    const { values, reasons } = found ?? before
    return [...values, ...reasons]
      .map(({ value }: { value: string }) => value)
      .filter((value) => !value.match(/^[A-Z]+$/))
  }
  expect(await mapped(id)).toEqual([own, 'buró', own])
  expect(await erase(lead)).toBe(2)
  expect(await mapped(id)).toEqual(['buró'])
  // The other lead's row says it of itself.
  expect(await mapped(shared.id)).toEqual([own, 'buró'])
  expect(await mapped(copied.id)).toEqual(['buró'])
  expect(await mapped(remembered)).toEqual(['buró'])
  expect(await erase(other)).toBe(4)
  expect(await mapped(shared.id)).toEqual([])
})

test('a file that nobody applied is discarded after 90 days', async () => {
  const lead = await world.lead()
  const old = await simulated(issuer, textOf(line(lead, 'APROBADA', 'Marta Ruiz')))
  const recent = await simulated(issuer, textOf(line(lead, 'APROBADA', 'Marta Ruiz')))
  const touch = (days: number, { id }: { id: number }) =>
    sql`update import set touched_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(server.db)
  await touch(91, old)
  await touch(89, recent)
  await retainAndRest(server.db, TERMS)
  expect([(await issuer.get(at(old.id))).status, (await issuer.get(at(recent.id))).status]).toEqual([404, 200])
  await expect.poll(() => rowsOf(old.id)).toEqual([])
  expect(await rowsOf(recent.id)).toHaveLength(1)
})

test('texts go after 24 months with what leads and events say, whatever became of the file; outcomes stay', async () => {
  const [lead, young] = [await world.lead(), await world.lead()]
  const old = await applied(
    issuer,
    await simulated(issuer, textOf(...[lead, lead, lead].map((one) => line(one, 'APROBADA', 'Marta Ruiz')))),
  )
  const recent = await simulated(issuer, textOf(line(young, 'APROBADA', 'Luis Otro')))
  const rows = await rowsOf(old.id)
  await sql`update import set created_at = now() - interval '25 months' where id = ${old.id}`.execute(server.db)
  // By batches smaller than the file.
  while ((await retainAndRest(server.db, TERMS, { batchRows: 2 })) < 1_000);
  expect(await rowsOf(old.id)).toEqual(rows.map((row) => ({ ...row, cells: null })))
  expect((await issuer.get(at(old.id))).json().data.mapping).toMatchObject({ values: [], reasons: [], key_column: 0 })
  expect(await named(young)).toEqual([[2, 'Luis Otro']])
  expect(recent.status).toBe('simulated')
  const [entry] = await entriesOf(lead)
  expect((await admin.get(`/api/v1/explain/entry/${entry?.id}/`)).text).toContain(`conciliación ${old.id}`)
  expect((await issuer.get(at(old.id, 'rows/'))).json().data.results[0]).toMatchObject({ cells: [], result: 'applied' })
  await expectConserved(server.db)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeImport } from '#db/factories.ts'
import { startServer, type TestServer, untilLockWait } from '../testing.ts'
import { applied, at, csvOf, makeWorld, simulated } from './testing.ts'
import { importAndRest } from './work.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('a file that names one lead in nearly all its rows is simulated', async () => {
  const { ids, lead } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const [many, last] = [await lead(), await lead()]
  const rows = Array.from({ length: 40_000 }, () => [many.tracking_id, 'APROBADA', ''])
  const file = await simulated(client, csvOf([...rows, [last.tracking_id, 'APROBADA', '']]))
  expect(file.outcomes).toEqual([
    { outcome: 'approve', rows: 2, amount: '1000.00' },
    { outcome: 'repeated', rows: 39_999, amount: '0.00' },
  ])
}, 60_000)

test('a file is applied, however many rows that change nothing are between two that do', async () => {
  const { ids, lead } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const leads = [await lead(), await lead()]
  const file = await simulated(client, csvOf(leads.map(({ tracking_id }) => [tracking_id, 'APROBADA', ''])))
  await sql`update import_row set row_no = 300000 where import_id = ${file.id} and row_no = 3`.execute(server.db)
  await sql`update import set last_row = 300000 where id = ${file.id}`.execute(server.db)
  await sql`insert into import_row (import_id, row_no, cells, lead_id, tracking_id, step_id, outcome)
    select import_id, later, cells, lead_id, tracking_id, step_id, 'repeated'
    from import_row cross join generate_series(3, 299999) as later
    where import_id = ${file.id} and row_no = 2`.execute(server.db)
  const done = await applied(client, file)
  expect(done.results).toEqual([{ result: 'applied', rows: 2, amount: '1000.00' }])
}, 60_000)

test('a file is discarded while it is simulated, once the batch under way has ended', async () => {
  const { ids } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const unreadable = JSON.stringify({ key_column: 'a' })
  const { id } = await makeImport(server.db, ids.issuer_id, { mapping: unreadable })
  const batch = await server.db.startTransaction().execute()
  await batch.updateTable('import').set({ status: 'simulating', done: 1 }).where('id', '=', id).execute()
  const discarding = client.post(at(id, 'discard/'))
  await untilLockWait(server.db)
  await batch.commit().execute()
  expect((await discarding).status).toBe(200)
  expect((await client.get(at(id))).status).toBe(404)
  await importAndRest(server.appDb)
  const rows = () => server.db.selectFrom('import_row').select('row_no').where('import_id', '=', id).execute()
  await expect.poll(rows).toEqual([])
})

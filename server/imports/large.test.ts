import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportOutcome } from '#contract/imports.ts'
import type { Tx } from '#db/connect.ts'
import { makeImport } from '#db/factories.ts'
import { FILES, startServer, type TestServer, untilLockWait } from '../testing.ts'
import { nextRows } from './next-rows.ts'
import { applied, at, csvOf, makeWorld, simulated, whenDone } from './testing.ts'
import { importAndRest } from './work.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())

/** More than two windows of an application (next-rows.ts). */
const ROWS = 8_500

/** What PostgreSQL reads of all files for something, once all rows of a file have this outcome. */
const rowsRead = (id: number, outcome: ImportOutcome | null, work: (tx: Tx) => Promise<unknown>): Promise<number> =>
  server.db.transaction().execute(async (tx) => {
    const soFar = async () => {
      const { rows } = await sql<{ rows: number }>`select (seq_tup_read + idx_tup_fetch)::int as rows
        from pg_stat_xact_user_tables where relname = 'import_row'`.execute(tx)
      return rows[0]?.rows ?? 0
    }
    await tx.updateTable('import_row').set({ outcome }).where('import_id', '=', id).execute()
    const before = await soFar()
    await work(tx)
    return (await soFar()) - before
  })
const rowsJudged = (id: number): Promise<number> =>
  rowsRead(id, null, (tx) => sql`select count(*) from judge_import_rows(${id}, 0, ${ROWS + 2})`.execute(tx))

test('a file that names one lead in nearly all its rows is simulated, each row read a few times, and a batch of it without the rest', async () => {
  const { ids, lead } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const [many, last] = [await lead(), await lead()]
  const rows = Array.from({ length: ROWS }, () => [many.tracking_id, 'APROBADA', ''])
  const file = await simulated(client, csvOf([...rows, [last.tracking_id, 'APROBADA', '']]))
  expect(file.outcomes).toEqual([
    { outcome: 'approve', rows: 2, amount: '1000.00', charge: '0.00' },
    { outcome: 'repeated', rows: ROWS - 1, amount: '0.00', charge: '0.00' },
  ])
  expect(await rowsJudged(file.id)).toBeLessThan(20 * ROWS)
  // As a file is applied that came just now, of which PostgreSQL knows nothing yet.
  const batch = () =>
    rowsRead(file.id, 'approve', (tx) => nextRows(tx, { id: file.id, done: 100, last_row: ROWS + 2 }, null, 10))
  expect(await batch()).toBeLessThan(300)
  await sql`analyze import_row`.execute(server.db)
  expect(await batch()).toBeLessThan(300)
  expect(await rowsJudged(file.id)).toBeLessThan(20 * ROWS)
})

test('where nothing is to be done for thousands of rows, a file goes on to its end, applied and undone', async () => {
  const { ids, lead } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const [many, last] = [await lead(), await lead()]
  const rows = Array.from({ length: ROWS }, () => [many.tracking_id, 'APROBADA', ''])
  const { id, results } = await applied(
    client,
    await simulated(client, csvOf([...rows, [last.tracking_id, 'APROBADA', '']])),
  )
  expect(results).toEqual([{ result: 'applied', rows: 2, amount: '1000.00' }])
  await client.post(at(id, 'undo-preview/'))
  const { previewed_at } = await whenDone(client, id)
  await client.post(at(id, 'undo/'), { reason: 'Otro archivo', previewed_at })
  expect(await whenDone(client, id)).toMatchObject({
    status: 'undone',
    undo: [{ undo: 'take_back', rows: 2, amount: '-1000.00' }],
  })
})

test('of the rows between two that change something, none that changes nothing is judged again', async () => {
  const { ids, lead } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const [first, last] = [await lead(), await lead()]
  const between = Array.from({ length: 20 }, () => [first.tracking_id, 'APROBADA', ''])
  const file = await simulated(
    client,
    csvOf([[first.tracking_id, 'APROBADA', ''], ...between, [last.tracking_id, 'APROBADA', '']]),
  )
  const judged = await sql`select row_no from judge_import_rows(${file.id}, 0, 100)`.execute(server.db)
  expect(judged.rows).toHaveLength(2)
  const done = await applied(client, file)
  expect(done.results).toEqual([{ result: 'applied', rows: 2, amount: '1000.00' }])
})

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

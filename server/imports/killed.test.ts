import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeImport } from '#db/factories.ts'
import { idAt } from '#db/lead-ids.ts'
import { FILES, startServer, type TestServer } from '../testing.ts'
import { readDrift } from '../totals/recount.ts'
import { at, csvOf, makeWorld, mappingOf, simulated, upload, whenDone } from './testing.ts'
import { importAndRest } from './work.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())

/** Three batches. */
const LEADS = 450

/** Ends the connection of a batch that is held up in the middle: what it was doing never happened. Whether there was one. */
const cutOff = async () => {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_locks as waiting join pg_locks as turn using (pid)
    where not waiting.granted and waiting.relation = 'commission_entry'::regclass
      and turn.granted and turn.relation = 'import'::regclass`.execute(server.db)
  return rows.length > 0
}
const PATIENCE = { timeout: 100_000, interval: 100 }

/** Beside the server, which rests after a failure. */
const work = () => importAndRest(server.appDb).catch(() => undefined)

test('cut off again and again, a file is applied whole and undone whole, each row once', async () => {
  const { ids } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const leads = Array.from({ length: LEADS }, (_, index) => ({ ...ids, tracking_id: idAt(Date.now() - index) }))
  await server.db.insertInto('lead').values(leads).execute()
  const file = await simulated(client, csvOf(leads.map(({ tracking_id }) => [tracking_id, 'APROBADA', ''])))
  const count = async (table: 'lead_event' | 'commission_entry', condition = sql<boolean>`true`) =>
    (
      await server.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(condition)
        .executeTakeFirstOrThrow()
    ).count
  const data = async () => {
    const answer = await client.get(at(file.id)).catch(() => undefined)
    return answer?.status === 200 ? answer.json().data : undefined
  }
  const isDone = async () => (await data())?.status.endsWith('ing') === false
  const untilWorked = (is: () => Promise<boolean>) =>
    vi.waitFor(async () => {
      await work()
      expect(await is()).toBe(true)
    }, PATIENCE)
  /** Cut off in the middle of a batch, then again when some more rows are done. */
  const hindered = async (path: string, body: object, rowsDone: () => Promise<number>) => {
    for (let times = 0; times < 2; times += 1) {
      const lock = await server.db.startTransaction().execute()
      await sql`lock table commission_entry in share mode`.execute(lock)
      if (times === 0) expect((await client.post(at(file.id, path), body)).status).toBe(202)
      const before = await rowsDone()
      const turn = work()
      await vi.waitFor(async () => expect((await cutOff()) || (await isDone())).toBe(true), PATIENCE)
      await lock.rollback().execute()
      await turn
      await untilWorked(async () => (await rowsDone()) !== before || (await isDone()))
    }
    await untilWorked(isDone)
    return data()
  }
  const applied = await hindered('apply/', { simulated_at: file.simulated_at }, () => count('lead_event'))
  expect(applied.results).toEqual([{ result: 'applied', rows: LEADS, amount: `${LEADS * 500}.00` }])
  expect([await count('lead_event'), await count('commission_entry')]).toEqual([LEADS, LEADS])
  await client.post(at(file.id, 'undo-preview/'))
  const { previewed_at } = await whenDone(client, file.id)
  const undoing = { reason: 'El banco mandó otro archivo', previewed_at }
  const undone = await hindered('undo/', undoing, () => count('lead_event', sql`is_voided`))
  expect([undone.status, undone.undo]).toEqual([
    'undone',
    [{ undo: 'take_back', rows: LEADS, amount: `-${LEADS * 500}.00` }],
  ])
  expect(await count('commission_entry', sql`state <> 'reversed'`)).toBe(0)
  expect(await count('lead_event', sql`not is_voided`)).toBe(0)
  expect(await readDrift(server.db)).toEqual([])
}, 300_000)

test('a file of which each batch fails keeps no other from its turn', async () => {
  const { ids, lead } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const touched_at = '2025-01-01T00:00:00.000Z'
  const mapping = JSON.stringify({ key_column: 'a' })
  const bad = await makeImport(server.db, ids.issuer_id, { status: 'simulating', mapping, touched_at })
  const { id } = (await upload(client, csvOf([[(await lead()).tracking_id, 'APROBADA', '']]))).json().data
  await client.put(at(id, 'mapping/'), mappingOf())
  await client.post(at(id, 'simulate/'))
  for (let turn = 0; turn < 4; turn += 1) await work()
  expect((await whenDone(client, id)).outcomes).toMatchObject([{ outcome: 'approve', rows: 1 }])
  const left = await server.db
    .updateTable('import')
    .set({ status: 'received' })
    .where('id', '=', bad.id)
    .where('status', '=', 'simulating')
    .returning('touched_at')
    .executeTakeFirstOrThrow()
  expect(Date.parse(left.touched_at)).toBeGreaterThan(Date.now())
})

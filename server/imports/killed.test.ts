import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const LEADS = 2_200

/** Ends every connection of the server: whatever it was doing in a transaction never happened. */
const cutOff = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename <> current_user and pid <> pg_backend_pid()`.execute(server.db)

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
  /** Cut off while the server works on what was asked for. */
  const hindered = async (path: string, body: object) => {
    expect((await client.post(at(file.id, path), body)).status).toBe(202)
    for (let times = 0; times < 5; times += 1) {
      await wait(60)
      await cutOff()
    }
    for (;;) {
      const answer = await client.get(at(file.id)).catch(() => undefined)
      if (answer?.status === 200 && !answer.json().data.status.endsWith('ing')) return answer.json().data
      await wait(200)
    }
  }
  const applied = await hindered('apply/', { simulated_at: file.simulated_at })
  expect(applied.results).toEqual([{ result: 'applied', rows: LEADS, amount: `${LEADS * 500}.00` }])
  expect([await count('lead_event'), await count('commission_entry')]).toEqual([LEADS, LEADS])
  await client.post(at(file.id, 'undo-preview/'))
  const { previewed_at } = await whenDone(client, file.id)
  const undone = await hindered('undo/', { reason: 'El banco mandó otro archivo', previewed_at })
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
  // Beside the server, which rests after a failure.
  for (let turn = 0; turn < 4; turn += 1) await importAndRest(server.appDb).catch(() => undefined)
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

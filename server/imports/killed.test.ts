import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idAt } from '#db/lead-ids.ts'
import { startServer, type TestServer } from '../testing.ts'
import { readDrift } from '../totals/recount.ts'
import { at, csvOf, makeWorld, simulated, whenDone } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
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
}, 120_000)

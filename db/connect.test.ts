import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from './connect.ts'
import { listen } from './listen.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
let db: Db
const lost: Error[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, { max: 2, onError: (error) => lost.push(error) })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('rows arrive in wire shape, also inside arrays', async () => {
  const { rows } = await sql`select
    9007199254740991::bigint as big, 1500.50::numeric(14,2) as money, '2026-02-28'::date as day,
    '2026-01-31 18:00:00.123456-06'::timestamptz as moment, null::timestamptz as never,
    array[1,NULL]::bigint[] as bigs, array[0.10]::numeric[] as moneys, array['2026-01-01'::date] as days,
    array['2026-01-01 00:00:00+00'::timestamptz] as moments, 'infinity'::timestamptz as forever`.execute(db)
  expect(rows).toEqual([
    {
      big: 9007199254740991,
      money: '1500.50',
      day: '2026-02-28',
      moment: '2026-02-01T00:00:00.123Z',
      never: null,
      bigs: [1, null],
      moneys: ['0.10'],
      days: ['2026-01-01'],
      moments: ['2026-01-01T00:00:00.000Z'],
      forever: 'infinity',
    },
  ])
})

test('the application role may not delete history', async () => {
  const limited = connect(database.url, { max: 1, role: 'afluente_app' })
  await expect(limited.deleteFrom('lead').execute()).rejects.toMatchObject({ code: '42501' })
  await limited.destroy()
})

test('a statement ends at its time limit', async () => {
  const impatient = connect(database.url, { max: 1, statementTimeoutMs: 1_000 })
  await expect(sql`select pg_sleep(10)`.execute(impatient)).rejects.toMatchObject({ code: '57014' })
  await impatient.destroy()
})

test('a commit that waits for another transaction ends at the time limit, too', async () => {
  await sql`create table seat (number int unique deferrable initially deferred)`.execute(db)
  const impatient = connect(database.url, { max: 1, statementTimeoutMs: 1_000 })
  const take = sql`insert into seat values (1)`
  await db.transaction().execute(async (tx) => {
    await take.execute(tx)
    const committing = impatient.transaction().execute((other) => take.execute(other))
    await expect(committing).rejects.toMatchObject({ code: '55P03' })
  })
  await impatient.destroy()
})

test('losing every connection costs no more than the queries under way', async () => {
  const busy = expect(sql`select pg_sleep(20)`.execute(db)).rejects.toMatchObject({ code: '57P01' })
  const killer = connect(database.url, { max: 1 })
  const kill = sql<{ ended: number }>`select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(20)%'`
  await expect.poll(async () => (await kill.execute(killer)).rows[0]?.ended).toBeGreaterThan(0)
  await busy
  const { rows } = await sql`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  await killer.destroy()
})

test('a connection that no longer takes writes is replaced by a new one', async () => {
  const single = connect(database.url, { max: 1 })
  const write = sql`create table if not exists taken (number int)`
  await sql`set default_transaction_read_only = on`.execute(single)
  await expect(single.transaction().execute((tx) => write.execute(tx))).rejects.toMatchObject({ code: '25006' })
  await write.execute(single)
  await single.destroy()
})

test('a listener hears messages, and again after losing its connection', async () => {
  const heard: string[] = []
  let reconnects = 0
  const listener = listen(
    database.url,
    'greeting',
    (text) => heard.push(text),
    () => (reconnects += 1),
  )
  await listener.connected
  const say = (text: string) => sql`select pg_notify('greeting', ${text})`.execute(db)
  await say('hello')
  await expect.poll(() => heard).toEqual(['hello'])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'afluente listen'`.execute(db)
  await expect.poll(() => reconnects).toBe(1)
  await say('again')
  await expect.poll(() => heard).toEqual(['hello', 'again'])
  await listener.close()
})

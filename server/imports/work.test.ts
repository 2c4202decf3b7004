import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ImportMapping } from '#contract/import-mapping.ts'
import { connect, type Db } from '#db/connect.ts'
import { makeImport } from '#db/factories.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { untilLockWait } from '../testing.ts'
import { makeWorld, mappingOf } from './testing.ts'
import { importAndRest } from './work.ts'

// Without a server, which would merge and simulate by itself.
let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, { max: 4 })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Under a mapping that means them. */
const makeSimulating = (issuerId: number, cell: string, columns = {}) => {
  const mapping = JSON.stringify(ImportMapping.parse(mappingOf()))
  return makeImport(db, issuerId, { status: 'simulating', mapping, cell, ...columns })
}

test('a lead whose partition is merged while its file is simulated is found', async () => {
  const { ids, lead } = await makeWorld(db)
  const { tracking_id } = await lead({ created_at: '2025-06-10T18:00:00Z' })
  await sql`select cut_leads('2025-06-11T06:00:00Z')`.execute(db)
  await lead({ created_at: '2025-06-11T18:00:00Z' })
  await sql`select cut_leads('2025-06-12T06:00:00Z')`.execute(db)
  await sql`select close_partition(name)
    from (select name from lead_partition where end_id is not null order by first_id) as ended`.execute(db)
  const { id } = await makeSimulating(ids.issuer_id, tracking_id)
  const merging = await db.startTransaction().execute()
  const { rows } = await sql`
    select merge_partitions(array(select name from lead_partition where leads is not null order by first_id)) as done
  `.execute(merging)
  expect(rows).toEqual([{ done: true }])
  const matched = importAndRest(db)
  await untilLockWait(db)
  await merging.commit().execute()
  await matched
  await importAndRest(db)
  const file = await db.selectFrom('import').select(['status', 'outcomes']).where('id', '=', id).executeTakeFirst()
  expect(file).toMatchObject({ status: 'simulated', outcomes: [{ outcome: 'approve', rows: 1 }] })
})

test.each([
  { what: 'a refusal', code: 'P0001', rests: true },
  { what: 'a deadlock, which another attempt may not meet', code: '40P01', rests: false },
])('of a batch that meets $what the cause is told', async ({ code, rests }) => {
  const { ids, lead } = await makeWorld(db)
  const [first, second] = [await lead(), await lead()]
  const { id } = await makeSimulating(ids.issuer_id, first.tracking_id, { rows: 2, last_row: 3 })
  const cells = JSON.stringify([second.tracking_id, 'APROBADA'])
  await db.insertInto('import_row').values({ import_id: id, row_no: 3, cells }).execute()
  for (const _ of ['matched', 'judged']) await importAndRest(db)
  await sql`update import set status = 'applying', done = 0, applied_at = now(), applied_by = created_by, undo_until = now()
    where id = ${id}`.execute(db)
  await sql`create or replace function refuse() returns trigger language plpgsql as $$ begin
    raise exception 'boom' using errcode = tg_argv[0];
  end $$`.execute(db)
  await sql`create trigger refuse before insert on lead_event
    for each row execute function refuse(${sql.lit(code)})`.execute(db)
  await expect(importAndRest(db)).rejects.toThrow('boom')
  const restsNow = sql<boolean>`touched_at > now()`.as('rests')
  const file = db.selectFrom('import').where('id', '=', id)
  expect(await file.select(restsNow).executeTakeFirst()).toEqual({ rests })
  await sql`drop trigger refuse on lead_event`.execute(db)
  for (const _ of ['applied', 'ended']) await importAndRest(db)
  expect(await file.select('results').executeTakeFirst()).toMatchObject({ results: [{ result: 'applied', rows: 2 }] })
})

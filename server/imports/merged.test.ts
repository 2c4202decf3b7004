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

test('a lead whose partition is merged while its file is simulated is found', async () => {
  const { ids, lead } = await makeWorld(db)
  const { tracking_id } = await lead({ created_at: '2025-06-10T18:00:00Z' })
  await sql`select cut_leads('2025-06-11T06:00:00Z')`.execute(db)
  await lead({ created_at: '2025-06-11T18:00:00Z' })
  await sql`select cut_leads('2025-06-12T06:00:00Z')`.execute(db)
  await sql`select close_partition(name)
    from (select name from lead_partition where end_id is not null order by first_id) as ended`.execute(db)
  const mapping = JSON.stringify(ImportMapping.parse(mappingOf()))
  const { id } = await makeImport(db, ids.issuer_id, { status: 'simulating', mapping, cell: tracking_id })
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

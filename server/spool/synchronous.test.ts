import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makePair } from '#db/factories.ts'
import { migrate } from '#db/migrate.ts'
import { endPool, openPool } from '#db/pool.ts'
import { startTemporaryCluster } from '#db/test-cluster.ts'
import { insertLeads, type LeadRecord } from './lead-rows.ts'
import { makeRecord } from './records.testing.ts'

let cluster: Awaited<ReturnType<typeof startTemporaryCluster>>
let db: Db
beforeAll(async () => {
  cluster = await startTemporaryCluster()
  await migrate(cluster.url)
  db = connect(cluster.url, { max: 1 })
})
afterAll(async () => {
  await db.destroy()
  await cluster.stop()
})

const QUICKLY_MS = 500
const IN_THE_END_MS = 20_000

async function store(leads: LeadRecord[], milliseconds: number): Promise<void> {
  const pool = openPool(cluster.url, { max: 1 })
  await insertLeads(pool, leads, milliseconds).finally(() => endPool(pool))
}

const standbys = sql<{ names: string }>`select current_setting('synchronous_standby_names') as names`

async function waitForStandby(name: string): Promise<void> {
  await sql`alter system set synchronous_standby_names = ${sql.lit(name)}`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await expect.poll(async () => (await standbys.execute(db)).rows[0]?.names).toBe(name)
}

test('leads that are there already count as stored only once a standby has them', async () => {
  const leads = [makeRecord((await makePair(db)).ids)]
  await store(leads, IN_THE_END_MS)
  await sql`set synchronous_commit = off`.execute(db)
  await sql`alter database afluente set synchronous_commit = on`.execute(db)
  await waitForStandby('absent')
  // A primary that crashed shows commits that no standby has when it is back.
  await expect(store(leads, QUICKLY_MS)).rejects.toThrow('Query read timeout')
  await waitForStandby('')
  await store(leads, IN_THE_END_MS)
})

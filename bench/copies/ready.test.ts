import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makePair } from '#db/factories.ts'
import { migrate } from '#db/migrate.ts'
import { endPool, openPool } from '#db/pool.ts'
import { readyServerRole, serverUrlOf } from '#db/server-role.ts'
import { findDatabaseFault } from '#server/health.ts'
import { insertLeads, type LeadRecord } from '#server/spool/lead-rows.ts'
import { makeRecord } from '#server/spool/records.testing.ts'
import { makeFolder, removeFolder, SECRET } from '../clicks/world.ts'
import { openPair, type Pair } from './pair.ts'

let folder: string
let pair: Pair
/** As a server of each machine works with it. */
let primary: Db
let standby: Db
beforeAll(async () => {
  folder = makeFolder()
  pair = await openPair(folder)
  const ownerUrl = pair.primary.url
  const serverUrl = serverUrlOf(ownerUrl, SECRET)
  await migrate(ownerUrl)
  await readyServerRole({ ownerUrl, serverUrl, isOurs: true })
  const role = 'afluente_app'
  primary = connect(serverUrl, { max: 1, role })
  standby = connect(serverUrlOf(pair.standby.url, SECRET), { max: 1, role })
})
afterAll(async () => {
  await Promise.all([primary.destroy(), standby.destroy()])
  await pair.stop()
  removeFolder(folder)
})

const required = { requireSync: true }
const PATIENCE = { timeout: 60_000 }

const ofPrimary = () => findDatabaseFault(primary, required)
async function nameStandbys(names: string): Promise<void> {
  await pair.primary.ask(`alter system set synchronous_standby_names = '${names}'`)
  await pair.primary.ask('select pg_reload_conf()')
}

test('a standby is not ready, its primary is', async () => {
  // The role and the tables reach it a moment later.
  const ofStandby = () => findDatabaseFault(standby, required).catch((error: Error) => error.message)
  await expect.poll(ofStandby, PATIENCE).toBe('read only')
  expect(await ofPrimary()).toBeUndefined()
})

test('a standby that no commit waits for is not enough where one is required', async () => {
  await nameStandbys('')
  await expect.poll(ofPrimary, PATIENCE).toBe('synchronous standby')
  await nameStandbys('ANY 1 (bd2)')
  await expect.poll(ofPrimary, PATIENCE).toBeUndefined()
})

async function store(leads: LeadRecord[], milliseconds: number): Promise<void> {
  const pool = openPool(pair.primary.url, { max: 1 })
  await insertLeads(pool, leads, milliseconds).finally(() => endPool(pool))
}

test('leads that are there already count as stored only once a standby has them', async () => {
  const owner = connect(pair.primary.url, { max: 1 })
  const leads = [makeRecord((await makePair(owner)).ids)]
  await owner.destroy()
  await store(leads, PATIENCE.timeout)
  const isNamed = async (name: string) =>
    (
      await pair.primary.ask<{ is: boolean }>(`select current_setting('synchronous_standby_names') = '${name}' as is`)
    )[0]
  await nameStandbys('absent')
  await expect.poll(() => isNamed('absent'), PATIENCE).toEqual({ is: true })
  // A primary that crashed shows commits that no standby has when it is back.
  await expect(store(leads, 500)).rejects.toThrow('Query read timeout')
  await nameStandbys('ANY 1 (bd2)')
  await store(leads, PATIENCE.timeout)
})

test('without its standby a primary is ready only where none is required', async () => {
  await pair.part()
  await expect.poll(ofPrimary, PATIENCE).toBe('synchronous standby')
  expect(await findDatabaseFault(primary, { requireSync: false })).toBeUndefined()
})

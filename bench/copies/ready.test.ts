import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { readyServerRole, serverUrlOf } from '#db/server-role.ts'
import { findDatabaseFault } from '#server/health.ts'
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
const PATIENCE = { timeout: 20_000 }

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

test('without its standby a primary is ready only where none is required', async () => {
  await pair.part()
  await expect.poll(ofPrimary, PATIENCE).toBe('synchronous standby')
  expect(await findDatabaseFault(primary, { requireSync: false })).toBeUndefined()
})

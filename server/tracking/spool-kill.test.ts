import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makePair, startServer, TEST_SECRET, type TestServer } from '../testing.ts'
import { startProxy } from './database-proxy.testing.ts'
import { end, type ServerProcess, startProcess, untilStarted } from './server-process.testing.ts'

let server: TestServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let dataDir: string
const running: ServerProcess[] = []
beforeAll(async () => {
  server = await startServer()
  proxy = await startProxy(server.databaseUrl)
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
})
afterAll(async () => {
  for (const each of running) await end(each, 'SIGTERM')
  proxy.close()
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

async function start(): Promise<ServerProcess> {
  const started = await startProcess({ DATABASE_URL: proxy.url, DATA_DIR: dataDir, SECRET: TEST_SECRET })
  running.push(started)
  await untilStarted(started)
  return started
}

test('a process killed while clicks go to the spool loses none that it acknowledged', async () => {
  const { ids } = await makePair(server.db)
  const { child, client } = await start()
  const acknowledged: string[] = []
  let attempts = 0
  const open = async () => {
    attempts += 1
    const link = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}&external_id=${attempts}`
    const answer = await client.get(link).catch(() => undefined) // the process was killed: not acknowledged
    const location = answer?.headers.get('location')
    if (location) acknowledged.push(new URL(location).searchParams.get('ref') ?? '')
    return answer?.status
  }
  expect(await open()).toBe(302)
  proxy.refuse()
  const visitors = Array.from({ length: 10 }, async () => {
    while (await open()) if (acknowledged.length > 300) child.kill('SIGKILL')
  })
  await Promise.all(visitors)
  expect(acknowledged.length).toBeGreaterThan(300)
  proxy.pass()
  const next = await start()
  const storedIds = async () => {
    const query = server.db.selectFrom('lead').select('tracking_id').where('product_id', '=', ids.product_id)
    return (await query.execute()).map((lead) => lead.tracking_id)
  }
  await vi.waitFor(async () => expect(await storedIds()).toEqual(expect.arrayContaining(acknowledged)), 10_000)
  const stored = await storedIds()
  expect(new Set(stored).size).toBe(stored.length)
  expect(stored.length).toBeLessThanOrEqual(attempts)
  await end(next, 'SIGTERM')
  expect(next.child.exitCode).toBe(0)
})

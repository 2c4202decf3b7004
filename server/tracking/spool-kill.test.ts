import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makePair, startServer, TEST_SECRET, TestClient, type TestServer } from '../testing.ts'
import { startProxy } from './database-proxy.testing.ts'

let server: TestServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let dataDir: string
const children: ChildProcess[] = []
beforeAll(async () => {
  server = await startServer()
  proxy = await startProxy(server.databaseUrl)
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
})
afterAll(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM')
  proxy.close()
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

async function freePort(): Promise<number> {
  const socket = net.createServer().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as net.AddressInfo
  socket.close()
  return port
}

/** The product as an operator starts it. */
async function startProcess() {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: 'ignore',
    env: {
      PORT: String(port),
      DATABASE_URL: proxy.url,
      DATA_DIR: dataDir,
      SECRET: TEST_SECRET,
      SPOOL_MB: '4',
      LOG_LEVEL: 'silent',
    },
  })
  children.push(child)
  const client = new TestClient(`http://127.0.0.1:${port}`)
  await vi.waitFor(async () => expect((await client.get('/healthz')).status).toBe(200), 20_000)
  return { child, client }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

test('a process killed while clicks go to the spool loses none that it acknowledged', async () => {
  const { ids } = await makePair(server.db)
  const { child, client } = await startProcess()
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
  const next = await startProcess()
  const storedIds = async () => {
    const query = server.db.selectFrom('lead').select('tracking_id').where('product_id', '=', ids.product_id)
    return (await query.execute()).map((lead) => lead.tracking_id)
  }
  await vi.waitFor(async () => expect(await storedIds()).toEqual(expect.arrayContaining(acknowledged)), 10_000)
  const stored = await storedIds()
  expect(new Set(stored).size).toBe(stored.length)
  expect(stored.length).toBeLessThanOrEqual(attempts)
  await end(next.child, 'SIGTERM')
  expect(next.child.exitCode).toBe(0)
})

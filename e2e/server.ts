import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { end, freePort } from '#db/processes.testing.ts'
import { startTemporaryCluster } from '#db/test-cluster.ts'

/** What tests need to know of the server under test. */
export type Served = {
  baseURL: string
  publicUrl: string
  databaseUrl: string
  admin: { email: string; password: string }
}

const root = join(import.meta.dirname, '..')
const RESULTS = join(root, 'test-results')
const LOG_FILE = join(RESULTS, 'server.log')
const READY_MS = 180_000

/** For fixtures: the workers inherit the environment of the run that started the server. */
export const readServed = (): Served => JSON.parse(process.env.E2E_SERVED ?? '{}')

async function untilServing(child: ChildProcess, baseURL: string): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await wait(100)) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${baseURL}/api/v1/openapi.json`).catch(() => undefined) // not listening yet
    if (answer?.ok) return
  }
  child.kill()
  throw new Error(`The server did not start:\n${readFileSync(LOG_FILE, 'utf8')}`)
}

/** Its pages at the number may call its API at the name, which is another origin. */
const origins = (baseURL: string, publicUrl: string) => ({
  DASHBOARD_ORIGINS: 'https://tableros.example.mx',
  API_ORIGINS: publicUrl,
  CORS_ORIGINS: baseURL,
})

/** The server of `node e2e/serve.ts`, which E2E_SERVED names, so that a story being written waits for no start; else one of this run. */
export default async function setUp(): Promise<() => Promise<void>> {
  if (!process.env.E2E_SERVED) return await startServer()
  process.env.E2E_BASE_URL = readServed().baseURL
  process.env.UNIQUE_FROM = String((process.pid % 20) * 2000) // three signs of an RFC
  return async () => {}
}

/** The product as an operator starts it, on a database and a port of this run alone. */
async function startServer(): Promise<() => Promise<void>> {
  mkdirSync(RESULTS, { recursive: true })
  const cluster = await startTemporaryCluster()
  const port = await freePort()
  const admin = { email: 'admin@pruebas.mx', password: randomBytes(12).toString('hex') }
  const baseURL = `http://127.0.0.1:${port}`
  // A name, which passkeys need; the same server as the number.
  const publicUrl = `http://localhost:${port}`
  const log = openSync(LOG_FILE, 'w')
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DATABASE_URL: cluster.url,
      DATA_DIR: join(cluster.dataDir, 'server'),
      SECRET: randomBytes(32).toString('hex'),
      DEMO: '0',
      ...origins(baseURL, publicUrl),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      DELIVER_TO_LOOPBACK: '1',
      LOG_LEVEL: 'warn',
    },
  })
  const stop = async () => {
    await end(child)
    await cluster.stop()
  }
  await untilServing(child, baseURL).catch(async (error) => {
    await stop()
    throw error
  })
  const served: Served = { baseURL, publicUrl, databaseUrl: cluster.url, admin }
  process.env.E2E_SERVED = JSON.stringify(served)
  process.env.E2E_BASE_URL = baseURL
  return stop
}

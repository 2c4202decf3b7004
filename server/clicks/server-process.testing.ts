import { type ChildProcess, spawn } from 'node:child_process'
import { expect, vi } from 'vitest'
import { freePort } from '#db/processes.testing.ts'
import { TestClient } from '../testing.ts'

/** A start is a second of work, on a machine that has other things to do. */
export const PATIENCE = { timeout: 150_000, interval: 50 }

export interface ServerProcess {
  child: ChildProcess
  client: TestClient
  port: number
  /** Its output so far. */
  said: () => string
}

/** The product as an operator starts it; returns when it listens. */
export async function startProcess(env: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', PORT: String(port), SPOOL_MB: '4', LOG_LEVEL: 'silent', ...env },
  })
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  const client = new TestClient(`http://127.0.0.1:${port}`)
  const answer = async () => {
    if (child.exitCode !== null) throw new Error(`It ended: ${said}`)
    return client.get('/healthz').catch(() => undefined) // not listening yet
  }
  await vi.waitFor(async () => expect((await answer())?.status).toBe(200), PATIENCE)
  return { child, client, port, said: () => said }
}

/** The test database runs without fsync, so `/readyz` never becomes 200. */
export const untilStarted = ({ client }: ServerProcess) =>
  vi.waitFor(async () => {
    const { reasons = [] } = (await client.get('/readyz')).json()
    expect(reasons).not.toContain('starting')
  }, PATIENCE)

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export const root = join(import.meta.dirname, '../..')
const TICKS = 100 // of the kernel's clock, per second
const START_MS = 60_000

export interface Served {
  port: number
  pid: number
  stop: () => Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function untilAnswering(child: ChildProcess, port: number, path: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await wait(50)) {
    if (child.exitCode !== null) break
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' }).catch(() => undefined)
    if (answer && answer.status < 500) return
  }
  child.kill()
  throw new Error('The server under measurement did not start')
}

/** A server in a process of its own; `ready` is a path that answers once it serves. */
export async function startServer(
  script: string,
  env: Record<string, string>,
  ready: string,
  flags: string[] = [],
): Promise<Served> {
  const port = await freePort()
  const child = spawn(process.execPath, [...flags, script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'error', NODE_ENV: 'production', ...env },
  })
  await untilAnswering(child, port, ready)
  const stop = async () => {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  return { port, pid: child.pid ?? 0, stop }
}

/** Processor time that the process has used, in seconds. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Resident memory in megabytes. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

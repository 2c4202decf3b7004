import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { end, freePort } from '#db/processes.testing.ts'

const root = join(import.meta.dirname, '../..')
const TICKS = 100 // per second, of the kernel's clock
const START_MS = 60_000

export interface Served {
  port: number
  pid: number
  stop: () => Promise<void>
}

export interface Script {
  port: number
  env: Record<string, string>
  /** Receives its output; without it only errors are shown. */
  log?: string
  /** Defaults to the product. */
  script?: string
}

/** As an operator starts it. */
export function spawnServer({ port, env, log, script = 'server/main.ts' }: Script): ChildProcess {
  const file = log === undefined ? undefined : openSync(log, 'a')
  const child = spawn(process.execPath, ['--max-semi-space-size=8', script], {
    cwd: root,
    stdio: ['ignore', file ?? 'ignore', file ?? 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'error', NODE_ENV: 'production', ...env },
  })
  if (file !== undefined) closeSync(file)
  return child
}

/** The test database runs without fsync, which is the one reason not to be ready. */
const isOnlyQuick = (said: string): boolean => said.includes('"reasons":["durability"]')

/** Returns when that path is served. */
export async function untilServing(port: number, path: string, lives = () => true): Promise<void> {
  let said = ''
  for (const end = Date.now() + START_MS; lives() && Date.now() < end; await wait(20)) {
    // Not listening yet, or killed while answering.
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' }).catch(() => undefined)
    said = (await answer?.text()) ?? 'no answer'
    if (answer && (answer.status < 500 || isOnlyQuick(said))) return
  }
  throw new Error(`The server does not serve ${path}: ${said}`)
}

/** `ready` is a path that answers once it serves. */
export async function startServer(ready: string, script: Omit<Script, 'port'>): Promise<Served> {
  const port = await freePort()
  const child = spawnServer({ port, ...script })
  const stop = () => end(child)
  await untilServing(port, ready, () => child.exitCode === null).catch(async (error) => {
    await stop()
    throw error
  })
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

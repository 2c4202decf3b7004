import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the system gives to whoever listens on any: nobody takes one before the process has it. */
const [LOWEST, COUNT] = [10_000, 22_000]
/** Each process begins somewhere else, so that two do not try the same one at once. */
let tried = (process.pid * 41) % COUNT

/** A port that is free now, for a process about to start, also when it comes back after a kill. */
export async function freePort(): Promise<number> {
  tried = (tried + 1) % COUNT
  const port = LOWEST + tried
  return (await isFree(port)) ? port : freePort()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}

/** Returns when the process is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

const APART = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

/**
 * What to begin a command with so that it runs like in another container on the same disk: it sees none of our
 * processes. Undefined where the system does not allow it.
 */
export function apart(): string[] | undefined {
  const ways = [APART, [...APART, '--user', '--map-root-user']]
  return ways.find(([command = '', ...args]) => spawnSync(command, [...args, 'true']).status === 0)
}

import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { HeldPort } from './held-port.ts'

/** A port that is free now, for a process about to start. */
export async function freePort(): Promise<number> {
  const port = await HeldPort.take(undefined)
  await port.release()
  return port.number
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

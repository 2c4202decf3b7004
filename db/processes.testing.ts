import type { ChildProcess } from 'node:child_process'
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

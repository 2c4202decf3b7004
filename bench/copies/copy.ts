import type { ChildProcess } from 'node:child_process'
import { end, freePort } from '#db/processes.testing.ts'
import { spawnServer, untilServing } from '../clicks/processes.ts'

/** One copy of the product, with the same port and folder after each restart. */
export class Copy {
  readonly port: number
  readonly #spawn: () => ChildProcess
  #child: ChildProcess

  private constructor(port: number, env: Record<string, string>, log: string) {
    this.port = port
    this.#spawn = () => spawnServer({ port, env, log })
    this.#child = this.#spawn()
  }

  static async start(env: Record<string, string>, log: string, port?: number): Promise<Copy> {
    const copy = new Copy(port ?? (await freePort()), env, log)
    await copy.untilReady()
    return copy
  }

  /** Restarts it after a kill; returns when it is ready. */
  start(): Promise<void> {
    this.#child = this.#spawn()
    return this.untilReady()
  }

  untilReady(): Promise<void> {
    return untilServing(this.port, '/readyz', () => this.#child.exitCode === null)
  }

  /** Returns when the process is gone. */
  kill(): Promise<void> {
    return end(this.#child, 'SIGKILL')
  }

  stop(): Promise<void> {
    return end(this.#child)
  }
}

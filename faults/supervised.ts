import type { ChildProcess } from 'node:child_process'
import { type Script, spawnServer, untilServing } from '#bench/clicks/processes.ts'
import { end, freePort } from '#db/processes.testing.ts'

export type Until = 'ready' | 'listening'

/** The product, started again at once whenever it ends, as `Restart=always` does. */
export class Supervised {
  readonly port: number
  readonly #script: Script
  #child: ChildProcess
  #stopping = false
  starts = 0

  private constructor(script: Script) {
    this.#script = script
    this.port = script.port
    this.#child = this.#spawn()
  }

  static async start(env: Record<string, string>, log: string, until: Until): Promise<Supervised> {
    const supervised = new Supervised({ port: await freePort(), env, log })
    await untilServing(supervised.port, until === 'ready' ? '/readyz' : '/healthz').catch(async (error) => {
      await supervised.stop()
      throw error
    })
    return supervised
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Ready for everything. */
  untilReady(): Promise<void> {
    return untilServing(this.port, '/readyz')
  }

  /** Returns when the process is gone: the times of the signal and of its end. */
  async kill(): Promise<{ at: number; gone: number }> {
    const at = performance.now()
    await end(this.#child, 'SIGKILL')
    return { at, gone: performance.now() }
  }

  /** Kills it, and lets it start again only after that. */
  async killAnd(then: () => Promise<void>): Promise<void> {
    this.#stopping = true
    await this.kill()
    await then()
    this.#stopping = false
    this.#child = this.#spawn()
  }

  /** Asks it to stop, after which it starts again; returns how and when it stopped. */
  async leave(): Promise<{ code: number | null; at: number; gone: number }> {
    const child = this.#child
    const at = performance.now()
    await end(child)
    return { code: child.exitCode, at, gone: performance.now() }
  }

  /** The same, without a restart. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.leave()
  }

  #spawn(): ChildProcess {
    this.starts += 1
    const child = spawnServer(this.#script)
    child.once('exit', () => {
      if (!this.#stopping) this.#child = this.#spawn()
    })
    return child
  }
}

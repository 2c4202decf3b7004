import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, root } from '../clicks/processes.ts'

const START_MS = 60_000

export type Until = 'ready' | 'listening'

interface Needs {
  port: number
  env: Record<string, string>
  /** Where what it says goes. */
  log: string
}

/** The database of the tests keeps nothing on the disk for good, and is ready but for that. */
const isOnlyQuick = (said: string): boolean => said.includes('"reasons":["durability"]')

/** The product as an operator starts it, started again at once whenever it ends, as `Restart=always` does. */
export class Supervised {
  readonly port: number
  readonly #needs: Needs
  #child: ChildProcess
  #stopping = false
  starts = 0

  private constructor(needs: Needs) {
    this.#needs = needs
    this.port = needs.port
    this.#child = this.#spawn()
  }

  static async start(env: Record<string, string>, log: string, until: Until): Promise<Supervised> {
    const supervised = new Supervised({ port: await freePort(), env, log })
    const started = until === 'ready' ? supervised.untilReady() : supervised.untilAnswering('/healthz')
    await started.catch(async (error) => {
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
    return this.untilAnswering('/readyz')
  }

  async untilAnswering(path: string): Promise<void> {
    let said = ''
    for (const end = Date.now() + START_MS; Date.now() < end; await wait(20)) {
      const answer = await fetch(`http://127.0.0.1:${this.port}${path}`).catch(() => undefined) // not listening
      said = (await answer?.text()) ?? 'no answer'
      if (answer?.status === 200 || isOnlyQuick(said)) return
    }
    throw new Error(`The server was not ready in ${START_MS / 1000} s: ${said}`)
  }

  /** Returns when the process is gone: when it was told, and when it was. */
  async kill(): Promise<{ at: number; gone: number }> {
    const exited = once(this.#child, 'exit')
    const at = performance.now()
    this.#child.kill('SIGKILL')
    await exited
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

  /** Asks it to leave, after which it starts again: how it left, and when. */
  async leave(): Promise<{ code: number | null; at: number; gone: number }> {
    const child = this.#child
    const at = performance.now()
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    return { code: child.exitCode, at, gone: performance.now() }
  }

  /** The same for good. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.leave()
  }

  #spawn(): ChildProcess {
    const { port, env, log } = this.#needs
    this.starts += 1
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'error', NODE_ENV: 'production', ...env },
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => appendFileSync(log, data))
    child.once('exit', () => {
      if (!this.#stopping) this.#child = this.#spawn()
    })
    return child
  }
}

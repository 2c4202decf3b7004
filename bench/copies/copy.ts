import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, root } from '../clicks/processes.ts'

const START_MS = 60_000

/** One copy of the product as an operator starts it, on a port and with a folder that it keeps over its lives. */
export class Copy {
  readonly port: number
  readonly #env: Record<string, string>
  readonly #log: string
  #child: ChildProcess | undefined

  private constructor(port: number, env: Record<string, string>, log: string) {
    this.port = port
    this.#env = env
    this.#log = log
  }

  static async start(env: Record<string, string>, log: string): Promise<Copy> {
    const copy = new Copy(await freePort(), env, log)
    await copy.start()
    return copy
  }

  /** Returns when it is ready for everything. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, PORT: String(this.port), LOG_LEVEL: 'warn', NODE_ENV: 'production', ...this.#env },
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => appendFileSync(this.#log, data))
    this.#child = child
    await this.untilReady()
  }

  async untilReady(): Promise<void> {
    let said = 'no answer'
    for (const end = Date.now() + START_MS; Date.now() < end; await wait(20)) {
      if (this.#child?.exitCode !== null) break
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined) // not listening yet
      if (answer?.status === 200) return
      said = (await answer?.text()) ?? said
    }
    throw new Error(`A copy did not become ready (${said}); what it said is in ${this.#log}`)
  }

  /** Returns when the process is gone. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}

import type { FastifyBaseLogger } from 'fastify'
import { messageOf } from '#db/operator-error.ts'

type Line = [level: 'warn' | 'error', details: { err: unknown }, text: string]

/** For code that runs before there is a log: stores its lines until then. */
export class EarlyLog {
  readonly #lines: Line[] = []
  #log: FastifyBaseLogger | undefined

  say(...line: Line): void {
    const [level, details, text] = line
    if (this.#log) this.#log[level](details, text)
    else this.#lines.push(line)
  }

  /** When no log will come. */
  endWith(say: (text: string) => void): void {
    for (const [, { err }, text] of this.#lines.splice(0)) say(`${text}: ${messageOf(err)}`)
  }

  passTo(log: FastifyBaseLogger): void {
    this.#log = log
    for (const line of this.#lines.splice(0)) this.say(...line)
  }
}

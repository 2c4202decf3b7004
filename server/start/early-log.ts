import type { FastifyBaseLogger } from 'fastify'
import { messageOf } from '#db/operator-error.ts'

type Line = [level: 'warn' | 'error', details: { err: unknown }, text: string]

/** For those who begin before there is a log: what they say until then is kept for it. */
export class EarlyLog {
  readonly #kept: Line[] = []
  #log: FastifyBaseLogger | undefined

  say(...line: Line): void {
    const [level, details, text] = line
    if (this.#log) this.#log[level](details, text)
    else this.#kept.push(line)
  }

  /** Where no log has come, nor will. */
  endWith(say: (text: string) => void): void {
    for (const [, { err }, text] of this.#kept.splice(0)) say(`${text}: ${messageOf(err)}`)
  }

  passTo(log: FastifyBaseLogger): void {
    this.#log = log
    for (const line of this.#kept.splice(0)) this.say(...line)
  }
}

import type { Done } from './load.ts'

/** Shows progress: a bar on a terminal, elsewhere a line for every tenth. */
export class Progress {
  readonly #total: number
  readonly #started = Date.now()
  readonly #out: NodeJS.WriteStream
  #tenths = -1

  constructor(total: number, out: NodeJS.WriteStream = process.stdout) {
    this.#total = total
    this.#out = out
    this.show({ part: 0, leads: 0 })
  }

  show = ({ part, leads }: Done): void => {
    if (this.#out.isTTY) {
      this.#out.write(`\r\x1b[K${bar(part)} ${this.#text(part, leads)}`)
      return
    }
    const tenths = Math.floor(part * 10)
    if (tenths === this.#tenths) return
    this.#tenths = tenths
    this.#out.write(`${this.#text(part, leads)}\n`)
  }

  /** Ends the bar, so that later output begins on a line of its own. */
  end = (): void => {
    if (this.#out.isTTY) this.#out.write('\n')
  }

  #text(part: number, leads: number): string {
    const elapsed = (Date.now() - this.#started) / 1000
    const left = part > 0 && part < 1 ? `, faltan ${duration((elapsed / part) * (1 - part))}` : ''
    const what =
      leads < this.#total
        ? `${grouped(leads)} de ${grouped(this.#total)} leads`
        : `${grouped(leads)} leads, índices y totales`
    return `${Math.floor(part * 100)} %, ${what}${left}`
  }
}

const WIDTH = 30
const bar = (part: number): string => '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')

export const grouped = (count: number): string => Math.round(count).toLocaleString('es-MX')

export const duration = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

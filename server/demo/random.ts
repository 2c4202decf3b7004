const HEX = '0123456789abcdef'

/** A small seeded generator (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 <= x < 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** Between the ends, evenly by order of magnitude, as people's delays are. */
  spread(from: number, to: number): number {
    return from * (to / from) ** this.next()
  }

  pick<T>(options: readonly T[]): T {
    return options[Math.floor(this.next() * options.length)] as T
  }

  weighted<T>(options: readonly (readonly [T, number])[]): T {
    const total = options.reduce((sum, [, weight]) => sum + weight, 0)
    let rest = this.next() * total
    for (const [option, weight] of options) {
      rest -= weight
      if (rest < 0) return option
    }
    return options.at(-1)?.[0] as T
  }

  hex(length: number): string {
    let digits = ''
    for (let place = 0; place < length; place += 1) digits += HEX[this.int(0, 15)]
    return digits
  }

  /** UUIDv7 of a moment (RFC 9562), as the click makes them. */
  trackingId(moment: number): string {
    const time = moment.toString(16).padStart(12, '0')
    const variant = '89ab'[this.int(0, 3)]
    return `${time.slice(0, 8)}-${time.slice(8)}-7${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`
  }
}

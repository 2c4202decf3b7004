import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../auth/tokens.ts'

export const UNSUBSCRIBE_PATH = '/correo/baja'
const DAYS = 60

/**
 * What a letter carries so that its reader can stop letters without signing in (RFC 8058). It opens nothing else, since a
 * link that works by itself is in an address that many see.
 */
export class UnsubscribeTokens {
  readonly #key: Uint8Array

  constructor(secret: string) {
    this.#key = deriveKey(secret, 'unsubscribe')
  }

  sign(userId: number, now = Date.now()): string {
    const said = `${userId}.${Math.floor(now / 1000) + DAYS * 86_400}`
    return `${said}.${this.#mark(said).toString('base64url')}`
  }

  /** Whose it is and whether it is too old; nothing for what we did not write. */
  open(token: string, now = Date.now()): { userId: number; isOver: boolean } | undefined {
    const [, said = '', userId, end, mark = ''] = /^((\d{1,15})\.(\d{1,12}))\.([\w-]{43})$/.exec(token) ?? []
    const [given, ours] = [Buffer.from(mark, 'base64url'), this.#mark(said)]
    if (given.length !== ours.length || !timingSafeEqual(given, ours)) return undefined
    return { userId: Number(userId), isOver: Number(end) * 1000 < now }
  }

  #mark(said: string): Buffer {
    return createHmac('sha256', this.#key).update(said).digest()
  }
}

import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODES } from '#contract/second-factors.ts'
import type { Tx } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'
import { Sealer } from '../sealed.ts'

const ISSUER = 'Afluente'
const SEED_BYTES = 20
/** Codes of the half minute before and after are taken, since clocks differ. */
const DRIFT = 1
/** Without letters and digits that are mistaken for each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 5

const contextOf = (userId: number): string => `user:${userId}:totp`
const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

/** Codes of an application, and those kept on paper for when it is lost. */
export class Codes {
  readonly #sealer: Sealer
  readonly #key: Uint8Array

  constructor(secret: string) {
    this.#sealer = new Sealer(secret, 'second-factor')
    this.#key = deriveKey(secret, 'recovery-code')
  }

  /** A new seed, sealed, and as the application takes it. */
  newSeed(userId: number, email: string) {
    const secret = new Secret({ size: SEED_BYTES })
    const sealed = { secret: this.#sealer.seal(secret.base32, contextOf(userId)), kek_id: this.#sealer.keyId }
    const uri = new TOTP({ issuer: ISSUER, label: email, secret }).toString()
    return { sealed, secret: secret.base32, uri }
  }

  /** Takes the code of an application once: its step must be later than the last one taken. */
  async takeTotp(tx: Tx, userId: number, code: string, { confirms = false } = {}): Promise<boolean> {
    if (!/^\d{6}$/.test(plain(code))) return false
    const factor = await tx
      .selectFrom('second_factor')
      .select(['id', 'secret', 'last_step'])
      .where('user_id', '=', userId)
      .where('kind', '=', 'totp')
      .where('confirmed_at', confirms ? 'is' : 'is not', null)
      // One that was begun and left would wait for whoever guesses its codes.
      .$if(confirms, (query) => query.where('created_at', '>', sql<string>`now() - interval '1 hour'`))
      .forUpdate()
      .executeTakeFirst()
    // One that cannot be opened, as under another SECRET, takes no code; the other ways in are tried all the same.
    const seed = factor?.secret && this.#sealer.open(factor.secret, contextOf(userId))
    if (!factor || !seed) return false
    const secret = Secret.fromBase32(seed)
    const timestamp = Date.now()
    const drift = TOTP.validate({ token: plain(code), secret, timestamp, window: DRIFT })
    if (drift === null) return false
    const step = TOTP.counter({ timestamp }) + drift
    if (step <= (factor.last_step ?? 0)) return false
    await tx
      .updateTable('second_factor')
      .set({ last_step: step, last_used_at: sql<string>`now()`, ...(confirms && { confirmed_at: sql<string>`now()` }) })
      .where('id', '=', factor.id)
      .execute()
    return true
  }

  async takeRecovery(tx: Tx, userId: number, code: string): Promise<boolean> {
    const used = await tx
      .updateTable('recovery_code')
      .set({ used_at: sql<string>`now()` })
      .where('user_id', '=', userId)
      .where('code_hash', '=', this.#hash(userId, code))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    return used.numUpdatedRows > 0n
  }

  /** Ten of 49 bits in place of those before. */
  async newRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newCode)
    await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    const rows = codes.map((code) => ({ user_id: userId, code_hash: this.#hash(userId, code) }))
    await tx.insertInto('recovery_code').values(rows).execute()
    return codes
  }

  #hash(userId: number, code: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${userId} ${plain(code)}`)
      .digest()
  }
}

function newCode(): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${group()}-${group()}`
}

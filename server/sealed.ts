import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { deriveKey } from './auth/tokens.ts'

const NONCE_LENGTH = 12
const TAG_LENGTH = 16

/** Encrypts what its owner may read again. The content of the database alone is of no use (security 2.10). */
export class Sealer {
  readonly #key: Uint8Array
  /** Kept beside what is sealed: another SECRET cannot open it. */
  readonly keyId: string

  /** Each purpose has a key of its own. */
  constructor(secret: string, purpose: string) {
    this.#key = deriveKey(secret, purpose)
    this.keyId = createHmac('sha256', this.#key).update('id').digest('hex').slice(0, 8)
  }

  /** `context` says whose it is and what for: copied to another row it does not open. */
  seal(text: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_LENGTH)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_LENGTH }).setAAD(
      Buffer.from(context),
    )
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Undefined: it was sealed with another key, for another context, or is not whole. */
  open(stored: Buffer, context: string): string | undefined {
    const tagEnd = NONCE_LENGTH + TAG_LENGTH
    const nonce = stored.subarray(0, NONCE_LENGTH)
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_LENGTH })
        .setAAD(Buffer.from(context))
        .setAuthTag(stored.subarray(NONCE_LENGTH, tagEnd))
      return Buffer.concat([decipher.update(stored.subarray(tagEnd)), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }
}

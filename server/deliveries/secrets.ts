import { type KeyOwner, newKey } from '../companies/key-text.ts'
import { Sealer } from '../sealed.ts'

/** Whose a receiver is. */
export interface Owner {
  affiliate_id: number | null
  issuer_id: number | null
}

interface Sealed {
  secret: Buffer
  secret_before: Buffer | null
  kek_id: string
  receiver_affiliate: number | null
  receiver_issuer: number | null
}

const NETWORK: KeyOwner = { issuerId: 0 }
const contextOf = ({ affiliate_id, issuer_id }: Owner): string =>
  `receiver:${affiliate_id === null ? (issuer_id === null ? 'network' : `issuer:${issuer_id}`) : `affiliate:${affiliate_id}`}`

/** What deliveries are signed with. */
export class ReceiverSecrets {
  readonly #sealer: Sealer

  constructor(secret: string) {
    this.#sealer = new Sealer(secret, 'receiver-secret')
  }

  get keyId(): string {
    return this.#sealer.keyId
  }

  create(owner: Owner): { secret: string; sealed: Buffer } {
    const secret = newKey(NETWORK, 'signing')
    return { secret, sealed: this.#sealer.seal(secret, contextOf(owner)) }
  }

  /** Those in force, the newest first; undefined when they were sealed under another SECRET. */
  open({ secret, secret_before, kek_id, receiver_affiliate, receiver_issuer }: Sealed): string[] | undefined {
    if (kek_id !== this.#sealer.keyId) return undefined
    const context = contextOf({ affiliate_id: receiver_affiliate, issuer_id: receiver_issuer })
    return [secret, secret_before].flatMap((one) => (one ? this.#sealer.open(one, context) : []))
  }
}

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

  /** Those in force, the newest first; undefined when that cannot be opened, as under another SECRET. */
  open({ secret, secret_before, receiver_affiliate, receiver_issuer }: Sealed): string[] | undefined {
    const context = contextOf({ affiliate_id: receiver_affiliate, issuer_id: receiver_issuer })
    const newest = this.#sealer.open(secret, context)
    if (newest === undefined) return undefined
    const before = secret_before && this.#sealer.open(secret_before, context)
    return before ? [newest, before] : [newest]
  }
}

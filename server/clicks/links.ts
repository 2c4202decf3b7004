import type { IntegrationAddresses } from '#contract/integration.ts'
import { postbackPath, redirectPath, tracking } from '#contract/tracking.ts'

/** Makes the addresses that affiliates publish, on the host by which the world reaches us. */
export class Links {
  readonly #publicUrl: string

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl.replace(/\/+$/, '')
  }

  /** The link of a relationship for a product, without parameters of the affiliate's own. */
  trackingUrl(relationshipId: number, productId: number): string {
    return `${this.#publicUrl}${redirectPath(relationshipId)}?product_id=${productId}`
  }

  /** Where issuers' systems report events, and where the macros of other networks do. */
  eventAddresses(): IntegrationAddresses {
    return { events_url: this.#publicUrl + tracking.storeEvent.path, postback_url: this.#publicUrl + postbackPath }
  }

  /** True for our own host, on whatever port: a product that led back to us would make a loop. */
  isOwnHost(url: string): boolean {
    return hostOf(url) === hostOf(this.#publicUrl)
  }
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/\.$/, '')

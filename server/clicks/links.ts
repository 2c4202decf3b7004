import type { IntegrationAddresses } from '#contract/integration.ts'
import { postbackPath, redirectPath, tracking } from '#contract/tracking.ts'

/** Builds the addresses that affiliates publish, on our public host. */
export class Links {
  readonly #publicUrl: string

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl.replace(/\/+$/, '')
  }

  /** The link of a relationship for a product, without parameters of the affiliate's own. */
  trackingUrl(relationshipId: number, productId: number): string {
    return `${this.#publicUrl}${redirectPath(relationshipId)}?product_id=${productId}`
  }

  /** Where issuers' systems report events, and where other networks send postbacks. */
  eventAddresses(): IntegrationAddresses {
    return { events_url: this.#publicUrl + tracking.storeEvent.path, postback_url: this.#publicUrl + postbackPath }
  }

  /** True for our own host on any port: a product that leads back to us would loop. */
  isOwnHost(url: string): boolean {
    return hostOf(url) === hostOf(this.#publicUrl)
  }
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/\.$/, '')

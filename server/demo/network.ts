import type { AffiliateKey, IssuerKey } from './companies.ts'
import type { DemoStep } from './flows.ts'
import type { ProductKey } from './products.ts'

/** A step of a product in the database. */
export interface PlacedStep extends DemoStep {
  id: number
  order: number
}

export interface PlacedCommission {
  id: number
  name: string
  createdAt: number
  /** Pesos as decimal text, each in force from its moment on, oldest first. */
  amounts: readonly (readonly [from: number, amount: string])[]
  /** The row of `rate` of each amount, where there are such rows. */
  rateIds?: readonly number[]
}

/** A tracking link: an affiliate and a product. */
export interface Link {
  affiliate: AffiliateKey
  issuer: IssuerKey
  product: ProductKey
  relationship_id: number
  affiliate_id: number
  issuer_id: number
  product_id: number
  steps: readonly PlacedStep[]
  commission: PlacedCommission | undefined
  /** Its traffic begins and ends at these moments, in ms. */
  from: number
  until: number
  weight: number
}

export interface DemoEvent {
  lead: DemoLead
  step: PlacedStep
  moment: number
  data: Record<string, unknown> | null
}

export interface DemoLead {
  link: Link
  moment: number
  tracking_id: string
  external_id: string
  utm: Record<'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content', string>
  data: Record<string, unknown>
  events: DemoEvent[]
  /** A refusal after the commission was earned; the ledger decides whether it happens. */
  lateRefusal: DemoEvent | undefined
}

export const DAYS = 90
export const LEADS = 6000
export const SEED = 1810

/** The row of the amount of amountAt(). */
export function rateIdAt({ amounts, rateIds }: PlacedCommission, moment: number): number | null {
  const index = amounts.findLastIndex(([from]) => from <= moment)
  return rateIds?.[Math.max(index, 0)] ?? null
}

export const amountAt = (commission: PlacedCommission, moment: number): string =>
  commission.amounts.findLast(([from]) => from <= moment)?.[1] ?? commission.amounts[0]?.[1] ?? '0.00'

import type { Commission } from '#contract/commissions.ts'
import type { RateInForce } from '#contract/rates.ts'

/** Whose amount changes: of a commission, of a product, or of one of their steps. */
export type RateScope = Pick<
  RateInForce,
  'product' | 'product_name' | 'affiliate_name' | 'step' | 'step_name' | 'commission' | 'payout' | 'next'
>

export const scopeOf = ({ id, product, product_name, affiliate_name, payout, next }: Commission): RateScope => ({
  ...{ product, product_name, affiliate_name, step: null, step_name: null, commission: id, payout, next },
})

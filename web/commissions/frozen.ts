import type { Commission } from '#contract/commissions.ts'

/** Why nobody changes what a commission pays: it is for present partners alone (D40). */
export const frozenBy = ({ relationship_active, affiliate_name, issuer_name }: Commission): string | undefined =>
  relationship_active ? undefined : `La relación entre ${affiliate_name} y ${issuer_name} está inactiva`

import type { Relationship } from '#contract/relationships.ts'
import type { Nouns } from '#web/table/nouns.ts'

export const relationshipNouns: Nouns = { one: 'relación', many: 'relaciones', the: 'las' }
export const nameOf = ({ affiliate_name, issuer_name }: Relationship): string => `${affiliate_name} - ${issuer_name}`

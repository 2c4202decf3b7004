import type { Product } from '#contract/products.ts'
import type { Nouns } from '#web/table/nouns.ts'

export const productNouns: Nouns = { one: 'producto', many: 'productos', the: 'los' }
export const productName = ({ name, issuer_name }: Product): string => `${name}, ${issuer_name}`

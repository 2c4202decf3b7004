import type { Product } from '#contract/products.ts'
import { byLabel, type Option } from '#web/ui/option.ts'

/** By name, with their issuers where there are several. */
export function productOptions(rows: readonly Product[] = []): Option<number>[] {
  const ofSeveral = new Set(rows.map(({ issuer }) => issuer)).size > 1
  return rows
    .map(({ id, name, issuer_name }) => ({ value: id, label: name, ...(ofSeveral && { hint: issuer_name }) }))
    .sort(byLabel)
}

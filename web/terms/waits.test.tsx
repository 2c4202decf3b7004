import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Product } from '#contract/products.ts'
import { OwnCommission } from '#web/products/OwnCommission.tsx'

type Commission = NonNullable<Product['commission']>
const given = { payout: '500.00', since: '2025-03-04T18:00:00Z', next: null, steps: [] } as unknown as Commission

test.each<[Partial<Commission>, string]>([
  [{ validation: 'automatic', validation_days: 0 }, ''],
  [{ validation: 'automatic', validation_days: 1 }, '1 día de validación'],
  [{ validation: 'explicit', validation_days: 0 }, 'con aprobación'],
  [{ validation: 'explicit', validation_days: 30 }, '30 días de validación, con aprobación'],
])('an affiliate reads with a product what its commissions wait for: %o', (terms, text) => {
  const markup = renderToStaticMarkup(<OwnCommission of={{ ...given, ...terms }} />)
  expect(markup.replace(/<[^>]*>/g, '')).toBe(`$500.00desde el 04/03/2025${text}`)
})

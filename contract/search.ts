import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Text } from './fields.ts'
import { Lead } from './leads.ts'
import { Payment } from './payments.ts'
import { Product } from './products.ts'
import { everyone } from './roles.ts'

/** Fewer find nothing: whoever types is not done yet. */
export const SEARCH_LETTERS_MIN = 2

/** Of each kind; who means another types more. */
export const SEARCH_FOUND_MAX = 5

const Company = z.object({ id: Id, company_name: z.string(), rfc: z.string() })

export const Found = z.object({
  /** By a whole tracking id, external id or id. */
  leads: z.array(Lead.pick({ id: true, tracking_id: true, external_id: true, product_name: true })),
  affiliates: z.array(Company),
  issuers: z.array(Company),
  products: z.array(Product.pick({ id: true, name: true, issuer: true, issuer_name: true })),
  /** By id, then the latest with the companies found. */
  payments: z.array(
    Payment.pick({
      id: true,
      issuer_name: true,
      affiliate_name: true,
      period_start: true,
      period_end: true,
      total_amount: true,
    }),
  ),
})
export type Found = z.infer<typeof Found>

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/api/v1/search/',
    access: everyone,
    summary: 'Lo que la persona puede ver con ese id o nombre; los ids exactos primero',
    query: z.object({ q: Text.pipe(z.string().max(255)).default('') }),
    response: Found,
  }),
}

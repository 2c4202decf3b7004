import type { Companies, DemoUser } from './insert-companies.ts'

export interface Happening {
  moment: number
  by: DemoUser
  action: string
  entity: string
  id: number
  label: string
  changes?: Record<string, [unknown, unknown]>
}

export const pairOf = (companies: Companies, { affiliate, issuer }: { affiliate: string; issuer: string }): string =>
  `${companies.affiliates.get(affiliate)?.name} – ${companies.issuers.get(issuer)?.name}`

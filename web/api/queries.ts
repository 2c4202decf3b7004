import type { QueryKey } from '@tanstack/react-query'

/**
 * The first part of every query key, by noun, and below which keys a save makes stale.
 */
export const keys = {
  users: ['users'],
  people: ['people'],
  rights: ['rights'],
  affiliates: ['affiliates'],
  issuers: ['issuers'],
  relationships: ['relationships'],
  products: ['products'],
  eventSteps: ['event-steps'],
  eventTypes: ['event-types'],
  commissions: ['commissions'],
  rates: ['rates'],
  adjustments: ['adjustments'],
  approvals: ['approvals'],
  imports: ['imports'],
  terms: ['terms'],
  reasons: ['reasons'],
  payments: ['payments'],
  leads: ['leads'],
  dashboards: ['dashboards'],
  overview: ['overview'],
  boards: ['boards'],
  results: ['results'],
  auditLog: ['audit-log'],
  integration: ['integration'],
  mail: ['mail'],
  networkKeys: ['network-keys'],
  notices: ['notices'],
  receivers: ['receivers'],
  privacy: ['privacy'],
  search: ['search'],
} as const satisfies Record<string, QueryKey>

/** Figures are of everything: each save may change them, or a name in them. */
const figures = [keys.overview, keys.boards, keys.results] as const

/** Where a company's name stands. */
const namingCompanies = [
  ...[keys.users, keys.relationships, keys.commissions, keys.terms, keys.leads, keys.payments, keys.dashboards],
  ...figures,
] as const

export const refreshedBy = {
  user: [keys.users, keys.rights, keys.affiliates, keys.issuers, keys.terms, ...figures],
  person: [keys.people, keys.affiliates, keys.issuers],
  affiliate: [keys.affiliates, ...namingCompanies],
  issuer: [keys.issuers, keys.products, keys.eventSteps, ...namingCompanies],
  relationship: [
    keys.relationships,
    keys.products,
    keys.commissions,
    keys.terms,
    keys.affiliates,
    keys.issuers,
    keys.payments,
    ...figures,
  ],
  product: [keys.products, keys.eventSteps, keys.commissions, keys.terms, keys.leads, ...figures],
  eventStep: [keys.eventSteps, keys.commissions, ...figures],
  commission: [keys.commissions, keys.rates, keys.products, ...figures],
  payment: [keys.payments, keys.adjustments, ...figures],
  adjustment: [keys.adjustments, keys.payments, ...figures],
  approval: [keys.approvals, keys.payments, ...figures],
  import: [keys.imports],
  applied: [keys.imports, keys.leads, keys.approvals, keys.payments, ...figures],
  term: [keys.terms],
  receiver: [keys.receivers],
  reason: [keys.reasons, [...keys.leads, 'reject-reasons']],
  ruling: [keys.leads, keys.approvals, keys.payments, keys.results, ...figures],
  dashboard: [keys.dashboards, ...figures],
  lead: [keys.privacy, keys.leads, keys.auditLog, keys.results],
} as const satisfies Record<string, readonly QueryKey[]>

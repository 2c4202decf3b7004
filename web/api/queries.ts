import type { QueryKey } from '@tanstack/react-query'

/**
 * The first part of every query key, by noun, and below which keys a save makes stale.
 */
export const keys = {
  users: ['users'],
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
  privacy: ['privacy'],
  search: ['search'],
} as const satisfies Record<string, QueryKey>

/** Figures are of everything: each save may change them, or a name in them. */
const figures = [keys.overview, keys.boards, keys.results] as const

export const refreshedBy = {
  user: [keys.users, keys.affiliates, keys.issuers, ...figures],
  affiliate: [
    keys.affiliates,
    keys.users,
    keys.relationships,
    keys.commissions,
    keys.leads,
    keys.payments,
    keys.dashboards,
    ...figures,
  ],
  issuer: [
    keys.issuers,
    keys.users,
    keys.relationships,
    keys.products,
    keys.eventSteps,
    keys.commissions,
    keys.leads,
    keys.payments,
    keys.dashboards,
    ...figures,
  ],
  relationship: [
    keys.relationships,
    keys.products,
    keys.commissions,
    keys.affiliates,
    keys.issuers,
    keys.payments,
    ...figures,
  ],
  product: [keys.products, keys.eventSteps, keys.commissions, keys.leads, ...figures],
  eventStep: [keys.eventSteps, keys.commissions, ...figures],
  commission: [keys.commissions, keys.rates, keys.products, ...figures],
  payment: [keys.payments, keys.adjustments, ...figures],
  adjustment: [keys.adjustments, keys.payments, ...figures],
  approval: [keys.approvals, keys.payments, ...figures],
  import: [keys.imports],
  applied: [keys.imports, keys.leads, keys.approvals, keys.payments, ...figures],
  term: [keys.terms],
  reason: [keys.reasons, [...keys.leads, 'reject-reasons']],
  ruling: [keys.leads, keys.approvals, keys.payments, keys.results, ...figures],
  dashboard: [keys.dashboards, ...figures],
  lead: [keys.privacy, keys.leads, keys.auditLog, keys.results],
} as const satisfies Record<string, readonly QueryKey[]>

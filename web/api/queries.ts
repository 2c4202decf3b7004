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
  payments: ['payments'],
  leads: ['leads'],
  dashboards: ['dashboards'],
  overview: ['overview'],
  boards: ['boards'],
  auditLog: ['audit-log'],
  integration: ['integration'],
} as const satisfies Record<string, QueryKey>

const overview = keys.overview

export const refreshedBy = {
  user: [keys.users, keys.affiliates, keys.issuers, overview],
  affiliate: [
    keys.affiliates,
    keys.users,
    keys.relationships,
    keys.commissions,
    keys.leads,
    keys.payments,
    keys.dashboards,
    overview,
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
    overview,
  ],
  relationship: [keys.relationships, keys.products, keys.commissions, keys.affiliates, keys.issuers, overview],
  product: [keys.products, keys.eventSteps, keys.commissions, keys.leads, overview],
  eventStep: [keys.eventSteps, overview],
  commission: [keys.commissions, overview],
  payment: [keys.payments, overview],
  dashboard: [keys.dashboards, overview],
} as const satisfies Record<string, readonly QueryKey[]>

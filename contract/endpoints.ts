import { accessLinks } from './access-links.ts'
import { adjustments } from './adjustments.ts'
import { affiliates } from './affiliates.ts'
import { auditLog } from './audit-log.ts'
import { auth } from './auth.ts'
import { reports } from './boards.ts'
import { commissionEntries } from './commission-entries.ts'
import { commissions } from './commissions.ts'
import { dashboards } from './dashboards.ts'
import { deliveries } from './deliveries.ts'
import type { Endpoint } from './endpoint.ts'
import { eventSteps, eventTypes } from './event-steps.ts'
import { explain } from './explain.ts'
import { exports } from './exports.ts'
import { holds } from './holds.ts'
import { imports } from './imports.ts'
import { integration } from './integration.ts'
import { issuers } from './issuers.ts'
import { leads } from './leads.ts'
import { linkFaults } from './link-faults.ts'
import { mail } from './mail.ts'
import { metrics } from './metrics.ts'
import { networkKeys } from './network-keys.ts'
import { notices } from './notices.ts'
import { paymentChanges } from './payment-changes.ts'
import { payments } from './payments.ts'
import { people } from './people.ts'
import { privacy } from './privacy.ts'
import { products } from './products.ts'
import { rates } from './rates.ts'
import { receivers } from './receivers.ts'
import { relationships } from './relationships.ts'
import { results } from './results.ts'
import { rulings } from './rulings.ts'
import { search } from './search.ts'
import { secondFactors } from './second-factors.ts'
import { securityPolicy } from './security-policy.ts'
import { summary } from './summary.ts'
import { terms } from './terms.ts'
import { postback, tracking } from './tracking.ts'
import { users } from './users.ts'
import { viewAs } from './view-as.ts'

/** Every call of the API by noun: what the document lists, the server must serve and the access tests walk through. */
export const endpoints = {
  auth,
  accessLinks,
  secondFactors,
  securityPolicy,
  users,
  viewAs,
  people,
  affiliates,
  issuers,
  relationships,
  products,
  linkFaults,
  eventSteps,
  eventTypes,
  commissions,
  rates,
  commissionEntries,
  adjustments,
  explain,
  holds,
  payments: { ...payments, ...paymentChanges },
  imports,
  leads,
  rulings,
  terms,
  tracking,
  postback,
  metrics,
  summary,
  dashboards,
  reports,
  exports,
  auditLog,
  integration,
  networkKeys,
  receivers,
  deliveries,
  privacy,
  mail,
  notices,
  results,
  search,
}

export const allEndpoints: { name: string; endpoint: Endpoint }[] = Object.entries(endpoints).flatMap(([noun, calls]) =>
  Object.entries(calls as Record<string, Endpoint>).map(([verb, endpoint]) => ({ name: `${noun}.${verb}`, endpoint })),
)

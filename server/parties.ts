import { sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import type { Reader, Side } from './viewer.ts'

export type Party = ['affiliate_id' | 'issuer_id' | 'product_id', number]

/** Whose leads a viewer sees. */
export function ownParties(viewer: Side): Party[] {
  switch (viewer.role) {
    case 'admin':
      return []
    case 'issuer':
      return [['issuer_id', viewer.issuerId]]
    case 'affiliate':
      return [['affiliate_id', viewer.affiliateId]]
  }
}

/** Of the person with an id: an administrator reads every name, a company those of its own people alone. */
export const nameFor = ({ role }: Side, id: string) =>
  sql<string | null>`(select first_name || ' ' || last_name from "user"
    where "user".id = ${sql.ref(id)} ${role === 'admin' ? sql`` : sql`and role = ${role}`})`

/** Whose leads the caller asked for; a foreign id is combined with the scope and finds nothing (D48). */
export function askedParties(filters: Pick<LeadFilters, Party[0]>): Party[] {
  const names = ['affiliate_id', 'issuer_id', 'product_id'] as const
  return names.flatMap((name): Party[] => (filters[name] ? [[name, filters[name]]] : []))
}

/** Whose leads they may be: the viewer's own, then what was asked for (D48), each party named once. */
export function partiesOf(viewer: Reader, filters: Pick<LeadFilters, Party[0]>): Party[] {
  const named = [...ownParties(viewer), ...askedParties(filters)]
  return [...new Map(named.map((party) => [party.join(' '), party])).values()]
}

import { type Role, roleLabels } from '#contract/roles.ts'
import type { User } from '#contract/users.ts'
import { matches } from '#web/ui/matches.ts'

export const NO_FILTERS = { q: '', rol: '', asociacion: '' }
export type UserFilterTexts = typeof NO_FILTERS

/** The filter value for users without a company. */
export const UNASSOCIATED = 'ninguna'

type Associated = Pick<User, 'role' | 'affiliate_id' | 'issuer_id'>

/** The user's company as the filter writes it, such as 'affiliate-7'. */
export function associationOf(user: Associated): string {
  if (user.affiliate_id !== null) return `affiliate-${user.affiliate_id}`
  return user.issuer_id === null ? UNASSOCIATED : `issuer-${user.issuer_id}`
}

/** An administrator has no association, and an affiliate's people are at no issuer (specification section 4). */
export const goTogether = (role: string, association: string): boolean =>
  role === '' ||
  association === '' ||
  (role !== 'admin' && (association === UNASSOCIATED || association.startsWith(`${role}-`)))

export const passes = (user: User, { q, rol, asociacion }: UserFilterTexts): boolean =>
  (rol === '' || user.role === rol) &&
  (asociacion === '' || associationOf(user) === asociacion) &&
  matches(q, [
    user.full_name,
    user.email,
    user.role,
    roleLabels[user.role as Role],
    user.affiliate_name,
    user.issuer_name,
  ])

/** The same filters as the export names them. */
export function exportOf({ q, rol, asociacion }: UserFilterTexts): Record<string, string> {
  if (asociacion === UNASSOCIATED) return { search: q, role: rol, association: 'none' }
  const [association_type = '', association_id = ''] = asociacion.split('-')
  return { search: q, role: rol, association_type, association_id }
}

import { type Role, roleLabels } from '#contract/roles.ts'
import { paths } from './paths.ts'

export const roleOf = (role: string | null | undefined): Role | undefined =>
  role != null && Object.hasOwn(roleLabels, role) ? (role as Role) : undefined

/** The first screen of a role; without a role, the redirect itself. */
export const dashboardOf = (role: string | null | undefined): string => {
  const known = roleOf(role)
  return known ? paths[known].dashboard : paths.dashboard
}

/** Whether a location asked for before signing in is one of the role's own screens. */
export const belongsTo = (pathname: string, role: string | null | undefined): boolean => {
  const known = roleOf(role)
  return known !== undefined && (Object.values(paths[known]) as string[]).includes(pathname.replace(/\/+$/, ''))
}

import type { ExternalDashboard } from '#contract/dashboards.ts'
import type { Role } from '#contract/roles.ts'

export const everybody: Record<Role, string> = {
  admin: 'Administradores',
  issuer: 'Todos los emisores',
  affiliate: 'Todos los afiliados',
}

/** Who sees it: 'Banco Norte', 'Todos los emisores'. */
export const audienceOf = ({ role, owner_name }: Pick<ExternalDashboard, 'role' | 'owner_name'>): string =>
  owner_name ?? everybody[role]

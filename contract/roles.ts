import { z } from 'zod'

export const Role = z.enum(['admin', 'issuer', 'affiliate'], 'Rol es requerido')
export type Role = z.infer<typeof Role>

export const roleLabels: Record<Role, string> = { admin: 'Administrador', issuer: 'Emisor', affiliate: 'Afiliado' }

/** The badge of somebody whose role is unknown; specification section 2. */
export const DEFAULT_ROLE_LABEL = 'Usuario'

export const everyone = ['admin', 'issuer', 'affiliate'] as const satisfies readonly Role[]

/**
 * Specification section 6. Kept as data: the server is stricter where the specification contradicts itself
 * (an issuer only views products and payments; decisions 1).
 */
const permissions = {
  admin: [
    'manage_users',
    'manage_products',
    'view_all_campaigns',
    'manage_payments',
    'create_campaigns',
    'view_own_metrics',
    'view_system_metrics',
  ],
  issuer: ['manage_products', 'manage_payments', 'view_own_metrics'],
  affiliate: ['create_campaigns', 'view_own_metrics'],
} as const satisfies Record<Role, readonly string[]>

type Permission = (typeof permissions)['admin'][number]

/** False for everything that the table does not grant, an unknown role included. */
export const may = (role: Role | null | undefined, permission: Permission): boolean =>
  role != null && Object.hasOwn(permissions, role) && (permissions[role] as readonly string[]).includes(permission)

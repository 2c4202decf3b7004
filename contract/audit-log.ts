import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { GivenDate, Id, PageNumber, PageSize, Pagination, QueryId } from './fields.ts'
import { AuditEntry } from './metrics.ts'

/** Entries are counted up to here; beyond, `meta.count_is_estimate` says that there are more. */
export const COUNTED_ENTRIES = 100_000

export const AuditRecord = AuditEntry.extend({
  /** {field: [before, after]}; secrets are never kept. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  request_id: z.string(),
  address: z.string(),
  /** As whom an administrator saw it. */
  on_behalf_of: Id.nullable(),
  on_behalf_of_name: z.string().nullable(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

export const auditActions = {
  create: 'Creación',
  update: 'Cambio',
  delete: 'Eliminación',
  reorder: 'Reordenamiento',
  export: 'Exportación',
  login: 'Inicio de sesión',
  login_failed: 'Inicio de sesión fallido',
  logout: 'Cierre de sesión',
  change_password: 'Cambio de contraseña',
  reset_password: 'Restablecimiento de contraseña',
  give_link: 'Enlace de acceso',
  use_link: 'Contraseña elegida con un enlace',
  add_factor: 'Segundo factor registrado',
  remove_factor: 'Segundo factor quitado',
  remove_factors: 'Segundos factores quitados a otra persona',
  renew_codes: 'Códigos de recuperación nuevos',
  elevate: 'Confirmación de identidad',
  end_session: 'Cierre de una sesión propia',
  end_sessions: 'Cierre de sesiones',
  view_as: 'Vista como otra persona',
  end_view: 'Fin de la vista como otra persona',
  reveal_key: 'Consulta de clave',
  rotate_key: 'Cambio de clave',
  privacy_access: 'Acceso a datos personales',
  privacy_correct: 'Rectificación de datos personales',
  privacy_erase: 'Supresión de datos personales',
  revoke_key: 'Revocación de clave',
  reject: 'Rechazo',
  restore: 'Reactivación',
  approve: 'Aprobación',
  apply: 'Aplicación',
  undo: 'Deshacer',
  cancel: 'Cancelación',
  hold: 'Retención',
  release: 'Liberación',
  void: 'Anulación',
  compensate: 'Compensación',
  pause: 'Pausa',
  resume: 'Reanudación',
  replay: 'Reenvío',
} as const

export const auditEntities = {
  user: 'Usuario',
  affiliate: 'Afiliado',
  issuer: 'Emisor',
  relationship: 'Relación',
  product: 'Producto',
  event_step: 'Paso',
  lead: 'Lead',
  lead_event: 'Evento',
  commission: 'Comisión',
  commission_entry: 'Comisión devengada',
  adjustment: 'Bono o ajuste',
  payment: 'Pago',
  dashboard: 'Dashboard',
  report: 'Reporte',
  term: 'Condición',
  reject_reason: 'Motivo de rechazo',
  import: 'Conciliación',
  receiver: 'Dirección de avisos',
  security_policy: 'Seguridad por rol',
  network_key: 'Clave de la red',
} as const

export type AuditAction = keyof typeof auditActions
export type AuditEntity = keyof typeof auditEntities

const keysOf = <T extends Record<string, string>>(labels: T) => Object.keys(labels) as (keyof T & string)[]

export const AuditFilters = z.object({
  /** The person who did it. */
  actor_id: QueryId.optional(),
  action: z.enum(keysOf(auditActions), 'Acción no válida').optional(),
  entity: z.enum(keysOf(auditEntities), 'Entidad no válida').optional(),
  /** Days of Mexico City, both ends included. */
  from: GivenDate.optional(),
  to: GivenDate.optional(),
  page: PageNumber.default(1),
  page_size: PageSize.default(50),
})
export type AuditFilters = z.infer<typeof AuditFilters>

export const AuditPage = z.object({ results: z.array(AuditRecord), pagination: Pagination })
export type AuditPage = z.infer<typeof AuditPage>

export const auditLog = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/audit/',
    access: ['admin'],
    summary: 'La bitácora: quién hizo qué y cuándo, lo último primero',
    query: AuditFilters,
    response: AuditPage,
  }),
}

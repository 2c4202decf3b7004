import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Line, ListQuery, Moment, Text } from './fields.ts'
import { Role } from './roles.ts'
import { parseUrl } from './web-address.ts'

/** A dashboard of another tool, as the administrator manages it; those of the product itself are not among them (D61). */
export const ExternalDashboard = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  iframe_url: z.string(),
  /** Whose screens offer it. */
  role: Role,
  issuer_id: Id.nullable(),
  affiliate_id: Id.nullable(),
  /** The one company that sees it; without one, everybody of the role does. */
  owner_name: z.string().nullable(),
  /** False once the operator no longer allows its origin: nobody sees it then. */
  allowed: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
})
export type ExternalDashboard = z.infer<typeof ExternalDashboard>

export const URL_INVALID = 'Debe ser una dirección https:// completa, como https://tableros.ejemplo.mx/publico/1'

/** Letter by letter how browsers read it too: `https:/x` would be resolved against our own address. */
function isHttpsAddress(url: string): boolean {
  const parsed = parseUrl(url)
  return parsed !== null && /^https:\/\/[^\s\\]+$/i.test(url) && parsed.username === '' && parsed.password === ''
}

const board = {
  name: Line.pipe(
    z
      .string()
      .min(2, 'El nombre debe tener al menos 2 caracteres')
      .max(100, 'El nombre no puede exceder 100 caracteres'),
  ),
  description: Text.pipe(z.string().max(500, 'La descripción no puede exceder 500 caracteres')),
  iframe_url: Text.pipe(
    z.string().max(2048, 'La dirección es demasiado larga').refine(isHttpsAddress, { error: URL_INVALID }),
  ),
  role: Role,
  issuer_id: Id.nullish(),
  affiliate_id: Id.nullish(),
}

/** The owner that does not go with the role is ignored, as it is for users. */
export const ExternalDashboardCreate = z.object({ ...board, description: board.description.optional() })
export type ExternalDashboardCreate = z.infer<typeof ExternalDashboardCreate>

export const ExternalDashboardUpdate = z.object({ id: Id, ...board }).partial()
export type ExternalDashboardUpdate = z.infer<typeof ExternalDashboardUpdate>

export const ExternalDashboardFilters = ListQuery.extend({ role: Role.optional() })
export type ExternalDashboardFilters = z.infer<typeof ExternalDashboardFilters>

export const dashboards = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/dashboards/',
    access: ['admin'],
    summary: 'Los dashboards de otras herramientas',
    query: ExternalDashboardFilters,
    response: z.array(ExternalDashboard),
  }),
  origins: endpoint({
    method: 'GET',
    path: '/api/v1/dashboards/origins/',
    access: ['admin'],
    summary: 'Los orígenes que el operador permite mostrar (DASHBOARD_ORIGINS)',
    response: z.array(z.string()),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/dashboards/:id/',
    access: ['admin'],
    summary: 'Un dashboard de otra herramienta',
    params: IdParams,
    response: ExternalDashboard,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/dashboards/',
    access: ['admin'],
    summary: 'Agregar un dashboard de otra herramienta',
    body: ExternalDashboardCreate,
    response: ExternalDashboard,
    status: 201,
    message: 'Dashboard creado exitosamente',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/dashboards/:id/',
    access: ['admin'],
    summary: 'Actualizar un dashboard de otra herramienta',
    params: IdParams,
    body: ExternalDashboardUpdate,
    response: ExternalDashboard,
    message: 'Dashboard actualizado exitosamente',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/dashboards/:id/',
    access: ['admin'],
    summary: 'Eliminar un dashboard de otra herramienta',
    params: IdParams,
    status: 204,
  }),
}

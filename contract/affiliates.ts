import { z } from 'zod'
import {
  CompanyAccess,
  CompanyFilters,
  CompanyUser,
  companyFields,
  companyForm,
  Dependents,
  emptyByDefault,
  KeyChange,
  OldKeys,
  OwnKey,
  requiredAddress,
} from './companies.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Status } from './fields.ts'
import { everyone } from './roles.ts'
import { NestedUser } from './users.ts'

/**
 * api_key only in the affiliate's own detail; relationship_id and users in the views for which section 1 of the product
 * decisions grants them.
 */
export const Affiliate = z.object({
  ...companyFields,
  api_key: OwnKey.optional(),
  api_key_prefix: z.string().nullish(),
  relationship_id: Id.optional(),
  users: z.array(CompanyUser).optional(),
})
export type Affiliate = z.infer<typeof Affiliate>

const form = z.object({
  ...companyForm,
  address: requiredAddress('Dirección es requerida'),
})
export const AffiliateCreate = form.extend({
  ...emptyByDefault,
  user_status: Status.optional(),
  user: NestedUser.optional(),
})
export type AffiliateCreate = z.infer<typeof AffiliateCreate>
export const AffiliateUpdate = form.extend({ id: Id, user_status: Status }).partial()
export type AffiliateUpdate = z.infer<typeof AffiliateUpdate>

export const affiliates = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/affiliates/',
    access: ['admin', 'issuer'],
    summary: 'Afiliados; el emisor ve los suyos',
    query: CompanyFilters,
    response: z.array(Affiliate),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/affiliates/:id/',
    access: everyone,
    summary: 'Un afiliado; el afiliado ve el propio, con su API key',
    params: IdParams,
    response: Affiliate,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/affiliates/',
    access: ['admin'],
    summary: 'Crear un afiliado, opcionalmente con su usuario',
    body: AffiliateCreate,
    response: Affiliate,
    status: 201,
    message: 'Afiliado creado exitosamente',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/affiliates/:id/',
    access: ['admin'],
    summary: 'Actualizar un afiliado',
    params: IdParams,
    body: AffiliateUpdate,
    response: Affiliate,
    message: 'Afiliado actualizado exitosamente',
  }),
  remove: endpoint({
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/affiliates/:id/',
    access: ['admin'],
    summary: 'Eliminar un afiliado',
    params: IdParams,
    status: 204,
  }),
  dependents: endpoint({
    method: 'GET',
    path: '/api/v1/affiliates/:id/dependents/',
    access: ['admin'],
    summary: 'Lo que se va con un afiliado al eliminarlo',
    params: IdParams,
    response: Dependents,
  }),
  rotateKey: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/affiliates/:id/api-key/',
    access: ['admin', 'affiliate'],
    summary: 'Cambiar la API key; la anterior vale 24 horas más, o nada con revoke_old',
    params: IdParams,
    body: KeyChange,
    response: Affiliate,
    message: 'API key actualizada exitosamente',
  }),
  revokeOldKeys: endpoint({
    need: 'people',
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/affiliates/:id/old-keys/',
    access: ['admin', 'affiliate'],
    summary: 'Revocar de inmediato las claves que un cambio dejó vigentes: de una clase (kind) o todas',
    params: IdParams,
    query: OldKeys,
    message: 'La clave anterior dejó de funcionar',
  }),
  access: endpoint({
    method: 'GET',
    path: '/api/v1/affiliates/:id/access/',
    access: ['admin', 'affiliate'],
    summary: 'Quién tiene cuenta en la empresa, sus claves vigentes con su último uso, y quién las consultó o cambió',
    params: IdParams,
    response: CompanyAccess,
  }),
}

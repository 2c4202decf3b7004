import { z } from 'zod'
import {
  Address,
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
} from './companies.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Status } from './fields.ts'
import { everyone } from './roles.ts'
import { NestedUser } from './users.ts'

/**
 * api_key, postback_token and signing_secret only in the issuer's own detail; relationship_id and users in the views for
 * which section 1 of the product decisions grants them.
 */
export const Issuer = z.object({
  ...companyFields,
  /** The same as url (specification section 3). */
  redirect_url: z.string(),
  postback_token: OwnKey.optional(),
  signing_secret: OwnKey.optional(),
  api_key: OwnKey.optional(),
  api_key_prefix: z.string().nullish(),
  relationship_id: Id.optional(),
  users: z.array(CompanyUser).optional(),
})
export type Issuer = z.infer<typeof Issuer>

const form = z.object({ ...companyForm, address: Address })
export const IssuerCreate = form.extend({
  ...emptyByDefault,
  address: Address.default(''),
  user_status: Status.optional(),
  user: NestedUser.optional(),
})
export type IssuerCreate = z.infer<typeof IssuerCreate>
export const IssuerUpdate = form.extend({ id: Id, user_status: Status }).partial()
export type IssuerUpdate = z.infer<typeof IssuerUpdate>

export const issuers = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/issuers/',
    access: ['admin', 'affiliate'],
    summary: 'Emisores; el afiliado ve los suyos',
    query: CompanyFilters,
    response: z.array(Issuer),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/issuers/:id/',
    access: everyone,
    summary: 'Un emisor; el emisor ve el propio, con su API key, su token de postback y su secreto de firma',
    params: IdParams,
    response: Issuer,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/issuers/',
    access: ['admin'],
    summary: 'Crear un emisor, opcionalmente con su usuario',
    body: IssuerCreate,
    response: Issuer,
    status: 201,
    message: 'Emisor creado exitosamente',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/issuers/:id/',
    access: ['admin'],
    summary: 'Actualizar un emisor',
    params: IdParams,
    body: IssuerUpdate,
    response: Issuer,
    message: 'Emisor actualizado exitosamente',
  }),
  remove: endpoint({
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/issuers/:id/',
    access: ['admin'],
    summary: 'Eliminar un emisor',
    params: IdParams,
    status: 204,
  }),
  dependents: endpoint({
    method: 'GET',
    path: '/api/v1/issuers/:id/dependents/',
    access: ['admin'],
    summary: 'Lo que se va con un emisor al eliminarlo',
    params: IdParams,
    response: Dependents,
  }),
  rotatePostbackToken: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/issuers/:id/postback-token/',
    access: ['admin', 'issuer'],
    summary: 'Cambiar el token de postback; el anterior vale 24 horas más, o nada con revoke_old',
    params: IdParams,
    body: KeyChange,
    response: Issuer,
    message: 'Token de postback actualizado exitosamente',
  }),
  rotateKey: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/issuers/:id/api-key/',
    access: ['admin', 'issuer'],
    summary: 'Cambiar la API key; la anterior vale 24 horas más, o nada con revoke_old',
    params: IdParams,
    body: KeyChange,
    response: Issuer,
    message: 'API key actualizada exitosamente',
  }),
  rotateSigningSecret: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: '/api/v1/issuers/:id/signing-secret/',
    access: ['admin', 'issuer'],
    summary:
      'Crear o cambiar el secreto de firma; el anterior, o la firma con la API key, vale 24 horas más, o nada con revoke_old',
    params: IdParams,
    body: KeyChange,
    response: Issuer,
    message: 'Secreto de firma actualizado exitosamente',
  }),
  requireSignature: endpoint({
    need: 'people',
    method: 'PUT',
    path: '/api/v1/issuers/:id/required-signature/',
    access: ['admin', 'issuer'],
    summary: 'Exigir que cada evento venga firmado; los demás, y los postbacks por parámetros, se rechazan',
    params: IdParams,
    message: 'Desde ahora se rechaza todo evento sin firma',
  }),
  allowUnsigned: endpoint({
    need: 'people',
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/issuers/:id/required-signature/',
    access: ['admin', 'issuer'],
    summary: 'Volver a aceptar eventos sin firma',
    params: IdParams,
    message: 'Se aceptan de nuevo eventos sin firma',
  }),
  revokeOldKeys: endpoint({
    need: 'people',
    elevated: true,
    method: 'DELETE',
    path: '/api/v1/issuers/:id/old-keys/',
    access: ['admin', 'issuer'],
    summary: 'Revocar de inmediato las claves que un cambio dejó vigentes: de una clase (kind) o todas',
    params: IdParams,
    query: OldKeys,
    message: 'La clave anterior dejó de funcionar',
  }),
  access: endpoint({
    method: 'GET',
    path: '/api/v1/issuers/:id/access/',
    access: ['admin', 'issuer'],
    summary: 'Quién tiene cuenta en la empresa, sus claves vigentes con su último uso, y quién las consultó o cambió',
    params: IdParams,
    response: CompanyAccess,
  }),
}

import { z } from 'zod'
import { BulkOutcome, StatusForm } from './bulk.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, ListQuery, Moment, QueryId, Status, Text } from './fields.ts'
import { everyone } from './roles.ts'

export const NOTES_LIMIT = 1000

export const Relationship = z.object({
  id: Id,
  affiliate: Id,
  issuer: Id,
  affiliate_name: z.string(),
  issuer_name: z.string(),
  notes: z.string(),
  relationship_status: Status,
  created_at: Moment,
  updated_at: Moment,
})
export type Relationship = z.infer<typeof Relationship>

/** Whose a relationship was when it was chosen: it may go to another pair meanwhile (D24). */
export const ShownPair = Relationship.pick({ affiliate: true, issuer: true })
export type ShownPair = z.infer<typeof ShownPair>
export const PAIR_CHANGED = 'La relación pasó a otra pareja desde que la elegiste: revisa de quién es'

export const RELATIONSHIP_SAVE_FAILED = 'Ocurrió un error al guardar la relación'

export const AFFILIATE_REQUIRED = 'Debe seleccionar un afiliado'
export const ISSUER_REQUIRED = 'Debe seleccionar un emisor'
const chosen = (message: string) => z.number(message).int(message).positive(message)
const Notes = Text.pipe(z.string().max(NOTES_LIMIT, 'Las notas no pueden exceder 1000 caracteres'))

export const RelationshipCreate = z.object({
  affiliate_id: chosen(AFFILIATE_REQUIRED),
  issuer_id: chosen(ISSUER_REQUIRED),
  notes: Notes.default(''),
})
export type RelationshipCreate = z.infer<typeof RelationshipCreate>

/** A note that is left out stays as it is, so the default of the creation must not come in here. */
export const RelationshipUpdate = RelationshipCreate.extend({
  id: Id,
  notes: Notes,
  relationship_status: Status,
}).partial()
export type RelationshipUpdate = z.infer<typeof RelationshipUpdate>

export const duplicateRelationship = (affiliate: string, issuer: string): string =>
  `Ya existe una relación entre ${affiliate} y ${issuer}`

export const RelationshipFilters = ListQuery.extend({
  affiliate_id: QueryId.optional(),
  issuer_id: QueryId.optional(),
  relationship_status: Status.optional(),
})
export type RelationshipFilters = z.infer<typeof RelationshipFilters>

export const relationships = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/relationships/',
    access: everyone,
    summary: 'Relaciones entre afiliados y emisores; cada quien ve las suyas',
    query: RelationshipFilters,
    response: z.array(Relationship),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/relationships/:id/',
    access: everyone,
    summary: 'Una relación',
    params: IdParams,
    response: Relationship,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/relationships/',
    access: ['admin'],
    summary: 'Crear una relación',
    body: RelationshipCreate,
    response: Relationship,
    status: 201,
    message: 'Relación creada exitosamente',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/relationships/:id/',
    access: ['admin'],
    summary: 'Actualizar una relación',
    params: IdParams,
    body: RelationshipUpdate,
    response: Relationship,
    message: 'Relación actualizada exitosamente',
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/v1/relationships/status/',
    access: ['admin'],
    summary: 'Activar o desactivar hasta 500 relaciones; responde qué pasó con cada una',
    body: StatusForm,
    response: z.array(BulkOutcome),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/relationships/:id/',
    access: ['admin'],
    summary: 'Eliminar una relación; sus enlaces dejan de funcionar',
    params: IdParams,
    status: 204,
  }),
}

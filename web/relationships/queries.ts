import {
  RELATIONSHIP_SAVE_FAILED,
  type RelationshipCreate,
  type RelationshipUpdate,
  relationships,
} from '#contract/relationships.ts'
import { call, type Seen } from '#web/api/client.ts'
import { ApiError, inWords } from '#web/api/errors.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'

export const relationshipsQuery = () => wholeListQuery(keys.relationships, relationships.list)

/** A refused pair is shown at its fields; every other error in the words of the screen (section 8). */
const orRefusal = <T>(save: Promise<T>): Promise<T> =>
  save.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'DUPLICATE_RELATIONSHIP')
      throw new ApiError(error.status, error.message, { issuer_id: [error.message] }, error.code)
    throw inWords(error, RELATIONSHIP_SAVE_FAILED)
  })

export const useCreateRelationship = () =>
  useSave({
    save: (body: RelationshipCreate, requestKey) => orRefusal(call(relationships.create, { body, requestKey })),
    success: 'Relación creada exitosamente',
    refreshes: refreshedBy.relationship,
  })

export const useUpdateRelationship = () =>
  useSave({
    save: ({ id, updated_at, ...body }: RelationshipUpdate & Seen) =>
      orRefusal(call(relationships.update, { params: { id }, body, ifMatch: updated_at, fallback: 'Update failed' })),
    success: 'Relación actualizada exitosamente',
    list: keys.relationships,
    refreshes: refreshedBy.relationship,
  })

export const useRemoveRelationship = () =>
  useSave({
    save: (id: number) => call(relationships.remove, { params: { id } }),
    success: 'Relación eliminada exitosamente',
    refreshes: refreshedBy.relationship,
  })

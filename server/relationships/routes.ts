import { relationships } from '#contract/relationships.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { createRelationship, getRelationship, listRelationships, removeRelationship } from './queries.ts'
import { setRelationshipStatus, updateRelationship } from './update.ts'

export function relationshipRoutes(app: App, db: Db): void {
  serve(app, relationships.list, ({ viewer, query }) => listRelationships(db, viewer, query))
  serve(app, relationships.get, ({ viewer, params }) => getRelationship(db, viewer, params.id))
  serve(app, relationships.create, ({ viewer, body }) => createRelationship(db, viewer, body))
  serve(app, relationships.update, ({ viewer, params, body, ifMatch }) =>
    updateRelationship(db, viewer, params.id, body, ifMatch),
  )
  serve(app, relationships.setStatus, ({ viewer, body }) => setRelationshipStatus(db, viewer, body))
  serve(app, relationships.remove, ({ viewer, params }) => removeRelationship(db, viewer, params.id))
}

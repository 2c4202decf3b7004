import { imports } from '#contract/imports.ts'
import type { App } from '../http/http.ts'
import { serve } from '../http/http.ts'
import { serveUpload } from '../http/uploads.ts'
import { applyImport, discardImport, mapImport, previewUndo, simulateImport, undoImport } from './changes.ts'
import { getImport, listImports, listRows, listValues } from './queries.ts'
import { receiveFile, type Uploads } from './upload.ts'

export function importRoutes(app: App, uploads: Uploads): void {
  const { db } = uploads
  serve(app, imports.list, ({ viewer, query }) => listImports(db, viewer, query))
  serveUpload(app, imports.create, ({ viewer, query }, file) => receiveFile(uploads, viewer, query, file))
  serve(app, imports.get, ({ viewer, params }) => getImport(db, viewer, params.id))
  serve(app, imports.values, ({ viewer, params, query }) => listValues(db, viewer, params.id, query.column))
  serve(app, imports.rows, ({ viewer, params, query }) => listRows(db, viewer, params.id, query))
  serve(app, imports.map, ({ viewer, params, body }) => mapImport(db, viewer, params.id, body))
  serve(app, imports.simulate, ({ viewer, params }) => simulateImport(db, viewer, params.id))
  serve(app, imports.apply, ({ viewer, params, body }) => applyImport(db, viewer, params.id, body.simulated_at))
  serve(app, imports.previewUndo, ({ viewer, params }) => previewUndo(db, viewer, params.id))
  serve(app, imports.undo, ({ viewer, params, body }) => undoImport(db, viewer, params.id, body))
  serve(app, imports.discard, ({ viewer, params }) => discardImport(db, viewer, params.id))
}

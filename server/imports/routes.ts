import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { imports } from '#contract/imports.ts'
import type { App, Call } from '../http/http.ts'
import { serve } from '../http/http.ts'
import { serveUpload } from '../http/uploads.ts'
import { applyImport, discardImport, mapImport, previewUndo, simulateImport, undoImport } from './changes.ts'
import { getImport, type Importer, listImports, listRows, listValues } from './queries.ts'
import { Turns } from './turns.ts'
import { receiveFile, type Uploads } from './upload.ts'

/** What is applied can be undone for `undoDays`. */
export function importRoutes(app: App, uploads: Uploads, undoDays: number): void {
  const { db } = uploads
  const turns = new Turns()
  serve(app, imports.list, ({ viewer, query }) => listImports(db, viewer, query))
  serveUpload(app, imports.create, ({ viewer, query }, sent) => receiveFile(uploads, viewer, query, sent))
  serve(app, imports.get, ({ viewer, params }) => getImport(db, viewer, params.id))
  serve(app, imports.values, ({ viewer, params, query }) =>
    turns.share(viewer, `${params.id} ${query.column}`, () => listValues(db, viewer, params.id, query.column)),
  )
  const inTurn = <E extends Endpoint>(endpoint: E, answer: (call: Call<E>) => Promise<ResponseOf<E>>) =>
    serve(app, endpoint, (call) => turns.run(call.viewer as Importer, () => answer(call)))
  inTurn(imports.rows, ({ viewer, params, query }) => listRows(db, viewer, params.id, query))
  inTurn(imports.map, ({ viewer, params, body }) => mapImport(db, viewer, params.id, body))
  inTurn(imports.simulate, ({ viewer, params }) => simulateImport(db, viewer, params.id))
  inTurn(imports.apply, ({ viewer, params, body }) => applyImport(db, viewer, params.id, { ...body, undoDays }))
  inTurn(imports.previewUndo, ({ viewer, params }) => previewUndo(db, viewer, params.id))
  inTurn(imports.undo, ({ viewer, params, body }) => undoImport(db, viewer, params.id, body))
  inTurn(imports.discard, ({ viewer, params }) => discardImport(db, viewer, params.id))
}

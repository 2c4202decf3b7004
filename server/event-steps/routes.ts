import { eventSteps, eventTypes } from '#contract/event-steps.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import {
  createStep,
  getEventType,
  getStep,
  listEventTypes,
  listSteps,
  listStepsOfProduct,
  removeStep,
  updateStep,
} from './queries.ts'
import { reorderSteps } from './reorder.ts'

export function eventStepRoutes(app: App, db: Db): void {
  serve(app, eventSteps.list, ({ viewer, query }) => listSteps(db, viewer, query))
  serve(app, eventSteps.byProduct, ({ viewer, params }) => listStepsOfProduct(db, viewer, params.id))
  serve(app, eventSteps.get, ({ viewer, params }) => getStep(db, viewer, params.id))
  serve(app, eventSteps.create, ({ viewer, body }) => createStep(db, viewer, body))
  serve(app, eventSteps.reorder, ({ viewer, body }) => reorderSteps(db, viewer, body))
  serve(app, eventSteps.update, ({ viewer, params, body, ifMatch }) => updateStep(db, viewer, params.id, body, ifMatch))
  serve(app, eventSteps.remove, ({ viewer, params }) => removeStep(db, viewer, params.id))
  serve(app, eventTypes.list, () => listEventTypes(db))
  serve(app, eventTypes.get, ({ params }) => getEventType(db, params.id))
}

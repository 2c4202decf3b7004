import type { Db } from '#db/connect.ts'
import type { Measures } from '../monitoring/measures.ts'
import type { EventStore } from './event-store.ts'
import type { SpoolIndex } from './spooled-leads.ts'

/** What taking an event needs, whichever way it came. */
export interface Intake {
  db: Db
  events: EventStore
  spool: SpoolIndex
  measures: Measures
}

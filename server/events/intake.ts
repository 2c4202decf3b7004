import type { Db } from '#db/connect.ts'
import type { Measures } from '../monitoring/measures.ts'
import type { SpoolIndex } from '../spool/spooled-leads.ts'
import type { EventStore } from './store.ts'

/** What taking an event needs, whichever way it came. */
export interface Intake {
  db: Db
  events: EventStore
  spool: SpoolIndex
  measures: Measures
}

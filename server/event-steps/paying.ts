import { sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'

/** Of a step by its name in a query, whether leads earn by it now: by a rejection never, whatever its step says. */
export const isPaying = (step: string) => sql<boolean>`(${sql.ref(`${step}.archived_at`)} is null
  and ${sql.ref(`${step}.is_payout_event`)}
  and ${sql.ref(`${step}.event_type_id`)} <> (select id from event_type where name = ${REJECTED}))`

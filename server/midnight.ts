import { type RawBuilder, sql } from 'kysely'
import { TIME_ZONE } from '#contract/time.ts'

/** The moment at which a calendar date begins in Mexico City; mexico_day() in db/functions leads back. */
export const midnight = (day: RawBuilder<unknown>) =>
  sql<string>`((${day})::timestamp at time zone ${sql.lit(TIME_ZONE)})`

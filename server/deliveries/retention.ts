import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

/** Days that a delivery waits for its receiver, that its attempts are kept, and that it is kept itself. */
const WAITING_DAYS = 30
const ATTEMPT_DAYS = 30
const DELIVERY_DAYS = 60
/** Of one receiver; the oldest beyond are given up. */
const WAITING_MAX = 100_000

type Forget = (db: Db, limits: unknown, batchRows: number) => Promise<number>

/** What is kept of deliveries, as rules of retention (privacy/retention.ts). */
export const forgetDeliveries: Record<string, Forget> = {
  'delivery.waiting': async (db, _, batchRows) => {
    const result = await sql`
      update delivery set state = 'failed', reason = 'expired', settled_at = now(), claimed_until = null
      where id in (
        select old.id from receiver cross join lateral (
          select id from delivery where receiver_id = receiver.id and state = 'waiting'
            and (waits_since < now() - make_interval(days => ${WAITING_DAYS}) or receiver.archived_at is not null
              or seq <= (select seq from delivery as kept where kept.receiver_id = receiver.id and kept.state = 'waiting'
                order by seq desc offset ${WAITING_MAX} limit 1))
          order by seq limit ${batchRows}
        ) as old limit ${batchRows})`.execute(db)
    return Number(result.numAffectedRows)
  },
  delivery_attempt: async (db, _, batchRows) => {
    const result = await sql`
      delete from delivery_attempt where (delivery_id, number) in (
        select delivery_id, number from delivery_attempt where at < now() - make_interval(days => ${ATTEMPT_DAYS})
        order by at limit ${batchRows})`.execute(db)
    return Number(result.numAffectedRows)
  },
  delivery: async (db, _, batchRows) => {
    const result = await sql`
      delete from delivery where id in (
        select id from (
          select id, created_at from delivery where state <> 'waiting' order by seq limit ${batchRows}
        ) as oldest where created_at < now() - make_interval(days => ${DELIVERY_DAYS}))`.execute(db)
    return Number(result.numAffectedRows)
  },
}

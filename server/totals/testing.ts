import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#db/connect.ts'
import type { Ids } from '#db/factories.ts'
import { isDatabaseAway } from '../http/errors.ts'
import { type TestServer, workOff } from '../testing.ts'
import { readImbalances } from './conservation.ts'
import { foldOnce } from './fold.ts'
import { FIGURES, KEY, readDrift } from './recount.ts'

export const foldAllTotals = (server: TestServer) => workOff(server, ['total_delta'], () => foldOnce(server.appDb))

/**
 * Every sum equals a recount, a lead converts at most once, and payments hold only entries of their pair and
 * period, and balances against the affiliate from before it.
 */
export async function expectNoDrift(db: Db): Promise<void> {
  expect(await readDrift(db)).toEqual([])
  // Once, while it has an entry that is not reversed, nor taken back by a negative one.
  const { rows: converted } = await sql`
    select lead_id from commission_entry where state <> 'reversed' and lead_id is not null group by lead_id
    having sum(converts) <> case when sum(case kind when 'reversal' then -1 else 1 end) > 0 then 1 else 0 end`.execute(
    db,
  )
  expect(converted).toEqual([])
  const { rows: misplaced } = await sql`
    select entry.id from commission_entry as entry join payment on payment.id = payment_id
    where (entry.affiliate_id, entry.issuer_id) <> (payment.affiliate_id, payment.issuer_id)
      or due_on > period_end`.execute(db)
  expect(misplaced).toEqual([])
  const { rows: early } = await sql`
    select payment.id from commission_entry as entry join payment on payment.id = payment_id
    where due_on < period_start and state <> 'reversed' group by payment.id having sum(amount) >= 0`.execute(db)
  expect(early).toEqual([])
}

/** What each pair earned is accrued, in payments, paid or reversed, and nothing of it twice. */
export const expectConserved = async (db: Db): Promise<void> => expect(await readImbalances(db)).toEqual([])

const FACTS = sql`
  select first_day as day, ${KEY}, ${FIGURES} from total where grain = 'day' and affiliate_id <> 0 and issuer_id <> 0
  union all select day, ${KEY}, ${FIGURES} from total_delta`

/** A late lead waits for a merge, perhaps in vain (40P01, 57014); whoever writes late leads tries again. */
export const untilStored = <T>(write: () => Promise<T>): Promise<T> =>
  write().catch((error) => {
    if (!isDatabaseAway(error)) throw error
    return untilStored(write)
  })

/** How often the steps of a pair's product were reached, by day. */
export async function stepsOf(db: Db, { affiliate_id, product_id }: Ids) {
  const { rows } = await sql<{ day: string; step_id: number; events: number; reached: number }>`
    select day, step_id, sum(events)::int8 as events, sum(reached)::int8 as reached
    from (${FACTS}) as fact where affiliate_id = ${affiliate_id} and product_id = ${product_id} and step_id <> 0
    group by day, step_id having (sum(events), sum(reached)) <> (0, 0) order by day, step_id`.execute(db)
  return rows
}

/** What a pair earned with its product, by day. */
export async function earningsOf(db: Db, { affiliate_id, product_id }: Ids) {
  const { rows } = await sql<
    Record<'day' | 'accrued' | 'in_payment' | 'paid' | 'reversed', string> & { conversions: number }
  >`
    select day, sum(conversions)::int8 as conversions, sum(accrued) as accrued, sum(in_payment) as in_payment,
      sum(paid) as paid, sum(reversed) as reversed
    from (${FACTS}) as fact where affiliate_id = ${affiliate_id} and product_id = ${product_id} and step_id = 0
    group by day
    having (sum(conversions), sum(accrued), sum(in_payment), sum(paid), sum(reversed)) <> (0, 0, 0, 0, 0) order by day`.execute(
    db,
  )
  return rows
}

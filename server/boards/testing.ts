import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#db/connect.ts'
import type { Ids } from '#db/factories.ts'
import { keepMonth } from './span-keeper.ts'

/** The kept totals are what counting everything anew gives. */
export async function expectNoDrift(db: Db): Promise<void> {
  const { rows } = await sql`select * from total_drift()`.execute(db)
  expect(rows).toEqual([])
}

/** Sums up all that is over, as the server does every minute. */
export async function keepSpans(db: Db): Promise<void> {
  while (await keepMonth(db));
}

export const stepsOf = (db: Db, { affiliate_id, product_id }: Ids) =>
  db
    .selectFrom('step_total')
    .selectAll()
    .where('affiliate_id', '=', affiliate_id)
    .where('product_id', '=', product_id)
    .orderBy('day')
    .orderBy('step_id')
    .execute()

export const earningsOf = (db: Db, { affiliate_id, product_id }: Ids) =>
  db
    .selectFrom('earning_total')
    .selectAll()
    .where('affiliate_id', '=', affiliate_id)
    .where('product_id', '=', product_id)
    .orderBy('day')
    .execute()

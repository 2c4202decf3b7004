import type pg from 'pg'
import { addDays, firstOfMonth } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { mergePartitions, tendPartitions } from '#server/leads/partitions.ts'
import { fileStatesOnce } from '#server/leads/states.ts'
import { foldOnce } from '#server/totals/fold.ts'

/** Leads are written in order of time, so the few existing ones are set aside until their month is written. */
export async function takeOutLeads(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create temp table earlier_lead on commit drop as select * from lead;
    alter table earlier_lead drop column created_at; -- generated, and the last one
    insert into total_delta (day, affiliate_id, issuer_id, product_id, leads)
      select mexico_day(created_at), affiliate_id, issuer_id, product_id, -count(*) from lead
      where tracking_id < first_uncounted_id() group by 1, 2, 3, 4;
    do $$ declare one text; begin
      for one in select name from lead_partition loop execute format('drop table %I', one); end loop;
    end $$;
    delete from lead_partition;
    create table lead_0 partition of lead for values from (minvalue) to (maxvalue);
    create unique index on lead_0 (id);
    insert into lead_partition (name, first_id) values ('lead_0', '00000000-0000-0000-0000-000000000000')`)
}

/** Puts those of a month back, and ends its partition unless it is the present one. */
export async function endMonth(client: pg.ClientBase, month: string, today: string): Promise<void> {
  const next = firstOfMonth(addDays(`${month}-28`, 4))
  const isLast = next > today
  await client.query(
    `with back as (
      delete from earlier_lead where $2 or tracking_id < first_id_of($1::date::timestamp at time zone 'America/Mexico_City') returning *
    )
    insert into lead select * from back`,
    [next, isLast],
  )
  if (isLast) return
  await client.query(`select cut_leads($1::date::timestamp at time zone 'America/Mexico_City')`, [next])
  // Earlier leads come back with the smaller ids that they had.
  await client.query(`do $$ begin
    execute format('alter table %I drop constraint id_follows', (select name from lead_partition where end_id is null));
  end $$`)
}

/** Many deltas belong to one sum: the more are folded together, the fewer rows are written. */
const FOLD_ROWS = 200_000

/**
 * Closes ended partitions and folds all deltas, as the server would in time: beside each other, like there. `db` has a
 * connection for each.
 */
export async function settleStore(db: Db, databaseUrl: string, onPart: (part: number) => void): Promise<void> {
  await Promise.all([closeAll(db, databaseUrl, onPart), fold(db), fileStates(db)])
  // Closing a partition counts its leads.
  await fold(db)
}

async function closeAll(db: Db, databaseUrl: string, onPart: (part: number) => void): Promise<void> {
  for (let done = 1; ; done += 1) {
    const { step } = await tendPartitions(db, { databaseUrl, cutLeads: Number.MAX_SAFE_INTEGER })
    if (!step && !(await mergePartitions(db, { databaseUrl })).step) return
    onPart(1 - 1 / (1 + done / 12))
  }
}

async function fold(db: Db): Promise<void> {
  while (await foldOnce(db, FOLD_ROWS));
}

async function fileStates(db: Db): Promise<void> {
  while (await fileStatesOnce(db, FOLD_ROWS));
}

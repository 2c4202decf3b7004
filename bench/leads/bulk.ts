import type pg from 'pg'

/** Whose rows come by the million; in the order in which they refer to each other. */
const TABLES = ['lead', 'lead_event', 'commission_entry']
/** What is made of those rows when all of them are there. */
const TOTALS = ['step_total', 'earning_total']
const FILED = ['lead_search', 'filed_count']

interface Statements {
  /** Statements that let rules or indexes go and bring them back, as PostgreSQL writes them. */
  before: string
  after: string
}

const REFERENCES = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as before,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as after
  from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])
  union all
  select format('alter table %s disable trigger user', name), format('alter table %s enable trigger user', name)
  from unnest($1::regclass[]) as name`

/** Without those by which rows are found, or looked for by ON CONFLICT, while the others are missing. */
const INDEXES = `
  select case when conname is null then format('drop index %s', indexrelid::regclass)
      else format('alter table %s drop constraint %I', indrelid::regclass, conname) end as before,
    case when conname is null then pg_get_indexdef(indexrelid)
      else format('alter table %s add constraint %I %s', indrelid::regclass, conname, pg_get_constraintdef(oid)) end as after
  from pg_index left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
  where indrelid = any($1::regclass[])
    and not (indisprimary and indrelid = any('{lead, lead_event, commission_entry, filed_count}'::regclass[]))`

/**
 * Runs `load` without looking up every reference, entering every row in indexes and adding it up: all that is done once
 * at the end, for all rows together. Part of the caller's transaction, so nobody ever sees the tables without their rules.
 */
export async function inBulk(client: pg.ClientBase, load: () => Promise<void>): Promise<void> {
  await client.query(`set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'`)
  await without(client, REFERENCES, TABLES, async () => {
    await without(client, INDEXES, TABLES, load)
    await client.query('analyze lead, lead_event, commission_entry')
  })
  await without(client, INDEXES, TOTALS, () => keepTotals(client))
  await without(client, INDEXES, FILED, () => fileAll(client))
}

async function without(client: pg.ClientBase, what: string, tables: string[], run: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Statements>(what, [tables])
  for (const { before } of rows) await client.query(before)
  await run()
  for (const { after } of rows) await client.query(after)
}

/** What the triggers would have added up. */
async function keepTotals(client: pg.ClientBase): Promise<void> {
  await client.query(`
    delete from step_total;
    insert into step_total (day, affiliate_id, issuer_id, product_id, step_id, reached, clicks_reached)
      select day, affiliate_id, issuer_id, product_id, step_id, reached, clicks_reached
      from step_recount order by day, affiliate_id, issuer_id, product_id, step_id`)
  await client.query(`
    delete from earning_total;
    insert into earning_total
        (day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed)
      select day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed
      from earning_recount order by day, affiliate_id, issuer_id, product_id`)
  // None of them is right any more; the server sums up anew.
  await client.query('delete from kept_span')
}

/** All at once: heap by heap it takes much longer. */
async function fileAll(client: pg.ClientBase): Promise<void> {
  await client.query(
    'select enter_leads(ids), count_leads(ids) from (select array_agg(id) as ids from unfiled_leads())',
  )
  await client.query('update lead_filing set (filed_id, seen_id) = (select max(id), max(id) from lead)')
}

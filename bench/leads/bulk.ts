import type pg from 'pg'

/** Whose rows come by the million; in the order in which they refer to each other. */
const TABLES = ['lead', 'lead_event', 'commission_entry']

interface Statements {
  /** Statements that let rules or indexes go and bring them back, as PostgreSQL writes them. */
  before: string
  after: string
}

/**
 * Runs `load` without looking up every reference and without adding up every row: both are done once at the end, for
 * all rows together. Part of the caller's transaction, so nobody ever sees the tables without their rules.
 */
export async function inBulk(client: pg.ClientBase, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Statements>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as before,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as after
    from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])
    union all
    select format('alter table %s disable trigger user', name), format('alter table %s enable trigger user', name)
    from unnest($1::regclass[]) as name`,
    [TABLES],
  )
  await client.query(`set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'`)
  await without(client, rows, load)
  await keepTotals(client)
}

async function without(client: pg.ClientBase, what: Statements[], run: () => Promise<unknown>): Promise<void> {
  for (const { before } of what) await client.query(before)
  await run()
  for (const { after } of what) await client.query(after)
}

/** What the triggers would have added up: all that the recount finds and nobody has kept yet. */
async function keepTotals(client: pg.ClientBase): Promise<void> {
  await client.query('analyze lead, lead_event, commission_entry')
  await client.query(
    `create temporary table drift on commit drop as select * from total_drift() where source = 'recount'`,
  )
  await client.query(`
    insert into step_total select day, affiliate_id, issuer_id, product_id, step_id,
      (figures ->> 'reached')::bigint, (figures ->> 'clicks_reached')::bigint
    from drift where figures ? 'reached' order by 1, 2, 3, 4, 5`)
  await client.query(`
    insert into earning_total select day, affiliate_id, issuer_id, product_id, (figures ->> 'conversions')::bigint,
      (figures ->> 'accrued')::numeric, (figures ->> 'in_payment')::numeric, (figures ->> 'paid')::numeric,
      (figures ->> 'reversed')::numeric
    from drift where figures ? 'conversions' order by 1, 2, 3, 4`)
  // None of them is right any more; the server sums up anew.
  await client.query('delete from kept_span')
  await fileAll(client)
}

/** All at once, and the indexes after them: a third of the time that it takes heap by heap. */
async function fileAll(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Statements>(
    `select format('drop index %s', indexrelid::regclass) as before, pg_get_indexdef(indexrelid) as after
    from pg_index where indrelid = 'lead_search'::regclass and not indisprimary`,
  )
  await without(client, rows, async () => {
    await client.query(
      'select enter_leads(ids), count_leads(ids) from (select array_agg(id) as ids from unfiled_leads())',
    )
    await client.query('update lead_filing set (filed_id, seen_id) = (select max(id), max(id) from lead)')
  })
}

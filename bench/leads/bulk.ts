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

/** What a statement takes beside those of a few indexes or rules; measured. */
const WEIGHTS = { analyze: 3, steps: 13, earnings: 2, filing: 30, common: 4 }

/**
 * Runs `load` without looking up every reference, entering every row in indexes and adding it up: all that is done once
 * at the end, for all rows together. Part of the caller's transaction, so nobody ever sees the tables without their rules.
 */
export async function inBulk(
  client: pg.ClientBase,
  load: () => Promise<void>,
  /** How much of what comes after `load` is done, 0 to 1. */
  onPart: (part: number) => void,
): Promise<void> {
  await client.query(`set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'`)
  const list = async (what: string, tables: string[]) => (await client.query<Statements>(what, [tables])).rows
  const references = await list(REFERENCES, TABLES)
  const indexes = await list(INDEXES, TABLES)
  const ofTotals = await list(INDEXES, TOTALS)
  const ofFiled = await list(INDEXES, FILED)
  const weights = [...Object.values(WEIGHTS), references.length, indexes.length, ofTotals.length, ofFiled.length]
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let done = 0
  const run = async (statement: string, weight = 1) => {
    await client.query(statement)
    done += weight
    onPart(done / total)
  }
  const without = async (statements: Statements[], work: () => Promise<void>) => {
    for (const { before } of statements) await client.query(before)
    await work()
    for (const { after } of statements) await run(after)
  }
  await without(references, async () => {
    await without(indexes, load)
    await run('analyze lead, lead_event, commission_entry', WEIGHTS.analyze)
  })
  await without(ofTotals, () => keepTotals(run))
  await without(ofFiled, () => fileAll(run))
  await run('analyze lead_search; do $$ begin while keep_common_ids() > 0 loop end loop; end $$', WEIGHTS.common)
}

type Run = (statement: string, weight?: number) => Promise<void>

/** What the triggers would have added up. */
async function keepTotals(run: Run): Promise<void> {
  await run(
    `delete from step_total;
    insert into step_total (day, affiliate_id, issuer_id, product_id, step_id, reached, clicks_reached)
      select day, affiliate_id, issuer_id, product_id, step_id, reached, clicks_reached
      from step_recount order by day, affiliate_id, issuer_id, product_id, step_id`,
    WEIGHTS.steps,
  )
  await run(
    `delete from earning_total;
    insert into earning_total
        (day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed)
      select day, affiliate_id, issuer_id, product_id, conversions, accrued, in_payment, paid, reversed
      from earning_recount order by day, affiliate_id, issuer_id, product_id;
    delete from held_total;
    insert into held_total
      select payment_id, count(*), sum(amount) from commission_entry where state in ('in_payment', 'paid') group by 1`,
    WEIGHTS.earnings,
  )
  // None of them is right any more; the server sums up anew.
  await run('delete from kept_span', 0)
}

/** All at once: heap by heap it takes much longer. */
async function fileAll(run: Run): Promise<void> {
  await run(
    'select enter_leads(ids), count_leads(ids) from (select array_agg(id) as ids from unfiled_leads())',
    WEIGHTS.filing,
  )
  await run('update lead_filing set (filed_id, seen_id) = (select max(id), max(id) from lead)', 0)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, test } from 'vitest'
import { reports } from '#contract/boards.ts'
import { tracking } from '#contract/tracking.ts'
import { migrate } from '#db/migrate.ts'
import { createTestDatabase } from '#db/testing.ts'
import { findFault, readHead } from './audit-log/chain.ts'
import { readResultDrift } from './results/recount.ts'
import { makeLead, startServer } from './testing.ts'
import { expectConserved, expectNoDrift } from './totals/testing.ts'

const FOLDER = join(import.meta.dirname, '../db/releases')
const releases = readdirSync(FOLDER).filter((file) => file.endsWith('.sql.gz'))

/** What is ours to change. */
const BOOKKEEPING = ['migration', 'function_file']
/** What a commission paid is in its rates now. */
const MOVED = ['payout']

/** Every row of every table, by the columns that the release had. */
async function readRows(client: pg.Client, columns: [string, string][]) {
  const tables: Record<string, unknown[]> = {}
  for (const [table, names] of columns) {
    const { rows } = await client.query(`select ${names} from "${table}" order by row(${names})::text`)
    tables[table] = rows
  }
  return tables
}

async function readColumns(client: pg.Client): Promise<[string, string][]> {
  const { rows } = await client.query({
    text: `select relname, string_agg(quote_ident(attname), ', ' order by attnum)
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> all($1) and attname <> all($2) group by relname order by relname`,
    values: [BOOKKEEPING, MOVED],
    rowMode: 'array',
  })
  return rows as [string, string][]
}

/** Columns, indexes, triggers, functions and rights, but for what each partition of leads has of its own. */
async function readSchema(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ line: string }>(`
    with own as (select * from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
    select relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull as line
      from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped where relkind in ('r', 'p')
    union all select pg_get_indexdef(indexrelid) from pg_index join own on own.oid = indrelid
    union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join own on own.oid = tgrelid where not tgisinternal
    union all select pg_get_constraintdef(pg_constraint.oid) || relname from pg_constraint join own on own.oid = conrelid
    union all select proname || md5(pg_get_functiondef(pg_proc.oid)) from pg_proc
      where pronamespace = 'public'::regnamespace and prokind <> 'a'
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all select relname || relacl::text from own where relacl is not null
    union all select relname || attname || attacl::text from own join pg_attribute on attrelid = own.oid
      where attacl is not null
    order by 1`)
  await client.end()
  return rows.map(({ line }) => line)
}

test.each(releases)('a database of %s is brought up to date, keeps its rows and serves', async (file) => {
  const database = await createTestDatabase('template0')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(gunzipSync(readFileSync(join(FOLDER, file))).toString('utf8'))
  // Its entries are earned when they are loaded, and its payments end in 2026.
  await client.query('update payment set period_end = greatest(period_end, current_date)')
  const columns = await readColumns(client)
  const before = await readRows(client, columns)
  expect(Object.entries(before).filter(([, rows]) => (rows as unknown[]).length === 0)).toEqual([])
  const { rows: payouts } = await client.query(
    'select id, case when archived_at is null then payout end as amount from commission order by id',
  )
  await migrate(database.url)
  expect(await readRows(client, columns)).toEqual(before)
  const { rows: rates } = await client.query(`
    select id, (
      select amount from rate where commission_id = commission.id order by valid_from desc, id desc limit 1
    ) as amount from commission order by id`)
  expect(rates).toEqual(payouts)
  await client.end()
  const fresh = await createTestDatabase()
  expect(await readSchema(database.url)).toEqual(await readSchema(fresh.url))
  await fresh.drop()

  const server = await startServer({}, { database })
  try {
    await expectNoDrift(server.db)
    expect(await readResultDrift(server.db)).toEqual([])
    await expectConserved(server.db)
    expect([(await readHead(server.db))?.number, await findFault(server.db)]).toEqual([
      before.audit_entry?.length,
      undefined,
    ])
    const admin = await server.as({ role: 'admin' })
    const read = async (path: string) => (await admin.get(`/api/v1/${path}`)).json().data
    expect((await read('leads/')).pagination).toMatchObject({ count: 120 })
    expect((await read('leads/?utm_campaign=CAMPANA+2&from=2026-02-01&to=2026-04-30')).pagination.count).toBe(21)
    expect(await read('payments/')).toHaveLength(2)
    expect((await read('products/1/')).name).toBe('Tarjeta Oro')
    const issuer = await server.as({ role: 'issuer', issuerId: 1 })
    expect((await issuer.get(`${reports.performance.path}?from=2026-01-01&to=2026-04-30`)).status).toBe(200)

    const visit = await server.anonymous.get('/api/v1/leads/redirect/1/?product_id=1&external_id=nuevo', {
      headers: { 'user-agent': 'Mozilla/5.0 (Android 14) Chrome/141.0 Mobile' },
    })
    expect(visit.status).toBe(302)
    const { api_key } = (await issuer.post('/api/v1/issuers/1/api-key/')).json().data
    const tracking_id = new URL(visit.headers.get('location') as string).searchParams.get('ref')
    const event = await server.anonymous.post(
      tracking.storeEvent.path,
      { tracking_id, step_id: 2, event_id: 'after' },
      { headers: { 'x-api-key': api_key } },
    )
    expect(event.status).toBe(201)
    // Late, into a closed partition.
    const [affiliate_id, issuer_id, product_id, relationship_id] = [1, 1, 1, 1]
    await makeLead(server.db, {
      affiliate_id,
      issuer_id,
      product_id,
      relationship_id,
      created_at: Date.parse('2026-01-20'),
    })
    await expectNoDrift(server.db)
    expect(await readResultDrift(server.db)).toEqual([])
  } finally {
    await server.stop()
  }
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { readyServerRole, serverUrlOf } from './server-role.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
let session: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  session = await open(database.serverUrl)
})
afterAll(async () => {
  await session.end()
  await database.drop()
})

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c role=afluente_app' })
  await client.connect()
  return client
}

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const nameOf = (url: string) => new URL(url).searchParams.get('user') ?? ''
const signingIn = (url: string, user: string, password: string) =>
  Object.assign(new URL(url), { username: user, password }).href

test.each([
  ['postgres://dueño:clave@bd.interno:5433/red?sslmode=verify-full&sslrootcert=/etc/ca.pem', 'red', 'bd.interno:5433'],
  ['postgres://red@bd.interno', 'red', 'bd.interno'],
  ['postgres:///red?host=/var/run/postgresql&user=dueña&password=x', 'red', ''],
])('keeps everything of %s but who signs in', (ownerUrl, name, host) => {
  const [before, after] = [new URL(ownerUrl), new URL(serverUrlOf(ownerUrl, 'uno'))]
  expect([after.host, after.pathname, after.username, after.password]).toEqual([host, `/${name}`, '', ''])
  const rest = (url: URL) => [...url.searchParams].filter(([key]) => key !== 'user' && key !== 'password')
  expect(rest(after)).toEqual(rest(before))
  expect(nameOf(after.href)).toBe(`${name}_server`)
  expect(after.searchParams.get('password')).toMatch(/^[0-9a-f]{48}$/)
  expect(serverUrlOf(ownerUrl, 'uno')).toBe(after.href)
  expect(serverUrlOf(ownerUrl, 'dos')).not.toBe(after.href)
})

test.each([
  'set role pg_database_owner',
  'set session authorization pg_database_owner',
  'grant pg_write_all_data to current_user',
  'alter role current_user superuser',
  'alter role current_user createrole',
  "create role other login password 'x'",
  'alter table audit_entry add column x int',
  'alter table audit_entry owner to current_user',
  'alter table audit_entry disable trigger all',
  "set session_replication_role = 'replica'",
  'create table mine (id int)',
  'create function mine() returns int language sql return 1',
  'create extension adminpack',
  "copy (select 1) to program 'cat >/dev/null'",
  "copy (select 1) to '/tmp/x'",
  "select pg_read_file('postmaster.pid')",
  "select lo_import('/etc/passwd')",
  'select * from pg_authid',
  'select * from migration',
  'delete from audit_entry',
  'truncate audit_entry',
  'delete from lead',
  'delete from lead_event',
  'delete from commission_entry',
  'delete from payment',
  'delete from "user"',
])('a session of the server may not: %s', async (statement) => {
  await session.query('set role afluente_app')
  await expect(session.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|58P01|0A000)$/) })
  await session.query('reset role')
  await expect(session.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|58P01|0A000)$/) })
})

/** What the server may do with a table, so that a right that is given by mistake shows here. */
const columnsOf = async (verb: string, table: string) => {
  const { rows } = await session.query({
    text: `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
      and has_column_privilege(session_user, attrelid, attnum, $2) order by attnum`,
    values: [table, verb],
    rowMode: 'array',
  })
  return rows.flat()
}

test('an entry of the ledger changes its state, its payment, its day, its conversion, its approval, its voiding and the reasons alone', async () => {
  expect(await columnsOf('update', 'commission_entry')).toEqual([
    'state',
    'payment_id',
    'converts',
    'reason',
    'due_on',
    'reason_code',
    'approved_at',
    'approved_by',
    'note',
    'is_voided',
  ])
})

test.each([
  ['audit_entry', ['address']],
  ['lead_event', ['event_data']],
  ['delivery_attempt', ['request_url', 'request_body', 'answer']],
  ['lead', ['external_id', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'lead_data']],
])('what happened (%s) stays, but for personal data', async (table, columns) => {
  expect(await columnsOf('update', table)).toEqual(columns)
})

test('a delivery keeps what it tells, to whom and under which id', async () => {
  expect(await columnsOf('update', 'delivery')).toEqual([
    ...['state', 'reason', 'attempts', 'attempts_before', 'next_at', 'claimed_until', 'settled_at'],
    ...['is_erased', 'waits_since'],
  ])
})

test('a term ends and follows its pair, and never changes', async () => {
  expect(await columnsOf('update', 'term')).toEqual(['relationship_id', 'cancelled_at'])
})

test('nothing says itself when it was made', async () => {
  const { rows } = await session.query(`select table_name, column_name from information_schema.columns
    where column_name in ('id', 'created_at', 'earned_at') and table_schema = 'public' and table_name not like 'lead_%0'`)
  const free = rows.filter(({ table_name }) => table_name !== 'idempotency')
  expect(free.length).toBeGreaterThan(30)
  for (const { table_name, column_name } of free)
    for (const verb of ['insert', 'update']) {
      const columns = await columnsOf(verb, `"${table_name}"`)
      expect(columns.includes(column_name), `${verb} ${table_name}.${column_name}`).toBe(false)
    }
})

test.each([
  'update commission_entry set amount = 9',
  'update commission_entry set affiliate_id = 9',
  "update payment set created_at = '2020-01-01'",
  "insert into audit_entry (actor_role, action, entity, created_at) values ('admin', 'update', 'user', '2020-01-01')",
  "insert into audit_entry (id, actor_role, action, entity) overriding system value values (1, 'admin', 'update', 'user')",
  'update lead set affiliate_id = 9',
  'update api_key set key_hash = key_hash',
  'update total set paid = 0',
  'delete from total',
  'update total_delta set leads = 0',
  'delete from total_delta',
  'insert into total_delta (day, affiliate_id, issuer_id, product_id) values (now(), 1, 1, 1)',
  'update result set earned = 0',
  'delete from result',
  'delete from result_delta',
  'delete from result_change',
  'update result_lead set earned = 0',
  "update lead_state set state = 'paid'",
  'delete from lead_state_due',
  'update lead_partition set leads = 0',
  'delete from lead_partition',
])('the server may not: %s', async (statement) => {
  await expect(session.query(statement)).rejects.toMatchObject({ code: '42501' })
})

test('the server’s role is made once, and gets its password again when SECRET is another', async () => {
  const ownerUrl = database.url
  const ready = (secret: string) =>
    readyServerRole({ ownerUrl, serverUrl: serverUrlOf(ownerUrl, secret), isOurs: true }).then(() =>
      run(serverUrlOf(ownerUrl, secret), 'select session_user as name'),
    )
  const name = nameOf(serverUrlOf(ownerUrl, 'uno'))
  // Copies that start at once.
  expect(await Promise.all([ready('uno'), ready('uno'), ready('uno')])).toEqual(Array(3).fill([{ name }]))
  expect(await ready('dos')).toEqual([{ name }])
  await expect(run(serverUrlOf(ownerUrl, 'uno'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
  await run(ownerUrl, `drop role "${name}"`)
})

test('a role that can act as the owner is pointed out', async () => {
  const own = { ownerUrl: database.url, serverUrl: database.url, isOurs: false }
  expect(await readyServerRole(own)).toContain('puede actuar como dueño de la base')
  expect(await readyServerRole({ ...own, serverUrl: database.serverUrl })).toBeUndefined()
})

test('an owner that may not make roles works with roles made before', async () => {
  const managed = await createTestDatabase('template0')
  const name = new URL(managed.url).pathname.slice(1)
  const [owner, app] = [`${name}_owner`, `${name}_server`]
  await run(
    managed.url,
    `create role ${owner} login password 'x'; grant afluente_app to ${owner} with admin option;
     alter database ${name} owner to ${owner}`,
  )
  const ownerUrl = signingIn(managed.url, owner, 'x')
  await migrate(ownerUrl)
  const alone = { ownerUrl, serverUrl: serverUrlOf(ownerUrl, 'uno'), isOurs: true }
  await expect(readyServerRole(alone)).rejects.toThrow(`grant afluente_app to ${app}`)
  const given = { ownerUrl, serverUrl: signingIn(managed.url, app, 'y'), isOurs: false }
  await expect(readyServerRole(given)).rejects.toThrow(`no puede trabajar con el rol ${app}`)
  await run(managed.url, `create role ${app} login password 'y'`)
  await expect(readyServerRole(given)).rejects.toThrow(`no puede trabajar con el rol ${app}`)
  await run(ownerUrl, `grant afluente_app to ${app}`)
  expect(await readyServerRole(given)).toBeUndefined()
  await managed.drop()
  await run(database.url, `drop role ${app}; drop role ${owner}`)
})

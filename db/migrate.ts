import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { messageOf, OperatorError } from './operator-error.ts'
import { endClient, newClient } from './pool.ts'

type Migration = { number: number; name: string; sql: string; checksum: string }

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
// Any constant shared by all copies of the server will do.
const LOCK_KEY = 771_204_119
const ANSWER_MS = 10_000
/** How often a copy checks whether another one has finished. */
const TURN_MS = 100

const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex')

export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const file of files) {
    const [, digits, name] = FILE_NAME.exec(file) ?? []
    if (!digits || !name) throw new OperatorError(`La migración ${file} no se llama NNNN_nombre.sql.`)
    const sql = await readFile(join(folder, file), 'utf8')
    if (migrations.at(-1)?.number === Number(digits)) throw new OperatorError(`Hay dos migraciones ${digits}.`)
    migrations.push({ number: Number(digits), name, sql, checksum: checksumOf(sql) })
  }
  return migrations
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    // It may concern any of them: rights.sql grants the columns of its day. Forgotten with it, so that a start that is killed
    // before they are replaced leaves them to the next one.
    await client.query('delete from function_file')
    await client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const file = `${String(migration.number).padStart(4, '0')}_${migration.name}.sql`
    throw new Error(`La migración ${file} falló: ${messageOf(error)}`, { cause: error })
  }
}

/** Applied files are history: a changed or missing one means this program does not fit this database. */
function expectSameHistory(applied: Map<number, string>, migrations: Migration[]): void {
  for (const migration of migrations) {
    const checksum = applied.get(migration.number)
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new OperatorError(
        `La migración ${migration.number} (${migration.name}) ya aplicada cambió: no se continúa.`,
      )
    }
  }
  const known = new Set(migrations.map((migration) => migration.number))
  const stranger = [...applied.keys()].find((number) => !known.has(number))
  if (stranger !== undefined) {
    throw new OperatorError(`La base de datos es de una versión más nueva de Afluente (migración ${stranger}).`)
  }
}

/** A query that takes no time outside migrations, so that one without an answer means a lost database. */
const ask = <R extends pg.QueryResultRow>(client: pg.Client, text: string, values: unknown[] = []) => {
  const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: ANSWER_MS }
  return client.query<R>(query)
}

/** The oldest that the tests were run on. */
const OLDEST = 15

/** `version` is PostgreSQL's server_version_num. */
export function expectVersion(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < OLDEST)
    throw new OperatorError(
      `La base de datos es PostgreSQL ${major}; Afluente necesita la versión ${OLDEST} o posterior.`,
    )
}

async function readVersion(client: pg.Client): Promise<number> {
  const { rows } = await ask<{ version: number }>(
    client,
    "select current_setting('server_version_num')::int as version",
  )
  return rows[0]?.version ?? 0
}

async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await ask<{ mine: boolean }>(client, 'select pg_try_advisory_lock($1) as mine', [LOCK_KEY])
    if (rows[0]?.mine) return
    await wait(TURN_MS)
  }
}

async function readApplied(client: pg.Client): Promise<Map<number, string>> {
  await ask(
    client,
    `create table if not exists migration (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`,
  )
  await ask(client, 'create table if not exists function_file (name text primary key, checksum text not null)')
  const { rows } = await ask<{ number: number; checksum: string }>(client, 'select number, checksum from migration')
  return new Map(rows.map((row) => [row.number, row.checksum]))
}

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
const FUNCTIONS_FOLDER = join(import.meta.dirname, 'functions')

type FunctionFile = Omit<Migration, 'number'>

export async function readFunctions(): Promise<FunctionFile[]> {
  const names = (await readdir(FUNCTIONS_FOLDER)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(FUNCTIONS_FOLDER, name), 'utf8')
      return { name, sql, checksum: checksumOf(sql) }
    }),
  )
}

/** Runs the files of db/functions that changed, which all have after a migration; returns their names. */
async function replaceFunctions(client: pg.Client): Promise<string[]> {
  const { rows } = await ask<{ name: string; checksum: string }>(client, 'select name, checksum from function_file')
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const changed = (await readFunctions()).filter(({ name, checksum }) => applied.get(name) !== checksum)
  for (const file of changed) await applyFunctions(client, file)
  return changed.map(({ name }) => name)
}

async function applyFunctions(client: pg.Client, { name, sql, checksum }: FunctionFile): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      `insert into function_file (name, checksum) values ($1, $2)
        on conflict (name) do update set checksum = excluded.checksum`,
      [name, checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Las funciones de ${name} fallaron: ${messageOf(error)}`, { cause: error })
  }
}

/** Brings the database up to date; copies starting at once wait for each other. Returns what was applied. */
export async function migrate(url: string, folder: string = MIGRATIONS_FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = newClient(url, 'afluente migrate')
  client.on('error', () => undefined) // the running query reports the loss
  await client.connect()
  try {
    expectVersion(await readVersion(client))
    await takeTurn(client)
    const applied = await readApplied(client)
    expectSameHistory(applied, migrations)
    const due = migrations.filter((migration) => !applied.has(migration.number))
    for (const migration of due) await applyOne(client, migration)
    const replaced = folder === MIGRATIONS_FOLDER ? await replaceFunctions(client) : []
    return [...due.map((migration) => migration.name), ...replaced]
  } finally {
    await endClient(client)
  }
}

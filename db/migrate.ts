import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { messageOf, OperatorError } from './operator-error.ts'

type Migration = { number: number; name: string; sql: string; checksum: string }

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
// Any constant shared by all copies of the server will do.
const LOCK_KEY = 771_204_119

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

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')

/** Brings the database up to date; copies starting at once wait for each other. Returns what was applied. */
export async function migrate(url: string, folder: string = MIGRATIONS_FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ connectionString: url, application_name: 'afluente migrate' })
  client.on('error', () => undefined) // the running query reports the loss
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    await client.query(`create table if not exists migration (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
    const rows = await client.query<{ number: number; checksum: string }>('select number, checksum from migration')
    const applied = new Map(rows.rows.map((row) => [row.number, row.checksum]))
    expectSameHistory(applied, migrations)
    const due = migrations.filter((migration) => !applied.has(migration.number))
    for (const migration of due) await applyOne(client, migration)
    return due.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

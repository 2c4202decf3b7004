// npm run release: saves what this release makes of an empty database, with rows in it, beside those of earlier releases.
// server/upgrade.test.ts brings each of them up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MIGRATIONS_FOLDER, readFunctions, readMigrations } from '../migrate.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const migrations = await readMigrations(MIGRATIONS_FOLDER)
const functions = await readFunctions()
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const file = join(import.meta.dirname, `${version}.sql.gz`)
if (existsSync(file)) throw new Error(`${file} exists: a release that was made is not made again. Raise the version.`)
const history = [
  'create table migration (number integer primary key, name text not null, checksum text not null,',
  '  applied_at timestamptz not null default now());',
  ...migrations.map(
    ({ number, name, checksum }) => `insert into migration values (${number}, '${name}', '${checksum}');`,
  ),
  'create table function_file (name text primary key, checksum text not null);',
  ...functions.map(({ name, checksum }) => `insert into function_file values (${quoted(name)}, '${checksum}');`),
]
const rows = readFileSync(join(import.meta.dirname, 'rows.sql'), 'utf8')
const parts = [...migrations.map(({ sql }) => sql), ...functions.map(({ sql }) => sql), history.join('\n'), rows]
writeFileSync(file, gzipSync(parts.join('\n'), { level: 9 }))

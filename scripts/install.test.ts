import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { createTestDatabase } from '#db/testing.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const stringsOf = (text: string) => [...text.matchAll(/'([^']+)'/g)].map(([, inside = '']) => inside)

/** What one stage of the Containerfile copies from the repository. */
function copied(stage: string): string[] {
  const lines = stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)
  return [...lines].flatMap(([, names = '']) => names.split(' '))
}
const [, building = '', final = ''] = read('install/Containerfile').split(/^FROM /m)

const OPERATORS = [
  ...['access', 'audit-check', 'backup', 'backup-check', 'ready', 'restore', 'restore-mark', 'spool-admit'],
]
const PROGRAMS = ['server/main.ts', ...OPERATORS.map((name) => `scripts/${name}.ts`)]
const NEEDS = /(?:^import (?:.* from )?|^\} from |^export [*{].* from |import\(|new URL\()'([#.@\w][^']*)'/gm

/** Every file that the programs load, and every package. */
function needsOf(programs: string[]): { files: string[]; packages: string[] } {
  const files = new Set(programs)
  const packages = new Set<string>()
  for (const file of files) {
    if (!/\.(ts|mjs)$/.test(file)) continue
    for (const [line, to = ''] of read(file).matchAll(NEEDS)) {
      if (line.startsWith('import type')) continue
      if (to.startsWith('#')) files.add(to.slice(1))
      else if (to.startsWith('.')) files.add(normalize(join(dirname(file), to)))
      else if (!to.startsWith('node:')) packages.add(/^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to)
    }
  }
  return { files: [...files], packages: [...packages] }
}

test('the image has every file that the server and the commands of operators load', () => {
  const { files } = needsOf(PROGRAMS)
  expect(files).toContain('server/users/argon2-worker.ts')
  const there = [...copied(final), 'dist']
  expect(files.filter((file) => !there.some((name) => file === name || file.startsWith(`${name}/`)))).toEqual([])
})

test('the image has every package that they load: those for development are not in it', () => {
  const { packages } = needsOf(PROGRAMS)
  expect(packages).toContain('fastify')
  const { dependencies } = JSON.parse(read('package.json'))
  expect(packages.filter((name) => !(name in dependencies))).toEqual([])
})

test('the web is built in the image from all its sources, and again when one of them changes', () => {
  const sources = stringsOf(/^const SOURCES = \[([^\]]+)\]/m.exec(read('scripts/web-build.mjs'))?.[1] ?? '')
  const pages = readdirSync(root).filter((name) => name.endsWith('.html'))
  expect(sources).toEqual(expect.arrayContaining([...pages, 'web', 'contract', 'vite.config.ts', 'scripts/chunks.ts']))
  const there = copied(building)
  expect(sources.filter((source) => !there.includes(source) && !there.includes(dirname(source)))).toEqual([])
})

test('the units and their scripts run programs that exist', () => {
  const units = readdirSync(join(root, 'install')).filter((name) => /\.(service|sh)$/.test(name))
  const named = units.flatMap((file) => read(`install/${file}`).match(/\b(install|server)\/[\w.-]+/g) ?? [])
  expect(named).toEqual(expect.arrayContaining(['install/nightly.sh', 'server/main.ts']))
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

/** A folder with programs of the test's own. */
function folderOf(programs: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-'))
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 })
  return folder
}

const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const linesOf = (pattern: RegExp) => guides.flatMap((name) => read(`docs/${name}`).match(pattern) ?? [])

test('with systemd, `afluente` knows the commands of operators and those of the guides, and runs them as the unit does', () => {
  const said = spawnSync('sh', [join(root, 'install/afluente')], { encoding: 'utf8' })
  expect(said.status).toBe(2)
  const known = said.stderr.trim().split('uno de: ')[1]?.split(' ') ?? []
  expect(known.map((name) => name.replace(':', '-'))).toEqual(OPERATORS)
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
  for (const name of known) expect(scripts[name]).toBe(`node scripts/${name.replace(':', '-')}.ts`)
  const printed = linesOf(/^(?:[A-Z]+=\S+ )?afluente \S+/gm).map((line) => line.split(' ').at(-1))
  expect(printed).toEqual(expect.arrayContaining(['access', 'restore', 'spool:admit']))
  expect(printed.filter((name) => !known.includes(name ?? ''))).toEqual([])

  const stubs = folderOf({ 'systemd-run': '#!/bin/sh\necho "$@"\n' })
  const env = { PATH: `${stubs}:${process.env.PATH}`, FOLDER: '/opt/afluente/0.3.0' }
  const run = execFileSync('sh', [join(root, 'install/afluente'), 'audit:check', '57:ab'], { env, encoding: 'utf8' })
  for (const part of ['--uid=afluente', 'EnvironmentFile=/etc/afluente/afluente.env', 'DATA_DIR=/var/lib/afluente'])
    expect(run).toContain(part)
  expect(run).toContain('/opt/afluente/0.3.0/node_modules/node/bin/node scripts/audit-check.ts 57:ab\n')
  rmSync(stubs, { recursive: true })
})

test('each night old backups go only when the new one was found whole', () => {
  const afluente = '#!/bin/sh\nif [ "$1" = backup ]; then mkdir "$2"; else test ! -e "$2/../damaged"; fi\n'
  const folder = folderOf({ afluente })
  copyFileSync(join(root, 'install/nightly.sh'), join(folder, 'nightly.sh'))
  const backups = join(folder, 'backups')
  const [old, recent] = ['20200101-033000', '20200102-033000']
  for (const name of [old, recent, 'damaged', 'mine']) mkdirSync(join(backups, name), { recursive: true })
  const longAgo = Date.now() / 1000 - 16 * 86_400
  for (const name of [old, 'mine']) utimesSync(join(backups, name), longAgo, longAgo)
  const run = () => spawnSync('sh', [join(folder, 'nightly.sh'), backups]).status
  expect(run()).not.toBe(0)
  expect(readdirSync(backups)).toContain(old)
  rmSync(join(backups, 'damaged'), { recursive: true })
  for (const name of readdirSync(backups))
    if (name > '2021' && name !== 'mine') rmSync(join(backups, name), { recursive: true })
  expect(run()).toBe(0)
  const left = readdirSync(backups)
  expect(left).toEqual(expect.arrayContaining([recent, 'mine']))
  expect(left).not.toContain(old)
  expect(left).toHaveLength(3)
  rmSync(folder, { recursive: true })
})

test('the containers of the guides are those of the compose file', () => {
  const names = linesOf(/podman exec (?:-i )?[\w-]+/g).map((line) => line.split(' ').at(-1) ?? '')
  const there = [...read('install/compose.yaml').matchAll(/container_name: (\S+)/g)].map(([, name]) => name)
  expect([...new Set(names)].sort()).toEqual(there.sort())
})

test('a dump names no role that the guide does not make before it is restored elsewhere', async () => {
  const database = await createTestDatabase()
  const owner = connect(database.url, { max: 1 })
  const { rows } = await sql<{ role: string }>`
    select distinct refobjid::regrole::text as role from pg_shdepend
    where refclassid = 'pg_authid'::regclass and refobjid <> current_user::regrole
      and dbid = (select oid from pg_database where datname = current_database())`.execute(owner)
  expect(rows).toEqual([{ role: 'afluente_app' }])
  for (const { role } of rows) expect(read('docs/operacion.md')).toContain(`'create role ${role} nologin'`)
  await owner.destroy()
  await database.drop()
})

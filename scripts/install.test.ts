import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
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

test('every way of starting the server, and of measuring it, gives V8 the same young generation', () => {
  const starts = ['install/Containerfile', 'install/afluente.service', 'scripts/start.mjs', 'bench/clicks/processes.ts']
  const given = starts.map((file) => /['" ]--max-semi-space-size=(\d+)['" ].+/.exec(read(file))?.[1])
  expect(given).toEqual(starts.map(() => '8'))
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

/** A night of nightly.sh: backups of long ago are there, the one it makes is of a database of this kind. */
function night({ embedded, whole = true }: { embedded: boolean; whole?: boolean }) {
  const made = `mkdir "$2"; printf '{\\n  "embedded": ${embedded}\\n}\\n' > "$2/manifest.json"`
  const afluente = `#!/bin/sh\nif [ "$1" = backup ]; then ${made}; else ${whole}; fi\n`
  const folder = folderOf({ afluente })
  copyFileSync(join(root, 'install/nightly.sh'), join(folder, 'nightly.sh'))
  const backups = join(folder, 'backups')
  const longAgo = ['20200101-033000', '20200101-033000.partial', 'afluente-check-old', 'mine']
  const lately = ['20200102-033000', '20200102-033000.partial', 'afluente-check-new']
  const now = Date.now() / 1000
  const make = (names: string[], at: number) => {
    for (const name of names) {
      mkdirSync(join(backups, name), { recursive: true })
      utimesSync(join(backups, name), at, at) // a file system may have another clock
    }
  }
  make(longAgo, now - 16 * 86_400)
  make(lately, now)
  const { status } = spawnSync('sh', [join(folder, 'nightly.sh'), backups])
  const left = readdirSync(backups).sort()
  rmSync(folder, { recursive: true })
  return { status, left: left.filter((name) => !/^20[2-9]\d/.test(name) || name.startsWith('2020')) }
}
const NEWER = ['20200102-033000', '20200102-033000.partial', 'afluente-check-new', 'mine']

test('each night old backups go only when the new one was started and found whole', () => {
  expect(night({ embedded: true })).toEqual({ status: 0, left: NEWER })
  expect(night({ embedded: true, whole: false })).toEqual({ status: 1, left: ['20200101-033000', ...NEWER] })
  expect(night({ embedded: false })).toEqual({ status: 0, left: ['20200101-033000', ...NEWER] })
})

test('`afluente` and the nightly task are files of their own, there after going back to a version without them', () => {
  const put = `#!/bin/sh
for to; do :; done
while [ $# -gt 1 ]; do if [ -f "$1" ]; then cp "$1" "$SYSTEM$to"; fi; shift; done\n`
  const nothing = '#!/bin/sh\n'
  const say = '#!/bin/sh\necho "$@"\n'
  const stubs = folderOf({ install: put, npm: nothing, systemctl: nothing, 'systemd-run': say })
  const system = join(stubs, 'system')
  for (const name of ['etc/systemd/system', 'usr/local/sbin']) mkdirSync(join(system, name), { recursive: true })
  cpSync(join(root, 'install'), join(stubs, 'opt/0.4.0/install'), { recursive: true })
  const env = { PATH: `${stubs}:${process.env.PATH}`, SYSTEM: system }
  execFileSync('sh', [join(stubs, 'opt/0.4.0/install/upgrade.sh'), '-'], { env })
  rmSync(join(stubs, 'opt'), { recursive: true })

  const unit = readFileSync(join(system, 'etc/systemd/system/afluente-backup.service'), 'utf8')
  expect(existsSync(join(system, /^ExecStart=(\S+)/m.exec(unit)?.[1] ?? '?'))).toBe(true)
  const run = execFileSync(join(system, 'usr/local/sbin/afluente'), ['restore', '/r'], { env, encoding: 'utf8' })
  expect(run).toContain('--working-directory=/opt/afluente/current ')
  expect(run).toContain('/opt/afluente/current/node_modules/node/bin/node scripts/restore.ts /r\n')
  rmSync(stubs, { recursive: true })
})

test('when the restore of the guide fails, the server is not started on the empty folder', () => {
  const block = /^systemctl stop afluente &&\n[^`]+/m.exec(read('docs/operacion.md'))?.[0] ?? ''
  const say = (name: string) => `#!/bin/sh\necho ${name} "$@"\n`
  const stubs = folderOf({
    ...{ systemctl: say('systemctl'), mv: say('mv'), install: say('install') },
    afluente: `${say('afluente')}[ "$1" != "$FAILS" ]\n`,
  })
  const last = (fails: string) =>
    spawnSync('/bin/sh', ['-c', block], { env: { PATH: stubs, FAILS: fails }, encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
      .at(-1)
  expect(last('nothing')).toBe('systemctl start afluente')
  expect(last('restore')).toMatch(/^afluente restore /)
  expect(last('spool:admit')).toMatch(/^afluente spool:admit /)
  rmSync(stubs, { recursive: true })
})

test('the nightly line for compose.yaml takes a queue that changes, and leaves no dump that is not whole', () => {
  const line = /^30 3 \* \* \* root (umask .+)$/m.exec(read('docs/operacion-respaldos.md'))?.[1] ?? ''
  const night = (tar: number, dump: number) => {
    const end = (code: number) => `#!/bin/sh\necho part\nexit ${code}\n`
    const folder = folderOf({ podman: '#!/bin/sh\nshift 2\nexec "$@"\n', tar: end(tar), pg_dump: end(dump) })
    mkdirSync(join(folder, 'backups'))
    const command = line.replaceAll('\\%', '%').replace('/srv/respaldos', join(folder, 'backups'))
    const { status } = spawnSync('sh', ['-c', command], { env: { PATH: `${folder}:${process.env.PATH}` } })
    const left = readdirSync(join(folder, 'backups')).map((name) => name.replace(/\d{4}-\d\d-\d\d/, 'D'))
    rmSync(folder, { recursive: true })
    return { status, left: left.sort() }
  }
  expect(night(0, 0)).toEqual({ status: 0, left: ['base-D.dump', 'cola-D.tgz'] })
  expect(night(1, 0)).toEqual({ status: 0, left: ['base-D.dump', 'cola-D.tgz'] })
  expect(night(2, 0)).toEqual({ status: 1, left: ['cola-D.tgz.partial'] })
  expect(night(0, 1)).toEqual({ status: 1, left: ['base-D.dump.partial', 'cola-D.tgz.partial'] })
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

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const stringsOf = (text: string) => [...text.matchAll(/'([^']+)'/g)].map(([, inside = '']) => inside)

/** What one stage of the Containerfile copies from the repository. */
function copied(stage: string): string[] {
  const lines = stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)
  return [...lines].flatMap(([, names = '']) => names.split(' '))
}
const [, building = '', final = ''] = read('install/Containerfile').split(/^FROM /m)

const OPERATORS = ['audit-check', 'backup', 'backup-check', 'restore', 'restore-mark', 'spool-admit']
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

test('the unit and the upgrade run programs that exist', () => {
  const named = ['afluente.service', 'upgrade.sh'].flatMap(
    (file) => read(`install/${file}`).match(/\b(scripts|server)\/[\w-]+\.ts\b/g) ?? [],
  )
  expect(named).toContain('server/main.ts')
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

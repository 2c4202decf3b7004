// biome-ignore-all lint/correctness/noComponentHookFactories: the methods of a syntax visitor are named like components
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { auth } from '#contract/auth.ts'
import { OF_CALLS } from '#scripts/contract-parts.ts'

const ROOMS = ['bench', 'contract', 'db', 'e2e', 'faults', 'scripts', 'server', 'web']
const FILE_LINES = 250
const TEST_LINES = 400
const FUNCTION_LINES = 40
const COMPONENT_LINES = 120
/** Composition roots: a table of contents is read whole. */
const ROOTS = ['server/app.ts', 'web/routes.tsx']

/** `to` is a path from the root, or npm:package; `written` is what the file says. */
type Import = { from: string; to: string; written: string; line: number; typeOnly: boolean }
type Source = {
  path: string
  room: string
  text: string
  lines: number
  imports: Import[]
  functions: { name: string; lines: number; line: number }[]
  builtSql: number[]
  barrels: number[]
  excused: boolean
}

const GENERATED = ['db/tables.ts', 'server/docs/clients/afluente-api.ts']
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

function listSources(): string[] {
  const inRooms = ROOMS.filter((room) => existsSync(join(import.meta.dirname, room))).flatMap((room) =>
    readdirSync(join(import.meta.dirname, room), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${room}/${file}`,
    ),
  )
  return inRooms.filter((file) => /\.(tsx?|mjs)$/.test(file) && !GENERATED.includes(file)).sort()
}

const isFunction = (node: { type: string } | null | undefined) =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'

/** Text glued together where SQL is expected: a template with holes, or a sum. */
const isGlued = (node: ESTree.Argument | undefined) =>
  (node?.type === 'TemplateLiteral' && node.expressions.length > 0) || node?.type === 'BinaryExpression'

function readSource(path: string): Source {
  const text = readFileSync(join(import.meta.dirname, path), 'utf8')
  const { program, comments, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const names = new Map<number, string>()
  const functions: Source['functions'] = []
  const builtSql: number[] = []
  const count = (node: { start: number; end: number }, name = names.get(node.start) ?? '(anonymous)') =>
    functions.push({ name, lines: lineOf(node.end) - lineOf(node.start) + 1, line: lineOf(node.start) })
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init && isFunction(init) && id.type === 'Identifier') names.set(init.start, id.name)
    },
    MethodDefinition: ({ key, value }) => void names.set(value.start, text.slice(key.start, key.end)),
    Property: ({ key, value }) => void names.set(value.start, text.slice(key.start, key.end)),
    FunctionDeclaration: (node) => void count(node, node.id?.name),
    FunctionExpression: (node) => void count(node),
    ArrowFunctionExpression: (node) => void count(node),
    CallExpression: ({ callee, arguments: given, start }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const owner = text.slice(callee.object.start, callee.object.end)
      if (callee.property.name === 'query' && isGlued(given[0])) builtSql.push(lineOf(start))
      if (owner === 'sql' && callee.property.name === 'raw' && given[0]?.type !== 'Literal')
        builtSql.push(lineOf(start))
    },
  }).visit(program)
  const [first] = comments
  const firstCode = program.body[0]?.start ?? text.length
  return {
    path,
    room: path.split('/')[0] ?? '',
    text,
    lines: text.split('\n').length - 1,
    imports: importsOf(path, module, lineOf),
    functions,
    builtSql,
    barrels: program.body.filter((node) => node.type === 'ExportAllDeclaration').map((node) => lineOf(node.start)),
    excused:
      first !== undefined && first.start < firstCode && /\b(long|longer|big|bigger|size|lines)\b/i.test(first.value),
  }
}

type Module = ReturnType<typeof parseSync>['module']

function importsOf(path: string, module: Module, lineOf: (offset: number) => number): Import[] {
  const requests = [
    ...module.staticImports.map((each) => ({
      to: each.moduleRequest.value,
      start: each.start,
      typeOnly: each.entries.length > 0 && each.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((each) =>
      each.entries.flatMap((entry) =>
        entry.moduleRequest ? [{ to: entry.moduleRequest.value, start: each.start, typeOnly: entry.isType }] : [],
      ),
    ),
  ]
  return requests.map(({ to, start, typeOnly }) => ({
    typeOnly,
    from: path,
    written: to,
    to: to.startsWith('#') ? to.slice(1) : to.startsWith('.') ? normalize(join(dirname(path), to)) : `npm:${to}`,
    line: lineOf(start),
  }))
}

const sources = listSources().map(readSource)
const imports = sources.flatMap((source) => source.imports)
const own = imports.filter(({ to }) => !to.startsWith('npm:'))

const at = ({ from, line, to }: Import) => `${from}:${line} imports ${to}`
const roomOf = (path: string) => path.split('/')[0] ?? ''
/** The folder inside server or web: a feature, or a shared part. */
const partOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1] : undefined)

const OPEN: Record<string, string[]> = {
  contract: [],
  db: [],
  server: ['contract', 'db'],
  web: ['contract'],
  e2e: ['contract', 'db'],
  scripts: ['contract', 'db', 'server'],
  bench: ['contract', 'db', 'e2e', 'scripts', 'server'],
  faults: ['bench', 'contract', 'db', 'e2e', 'scripts', 'server'],
}

test('rooms are entered in one direction', () => {
  const wrong = own.filter(({ from, to }) => {
    const [here, there] = [roomOf(from), roomOf(to)]
    return here !== there && !OPEN[here]?.includes(there)
  })
  expect(wrong.map(at)).toEqual([])
})

test('rooms are entered by #room, neighbours by ./, endings written', () => {
  const wrong = own.filter(({ from, to, written }) => {
    if (!/\.(tsx?|mjs|css|json|svg)$/.test(to)) return true
    const neighbours = dirname(from) === dirname(to)
    return written.startsWith('#') ? neighbours : roomOf(from) !== roomOf(to)
  })
  expect(wrong.map(({ from, line, written }) => `${from}:${line} imports ${written}`)).toEqual([])
})

test('routes are mounted by the app alone', () => {
  const wrong = own.filter(
    ({ from, to }) => /^server\/.*routes\.ts$/.test(to) && from !== 'server/app.ts' && !isTest(from),
  )
  expect(wrong.map(at)).toEqual([])
})

/** What a click after a crash waits for. Another package here makes it wait longer: measure with `npm run faults -- R1`. */
const BEFORE_THE_FIRST_CLICK = ['@fastify/proxy-addr', 'isbot', 'pg', 'zod']

test('clicks are answered before anything large is loaded', () => {
  const loaded = new Set(['server/start/run.ts'])
  for (const path of loaded)
    for (const { from, to, typeOnly } of imports) if (from === path && !typeOnly) loaded.add(to)
  const packages = [...loaded].filter((to) => /^npm:(?!node:)/.test(to)).map((to) => to.slice('npm:'.length))
  expect(packages.sort()).toEqual(BEFORE_THE_FIRST_CLICK)
  expect([...loaded]).toContain('server/clicks/direct-answers.ts')
})

const SHARED_WEB = ['api', 'charts', 'form', 'shell', 'table', 'ui']

/** Of the contract, what knows no domain. */
const PLAIN = ['contract/numbers.ts', 'contract/once.ts', 'contract/time.ts']

test('ui knows no router, no query and no domain', () => {
  const foreign = /^npm:(react-router|@tanstack\/react-query|@hookform|react-hook-form)/
  const wrong = imports.filter(
    ({ from, to }) =>
      from.startsWith('web/ui/') &&
      (foreign.test(to) || !(to.startsWith('npm:') || to.startsWith('web/ui/') || PLAIN.includes(to))),
  )
  expect(wrong.map(at)).toEqual([])
})

test('the shared parts of the web know no feature', () => {
  const wrong = own.filter(({ from, to }) => {
    const [here, there] = [partOf(from), partOf(to)]
    if (roomOf(from) !== 'web' || !here || !there || !SHARED_WEB.includes(here)) return false
    return roomOf(to) === 'web' && ![...SHARED_WEB, 'auth'].includes(there)
  })
  expect(wrong.map(at)).toEqual([])
})

test('files, functions and components keep their size, or say why first', () => {
  const limited = sources.filter(({ path }) => !ROOTS.includes(path))
  const files = limited
    .filter(({ path, lines }) => lines > (isTest(path) ? TEST_LINES : FILE_LINES))
    .map(({ path, lines, excused }) => ({ excused, text: `${path} has ${lines} lines` }))
  const functions = limited
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, functions, excused }) =>
      functions.map((each) => {
        const limit = path.endsWith('.tsx') && /^[A-Z]/.test(each.name) ? COMPONENT_LINES : FUNCTION_LINES
        return {
          ...each,
          excused: excused || each.lines <= limit,
          text: `${path}:${each.line} ${each.name} has ${each.lines} lines`,
        }
      }),
    )
  expect([...files, ...functions].filter(({ excused }) => !excused).map(({ text }) => text)).toEqual([])
})

test('no file only passes on what others export', () => {
  expect(sources.filter(({ path }) => /\/index\.tsx?$/.test(path)).map(({ path }) => path)).toEqual([])
  expect(sources.flatMap(({ path, barrels }) => barrels.map((line) => `${path}:${line}`))).toEqual([])
})

const KNOWN_TO_SERVERS = Object.keys(auth.login).filter((part) => !OF_CALLS.includes(part))

test('screens read of a call what the build leaves of it', () => {
  const wrong = sources
    .filter(({ room, path }) => room === 'web' && !isTest(path))
    .flatMap(({ path, text }) => {
      const calls = [...text.matchAll(/^import \{([^}]*)\} from '#contract\//gm)].flatMap(([, names = '']) =>
        names.split(',').flatMap((name) => /^\s*([a-z]\w*)\s*$/.exec(name)?.[1] ?? []),
      )
      if (calls.length === 0) return []
      const reads = new RegExp(`(?<!typeof )\\b(?:${calls.join('|')})\\.\\w+\\.(\\w+)`, 'g')
      return [...text.matchAll(reads)]
        .filter(([, part = '']) => KNOWN_TO_SERVERS.includes(part))
        .map(([read]) => `${path}: ${read}`)
    })
  expect(wrong).toEqual([])
})

test('SQL is never glued together from text', () => {
  // Utility statements take no parameters; these quote their names with the driver's own function.
  const exempt = ['db/cluster.ts', 'db/listen.ts', 'db/test-cluster.ts']
  const wrong = sources.filter(({ path }) => !exempt.includes(path) && !isTest(path))
  expect(wrong.flatMap(({ path, builtSql }) => builtSql.map((line) => `${path}:${line}`))).toEqual([])
})

// Spelt so that this file does not find itself.
const LEFTOVERS: { what: string; pattern: RegExp; applies: (path: string) => boolean }[] = [
  {
    what: 'console.log',
    pattern: /\bconsole\.(log|debug|info|table)\(/,
    applies: (path) => !/^(scripts|bench|faults)\//.test(path),
  },
  { what: 'raw HTML', pattern: /dangerouslySetInner(?:HTML)/, applies: () => true },
  { what: 'unfinished', pattern: /\b(?:TODO|FIXME)\b/, applies: () => true },
  { what: 'a test left out', pattern: /\b(?:test|describe|it)\.(?:only|skip|todo|fixme)\b/, applies: () => true },
  { what: 'a silenced type', pattern: /@ts-(?:ignore|nocheck|expect-error)/, applies: (path) => !isTest(path) },
  {
    what: 'the environment',
    pattern: /\bprocess\.env\b/,
    applies: (path) => /^(server|web|contract)\//.test(path) && path !== 'server/main.ts',
  },
]

test.each(LEFTOVERS)('nobody left $what behind', ({ pattern, applies }) => {
  const found = sources
    .filter(({ path }) => applies(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})

const everyFile = [
  ...readdirSync(import.meta.dirname),
  ...[...ROOMS, 'docs', 'install'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  ),
]
const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const textsOf = (pattern: RegExp) => everyFile.filter((path) => pattern.test(path)).map(read)
/** What its one group finds. */
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, what = '']) => what)

/** By its path or the end of it. The documents that rules come from are not here. */
const isFile = (name: string) => {
  const end = new RegExp(`(^|/)${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
  return name === 'api.md' || everyFile.some((path) => end.test(path))
}

test('what pages name is there: files, links, functions and tests', () => {
  const code = textsOf(/\.(tsx?|mjs|sql)$/).join('\n')
  const FILE = /(?<![\w/.}{:$-])((?:[\w*-]+\/)*[\w*.-]+\.(?:tsx?|mjs|sql|sh|md))(?![\w/])/g
  const missing = everyFile
    .filter((path) => /^([^/]+|(server\/)?docs\/.*)\.md$/.test(path))
    .flatMap((path) => {
      const text = read(path)
      const links = found(text, /\]\((?!https?:)([^)#\s]+)/g)
      return [
        ...found(text, FILE).filter((name) => !isFile(name)),
        ...links.filter((to) => !existsSync(join(import.meta.dirname, dirname(path), to))),
        ...found(text, /`(\w+)\(\)`/g).filter((name) => !code.includes(`${name}(`)),
        ...found(text, / -t '([^']+)'/g).filter((name) => !code.includes(name)),
      ].map((name) => `${path} names ${name}`)
    })
  expect(missing).toEqual([])
})

test('each rule that is cited by number has its line, and each line is cited', () => {
  const texts = textsOf(/^(?!docs\/rules\.md|house\.test).*\.(tsx?|sql|md)$/)
  const cited = texts.flatMap((text) => [
    ...found(text, /(?<!")\b([DR]\d\d?(?:\.\d)?)\b/g),
    ...found(text, /\b(?:security|mexico|ASVS|api\.md) (\d+(?:\.\d+)*)/g),
  ])
  const lines = found(read('docs/rules.md'), /^\| ([DR]?\d[\d.]*) \|/gm)
  expect(cited.filter((rule) => !lines.includes(rule))).toEqual([])
  expect(lines.filter((rule) => /^[DR]/.test(rule) && !cited.includes(rule))).toEqual([])
})

// biome-ignore-all lint/correctness/noComponentHookFactories: the methods of a syntax visitor are named like components
/**
 * Schemas and zod, 45 kB, are what forms check with, and lists show their rows without. A file of the contract holds
 * schemas, calls and words alike, so that the build reads each as two modules: `payments.ts` has its words and its calls,
 * and takes what is made with zod from `payments.ts?schemas`, the file without its calls. Nothing of this changes what a
 * name means; a schema that a list touches only brings zod back before its rows, which e2e/first-load.test.ts sees.
 */
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

const CONTRACT = /\/contract\/[\w-]+\.ts$/
export const SCHEMAS = /\/contract\/[\w-]+\.ts\?schemas$/

/** What a browser reads of a call; house.test.ts sees to it. */
export const OF_CALLS = ['method', 'path', 'need']

/** Schemas are named like types: `Payment`, unlike `payments` and `PAYMENT_PAID`. */
const isSchemaName = (name: string) => /^[A-Z]\w*[a-z]/.test(name)

type Range = { start: number; end: number }

/** The names that the code uses, those of properties aside, and what of its calls a browser has no use for. */
function readCode(program: ESTree.Program) {
  const properties = new Set<number>()
  const used: { name: string; start: number }[] = []
  const ofServer: Range[] = []
  const calls: Range[] = []
  new Visitor({
    MemberExpression: ({ computed, property }) => void (computed || properties.add(property.start)),
    Property: ({ computed, shorthand, key }) => void (computed || shorthand || properties.add(key.start)),
    Identifier: (node) => void (properties.has(node.start) || used.push(node)),
    CallExpression: ({ callee, arguments: [options] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || options?.type !== 'ObjectExpression') return
      calls.push(callee)
      ofServer.push(callee, ...options.properties.filter((property) => !isOfBrowser(property)))
    },
  }).visit(program)
  return { used, ofServer, calls }
}

const isOfBrowser = (node: ESTree.ObjectPropertyKind): boolean =>
  node.type === 'Property' && node.key.type === 'Identifier' && OF_CALLS.includes(node.key.name)

const namesOf = (node: ESTree.Statement): string[] => {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
  if (declaration?.type === 'FunctionDeclaration') return declaration.id ? [declaration.id.name] : []
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
}

const isIn = ({ start }: { start: number }, range: Range) => start >= range.start && start < range.end

/** The file without what is made with zod, which comes from its other half. */
export function withoutSchemas(code: string, file: string): string {
  const { program } = parseSync(file, code, { lang: 'js' })
  const { used, ofServer } = readCode(program)
  const imported = program.body.flatMap((node) =>
    node.type === 'ImportDeclaration' ? node.specifiers.map(({ local }) => local.name) : [],
  )
  const schemas = new Set(['z', ...imported.filter(isSchemaName)])
  const others = program.body.filter((node) => node.type !== 'ImportDeclaration')
  const uses = new Map(
    others.map((node) => [
      node,
      used.filter((each) => isIn(each, node) && !ofServer.some((part) => isIn(each, part))).map(({ name }) => name),
    ]),
  )
  const made = new Set<ESTree.Statement>()
  for (let known = -1; known !== made.size; ) {
    known = made.size
    for (const node of others) {
      if (made.has(node) || !uses.get(node)?.some((name) => schemas.has(name))) continue
      made.add(node)
      for (const name of namesOf(node)) schemas.add(name)
    }
  }
  const exported = [...made].flatMap((node) => (node.type === 'ExportNamedDeclaration' ? namesOf(node) : []))
  const removed = [...made, ...ofServer.filter((part) => ![...made].some((node) => isIn(part, node)))]
  const rest = removed.toSorted((a, b) => b.start - a.start).reduce(cut, code)
  return exported.length > 0 ? `${rest}\nexport { ${exported.join(', ')} } from './${nameOf(file)}?schemas'` : rest
}

/** The schemas, without the calls: those are in the other half. */
export function withoutCalls(code: string, file: string): string {
  const { program } = parseSync(file, code, { lang: 'js' })
  const { calls } = readCode(program)
  const made = program.body.filter((node) => calls.some((call) => isIn(call, node)))
  return made.toReversed().reduce(cut, code)
}

/** With the comma that follows a property. */
const cut = (code: string, { start, end }: Range) => code.slice(0, start) + code.slice(end).replace(/^\s*,/, '')
const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1)

export const contractInParts: Plugin = {
  name: 'contract-in-parts',
  apply: 'build',
  transform: {
    filter: { id: /\/contract\/[\w-]+\.ts(\?schemas)?$/ },
    handler(code, id) {
      // Made of definitions alone: what nobody uses can be left out.
      const half = CONTRACT.test(id) ? withoutSchemas : withoutCalls
      return { code: half(code, id), map: null, moduleSideEffects: false }
    },
  },
}

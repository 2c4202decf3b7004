import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNewer } from './newer-than-floor.ts'

const root = join(import.meta.dirname, '..')

/** What older ones do without, and why they can (D92). */
const FALLBACKS = ['web/ui/Tooltip.tsx: <div popover>'] // hidden by `hidden`, above others by its z-index

test.each([
  ['Object.groupBy(a, b)', 'Object.groupBy'],
  ['new Map(Map.groupBy(a, b))', 'Map.groupBy'],
  ['URL.parse(a)?.host', 'URL.parse'],
  ['URL.canParse(a)', 'URL.canParse'],
  ['Promise.withResolvers()', 'Promise.withResolvers'],
  ['Promise.try(a)', 'Promise.try'],
  ['AbortSignal.any([])', 'AbortSignal.any'],
  ['RegExp.escape(a)', 'RegExp.escape'],
  ['Array.fromAsync(a)', 'Array.fromAsync'],
  ['a.union(b)', '.union()'],
  ['a.b().isSubsetOf(c)', '.isSubsetOf()'],
  ['a.values().toArray()', '.toArray()'],
  ['a.showPopover()', '.showPopover()'],
  ['document.startViewTransition(a)', '.startViewTransition()'],
  ['new CloseWatcher()', 'CloseWatcher'],
  ['const b = <p popover="auto" />', '<p popover>'],
])('%s is seen as newer than the floor', (code, name) => {
  expect(findNewer('a.tsx', code)).toEqual([name])
})

test.each([
  ...['a.toSorted(b).findLast(c).at(-1)', 'a.toReversed().with(0, b)', 'Object.hasOwn(a, b)', 'structuredClone(a)'],
  ...['a.showPopover?.()', 'z.union([a])', 'AbortSignal.timeout(1)', 'const b = <p inert hidden />'],
])('%s is not', (code) => {
  expect(findNewer('a.tsx', code)).toEqual([])
})

test('the pages use nothing that is newer than the floor, or do without it', () => {
  const files = ['contract', 'web'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  )
  const shown = files.filter((file) => /\.tsx?$/.test(file) && !/\.(test|testing)\.|prerender/.test(file))
  const found = shown.flatMap((file) =>
    findNewer(file, readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual(FALLBACKS)
})

test('what looks at the browser first is in words that every browser reads', () => {
  const code = readFileSync(join(root, 'public/before-paint.js'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
  expect(code).not.toMatch(/=>|`|\?[.?]|\b(const|let|class|async)\b|catch \{|\.\.\.\w/)
})

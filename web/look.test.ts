import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { entryLooks, leadLooks, NEGATIVE_MARK, paymentLooks } from './states/looks.ts'

type Tokens = Map<string, string>

const styles = ['look.css', 'styles.css'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')

/** The custom properties of the blocks with this selector. */
const declared = (selector: RegExp): [string, string][] =>
  [...styles.matchAll(selector)].flatMap(([, block = '']) =>
    [...block.matchAll(/^\s+(--[\w-]+): ([^;]+);/gm)].map(([, name = '', value = '']): [string, string] => [
      name,
      value,
    ]),
  )

const light: Tokens = new Map(declared(/^(?:@theme|:root) \{([^}]*)\}/gm))
// Indented: it is for the screen alone.
const dark: Tokens = new Map([...light, ...declared(/^ {2}\[data-theme="dark"\] \{([^}]*)\}/gm)])

const OKLCH = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/
const REFERENCE = /^var\((--[\w-]+)\)$/

/** Relative luminance as WCAG has it; the matrices are those of CSS Color 4. */
function luminanceOf(tokens: Tokens, value: string): number {
  const [, reference] = REFERENCE.exec(value) ?? []
  if (reference) return luminanceOf(tokens, tokens.get(reference) ?? '')
  const [, lightness, chroma, hue] = OKLCH.exec(value)?.map(Number) ?? []
  if (lightness === undefined || chroma === undefined || hue === undefined) throw new Error(`No colour: '${value}'`)
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const shown = (linear: number) => Math.min(Math.max(linear, 0), 1)
  return (
    0.2126 * shown(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * shown(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * shown(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  )
}

function contrast(tokens: Tokens, above: string, below: string): number {
  const [brighter = 0, darker = 0] = [above, below].map((value) => luminanceOf(tokens, value)).sort((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

const chips = { neutral: ['muted', 'sunken'], ...inkOnSoft('brand', 'success', 'danger', 'info', 'money') } as const

function inkOnSoft<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, [`${name}-ink`, `${name}-soft`]])) as Record<
    Name,
    [string, string]
  >
}

const TEXT = 4.5
const PICTURE = 3
const color = (name: string): string => `var(--color-${name})`

for (const [theme, tokens] of [
  ['light', light],
  ['dark', dark],
] as const) {
  const states = [entryLooks, paymentLooks, leadLooks].flatMap((looks) => Object.entries(looks))
  test.each(states)(`${theme}: the chip of %s can be read`, (_, { tone }) => {
    const [ink, ground] = chips[tone]
    expect(contrast(tokens, color(ink), color(ground))).toBeGreaterThan(TEXT)
  })

  const money = [entryLooks, paymentLooks].flatMap((looks) => Object.values(looks).map(({ mark }) => mark))
  const series = [1, 2].map((number) => `var(--chart-${number})`)
  test.each([...new Set([...money, NEGATIVE_MARK, ...series])])(`${theme}: %s stands out from a card`, (mark) => {
    expect(contrast(tokens, mark, color('surface'))).toBeGreaterThan(PICTURE)
  })

  test.each([
    ...['ink', 'muted', 'faint'].map((ink) => [ink, 'hover']),
    ...['brand', 'success', 'danger', 'info', 'money'].map((name) => [`${name}-ink`, 'brand-soft']),
  ])(`${theme}: %s on %s can be read`, (ink, ground) => {
    expect(contrast(tokens, color(ink), color(ground))).toBeGreaterThan(TEXT)
  })
}

test('both themes are found, and contrast is what WCAG says it is', () => {
  for (const name of ['--color-surface', '--chart-1']) expect(dark.get(name)).not.toBe(light.get(name))
  expect(contrast(light, 'oklch(1 0 0)', 'oklch(0 0 0)')).toBeCloseTo(21)
  expect(contrast(light, 'var(--mark-earned)', color('surface'))).toBeCloseTo(3.29, 1)
})

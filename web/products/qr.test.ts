import decodeQR from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { EXTERNAL_ID_PLACEHOLDER, withParams } from '#contract/tracking.ts'
import { drawQr, type Qr, svgFile, withoutPlaceholder } from './qr.ts'

const base = withParams('https://afluente.example/api/v1/leads/redirect/7/?product_id=12', {
  external_id: EXTERNAL_ID_PLACEHOLDER,
})
const ofLength = (length: number) => `${base}&utm_source=`.padEnd(length, 'a')

/** The path as a camera sees it, each module some pixels wide. */
function read({ side, path }: Qr): string {
  const pixels = 4
  const size = side * pixels
  const data = new Uint8Array(size * size * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * pixels; row < (Number(y) + 1) * pixels; row++) {
      const start = row * size + Number(x) * pixels
      for (let pixel = start; pixel < start + Number(length) * pixels; pixel++) data.fill(0, pixel * 4, pixel * 4 + 3)
    }
  return decodeQR({ width: size, height: size, data })
}

const drawn = (text: string): Qr => {
  const code = drawQr(text)
  if (!code) throw new Error(`No code for ${text.length} characters`)
  return code
}

test.each([
  [
    'values of a campaign',
    withParams(base, { external_id: 'ana 7', utm_campaign: 'otoño & más', utm_content: '100%' }),
  ],
  ['no values', withoutPlaceholder(base)],
  ['the most that survives a damaged print', ofLength(2331)],
  ['more than that', ofLength(2332)],
  ['the most that a code holds', ofLength(2953)],
])('a camera reads the link with %s', (_, link) => {
  expect(read(drawn(link))).toBe(link)
})

test('the quiet zone is four modules on every side', () => {
  const { side, path } = drawn(base)
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(
    ([, ...run]) => run.map(Number) as [number, number, number],
  )
  expect(Math.min(...runs.map(([x]) => x))).toBe(4)
  expect(Math.max(...runs.map(([x, , length]) => x + length))).toBe(side - 4)
  expect([runs[0]?.[1], runs.at(-1)?.[1]]).toEqual([4, side - 5])
})

test('a longer link has no code', () => {
  expect(drawQr(ofLength(2954))).toBeUndefined()
})

test('the file holds the same drawing, dark on white', async () => {
  const code = drawn(base)
  const text = await svgFile(code).text()
  expect(text).toContain(`<path fill="#fff" d="M0 0h${code.side}v${code.side}H0z"/><path d="${code.path}"/>`)
})

describe('what a code carries', () => {
  test('is the link without the placeholder that nobody fills in', () => {
    expect(withoutPlaceholder(withParams(base, { utm_source: 'volante' }))).toBe(
      'https://afluente.example/api/v1/leads/redirect/7/?product_id=12&utm_source=volante',
    )
  })

  test('is the link as it stands when external_id has a value', () => {
    const link = withParams(base, { external_id: 'mesa 4', utm_source: 'otoño' })
    expect(withoutPlaceholder(link)).toBe(link)
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findFont } from './font.ts'

const root = `${mkdtempSync(join(tmpdir(), 'afluente-font-'))}/`
afterAll(() => rmSync(root, { recursive: true }))

test('the latin letters of the built web are used, and nothing before there is one', () => {
  expect(findFont(root)).toEqual({ preload: '', css: '' })
  mkdirSync(`${root}assets`)
  for (const name of ['latin-ext-wght-normal-DO1', 'latin-wght-normal-Dx4_-', 'greek-wght-normal-Chk'])
    writeFileSync(`${root}assets/inter-${name}.woff2`, '')
  const { preload, css } = findFont(root)
  expect(css).toContain('src:url(/assets/inter-latin-wght-normal-Dx4_-.woff2)')
  expect(preload).toContain('href="/assets/inter-latin-wght-normal-Dx4_-.woff2"')
})

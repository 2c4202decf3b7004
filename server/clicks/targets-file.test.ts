import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { encodeRecord } from '../spool/record.ts'
import type { Target } from './targets.ts'
import { readTargets, writeTargets } from './targets-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afluente-'))
  file = join(folder, 'targets.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const make = (product_id: number): Target => ({
  ...{ relationship_id: 7, product_id, affiliate_id: 3, issuer_id: 2, live: true },
  redirect_url: `https://ejemplo.mx/café?p=${product_id}&ref={tracking_id}`,
})

test('what was written is read, in its order, and nothing else stays in the folder', async () => {
  expect(await readTargets(file)).toEqual([])
  const targets = Array.from({ length: 1_001 }, (_, index) => make(index))
  await writeTargets(file, [make(9_999)])
  await writeTargets(file, targets)
  expect(await readTargets(file)).toEqual(targets)
  expect(readdirSync(folder)).toEqual(['targets.jsonl'])
})

test('a damaged or torn line is skipped, its neighbours are not', async () => {
  await writeTargets(file, [make(1), make(2), make(3), make(4)])
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"product_id":2', '"product_id":5').slice(0, -10))
  expect((await readTargets(file)).map(({ product_id }) => product_id)).toEqual([1, 3])
})

test('whole lines of another shape are no targets: the copy is refused, not believed', async () => {
  for (const other of ['null', '{}', JSON.stringify({ ...make(1), redirect_url: null })]) {
    await writeFile(file, encodeRecord(other, 1))
    await expect(readTargets(file)).rejects.toBeInstanceOf(ZodError)
  }
})

test('a failed write leaves the earlier copy', async () => {
  await writeTargets(file, [make(1)])
  const torn = make(3)
  Object.defineProperty(torn, 'redirect_url', {
    enumerable: true,
    get: () => {
      throw new Error('torn')
    },
  })
  await expect(writeTargets(file, [make(2), torn])).rejects.toThrow('torn')
  expect(await readTargets(file)).toEqual([make(1)])
  expect(readdirSync(folder)).toEqual(['targets.jsonl'])
})

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepSecret } from './secret.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'afluente-secret-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the secret is made once, for its owner alone, and nothing else is left beside it', () => {
  const home = join(folder, 'data/of/the/server')
  const secret = keepSecret(home)
  expect(keepSecret(home)).toBe(secret)
  expect(readdirSync(home)).toEqual(['secret'])
  expect(statSync(join(home, 'secret')).mode & 0o777).toBe(0o600)
})

test('a damaged secret is not replaced, since what it locked would stay locked', () => {
  const home = join(folder, 'damaged')
  keepSecret(home)
  writeFileSync(join(home, 'secret'), 'x')
  expect(() => keepSecret(home)).toThrow('está dañado: restáurelo de su respaldo')
})

test('an unusable folder is reported in a sentence', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => keepSecret(join(folder, 'file/below'))).toThrow(
    `No se puede usar la carpeta de datos ${folder}/file/below: una parte de la ruta no es una carpeta (DATA_DIR).`,
  )
  expect(() => keepSecret(join(folder, 'file'))).toThrow('ya existe un archivo con ese nombre (DATA_DIR).')
})

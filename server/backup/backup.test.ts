import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdFolder } from '#db/folder-lock.ts'
import { makeBackup } from './make.ts'
import { MANIFEST, type Manifest, NewFile, readManifest, verifyFiles } from './manifest.ts'
import { restoreFiles } from './restore.ts'

// That a backup holds everything is R19 in faults/; here, that nobody takes half of one for a whole one.

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'afluente-'))
  folder = join(root, 'backup')
  mkdirSync(folder)
  const files = ['secret', 'base.tar'].map((name) => {
    const file = new NewFile(folder, name)
    file.write(Buffer.from(`what ${name} says`))
    return file.close()
  })
  const counts = { leads: 2, events: 1, entries: 1, payments: 0 }
  const [began, ended] = ['2026-11-21T06:00:00.000Z', '2026-11-21T06:01:00.000Z']
  const manifest: Manifest = {
    ...{ format: 1, began, ended, postgres: 180_004, embedded: true, before: counts, after: counts, files },
  }
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest))
})
afterEach(() => rmSync(root, { recursive: true }))

const verify = () => verifyFiles(folder, readManifest(folder))
const silent = () => undefined

test('a backup whose files are as they were written is whole, and nobody else may read them', () => {
  expect(verify).not.toThrow()
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
})

test.each([
  ['another size', () => writeFileSync(join(folder, 'base.tar'), 'what base.tar'), 'base.tar mide'],
  ['a changed byte', () => writeFileSync(join(folder, 'base.tar'), 'what base.tar sayz'), 'base.tar cambió'],
  ['a missing file', () => rmSync(join(folder, 'secret')), 'falta secret'],
  ['a strange file', () => writeFileSync(join(folder, 'other'), ''), 'other no es de este respaldo'],
  ['no manifest', () => rmSync(join(folder, MANIFEST)), 'no es un respaldo completo'],
  ['half a manifest', () => writeFileSync(join(folder, MANIFEST), '{"format": 1'), 'no se entiende'],
  ['a manifest of another format', () => writeFileSync(join(folder, MANIFEST), '{"format": 2}'), 'no se entiende'],
])('a damaged backup is refused: %s', (_name, damage, why) => {
  damage()
  expect(verify).toThrow(why)
})

test('nothing is restored over something else', () => {
  const dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'spool'), { recursive: true })
  expect(() => restoreFiles(folder, readManifest(folder), dataDir, silent)).toThrow('no está vacía (tiene spool)')
  expect(readdirSync(dataDir)).toEqual(['spool'])
})

test('no server starts on a folder whose restore did not come to its end', () => {
  const dataDir = join(root, 'data')
  expect(() => restoreFiles(folder, readManifest(folder), dataDir, silent)).toThrow('No se pudo desempacar')
  expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('what secret says')
  expect(() => holdFolder(dataDir, 'server.lock', { refuseCopy: true })).toThrow('puede estar incompleta')
})

test('a backup that fails leaves nothing behind, and one that is there is not replaced', async () => {
  const order = { url: 'postgres://a:b@127.0.0.1:1/c', embedded: false, dataDir: root, say: silent }
  await expect(makeBackup({ ...order, folder })).rejects.toThrow('ya existe')
  const other = join(root, 'other')
  await expect(makeBackup({ ...order, folder: other })).rejects.toThrow('ECONNREFUSED')
  mkdirSync(`${other}.partial`)
  await expect(makeBackup({ ...order, folder: other })).rejects.toThrow('hay otro respaldo en marcha')
  expect(readdirSync(root).sort()).toEqual(['backup', 'other.partial'])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdFolder } from './folder-lock.ts'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'afluente-lock-'))
  folder = join(home, 'datos')
})
afterEach(() => rmSync(home, { recursive: true }))

const hold = (where = folder) => holdFolder(where, 'server.lock', { refuseCopy: true })
const lockOf = (where: string) => join(where, 'server.lock')

/** Another process that holds the folder until it is killed. */
async function holdElsewhere() {
  const program = `
    import { holdFolder } from ${JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'))}
    holdFolder(${JSON.stringify(folder)}, 'server.lock')
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  await once(child.stdout, 'data')
  return { pid: child.pid, kill: () => Promise.all([once(child, 'exit'), child.kill('SIGKILL')]) }
}

test('one holder at a time, whose name the others are told; a killed one releases it at once', async () => {
  const { pid, kill } = await holdElsewhere()
  expect(() => hold()).toThrow(
    `${folder} ya está en uso por otro Afluente en marcha (proceso ${pid} en ${hostname()}).`,
  )
  await kill()
  const release = hold()
  expect(() => hold()).toThrow(`(proceso ${process.pid} en ${hostname()})`)
  release()
  release()
  hold()()
  expect(readFileSync(lockOf(folder), 'utf8')).toBe('')
})

test('a child process that outlives its server does not keep the lock', async () => {
  const release = hold()
  const child = spawn('sleep', ['100'])
  await once(child, 'spawn')
  release()
  hold()()
  child.kill()
})

test('a copy of a folder in use, or of a killed server, is refused until a person says otherwise', async () => {
  const { kill } = await holdElsewhere()
  const copy = join(home, 'copia')
  cpSync(folder, copy, { recursive: true })
  const text = readFileSync(lockOf(copy), 'utf8')
  expect(() => hold(copy)).toThrow(`se copió de otra que estaba en uso`)
  expect(() => hold(copy)).toThrow(`borre ${lockOf(copy)} e inicie de nuevo`)
  expect(readFileSync(lockOf(copy), 'utf8')).toBe(text)
  await kill()
  hold()()
  rmSync(lockOf(copy))
  hold(copy)()
  // Copied after a clean stop.
  rmSync(copy, { recursive: true })
  cpSync(folder, copy, { recursive: true })
  hold(copy)()
})

test('the lock of an earlier version, a symlink, is in nobody’s way', () => {
  hold()()
  rmSync(lockOf(folder))
  symlinkSync('123 boot/456', lockOf(folder))
  hold()()
  expect(statSync(lockOf(folder)).isFile()).toBe(true)
})

test('without the program that locks, or where the file system refuses, the reason is said', () => {
  const { PATH } = process.env
  process.env.PATH = home
  try {
    expect(() => hold()).toThrow('Falta el programa flock (paquete util-linux)')
    const refusal = 'flock: 3: No locks available'
    writeFileSync(join(home, 'flock'), `#!/bin/sh\necho '${refusal}' >&2\nexit 71\n`, { mode: 0o755 })
    expect(() => hold()).toThrow(`El sistema de archivos de ${folder} no admite candados (${refusal})`)
  } finally {
    process.env.PATH = PATH
  }
  hold()()
})

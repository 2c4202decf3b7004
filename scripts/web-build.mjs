import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveUp, pinnedNode, root } from './bootstrap.mjs'

const SOURCES = [
  'web',
  'contract',
  'public',
  'index.html',
  'landing.html',
  'login.html',
  'vite.config.ts',
  'scripts/chunks.ts',
  'scripts/contract-parts.ts',
  'scripts/floor.ts',
  'package-lock.json',
  'package.json',
]
const STAMP = join(root, 'dist/web.stamp')

function filesBelow(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesBelow).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Builds dist/web unless it was built from these very files. */
export function ensureWebBuilt() {
  const wanted = fingerprint()
  const built = existsSync(join(root, 'dist/web/index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8')
  if (built === wanted) return
  console.log('Construyendo la aplicación web…')
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(pinnedNode, args, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) giveUp('No se pudo construir la aplicación web.')
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(STAMP, wanted)
}

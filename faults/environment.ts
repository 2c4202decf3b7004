import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { connect, type Db } from '#db/connect.ts'
import type { Supervised } from './supervised.ts'
import type { FaultWorld } from './world.ts'

/** What a change may touch. */
export interface Ground {
  /** The owner, in another database, so that ours can be renamed. */
  owner: Db
  /** The owner, in ours. */
  inside: (statement: RawBuilder<unknown>) => Promise<unknown>
  /** The role with which the server signs in. */
  login: string
  server: Supervised
  world: FaultWorld
}

export interface Change {
  name: string
  /** Before the server starts; returns its settings. */
  prepare?: (world: FaultWorld) => Promise<Record<string, string>>
  /** Returns a function that puts it right. */
  make: (ground: Ground) => Promise<() => Promise<unknown>>
  /** Whether clicks may be refused meanwhile. */
  refuses?: boolean
}

const DATABASE = 'afluente'

/** Connections that are open do not notice. */
const endConnections = ({ owner }: Ground) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'afluente%'`.execute(owner)

const statement = (name: string, there: RawBuilder<unknown>, back: RawBuilder<unknown>): Change => ({
  name,
  make: async (ground) => {
    await ground.inside(there)
    await endConnections(ground)
    return () => ground.inside(back)
  },
})

const rotatedPassword: Change = {
  name: 'password rotated',
  make: async (ground) => {
    const { owner, login } = ground
    const { rows } = await sql<{ rolpassword: string }>`
      select rolpassword from pg_authid where rolname = ${login}`.execute(owner)
    const use = (password: string) => sql`alter role ${sql.id(login)} password ${sql.lit(password)}`.execute(owner)
    await use('otra')
    await endConnections(ground)
    // Its verifier is taken as it is.
    return () => use(rows[0]?.rolpassword ?? '')
  },
}

const setBackSequence: Change = {
  name: 'sequence of leads set back',
  make: async ({ inside }) => {
    await inside(sql`select setval('lead_id_seq', 1)`)
    return async () => undefined
  },
}

const renamedDatabase: Change = {
  name: 'database renamed',
  make: async (ground) => {
    const { owner } = ground
    const rename = async (from: string, to: string) => {
      const [was, is] = [sql.id(from), sql.id(to)]
      await sql`alter database ${was} allow_connections false`.execute(owner)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`.execute(owner)
      await sql`alter database ${was} rename to ${is}`.execute(owner)
      await sql`alter database ${is} allow_connections true`.execute(owner)
    }
    await rename(DATABASE, 'otra')
    return () => rename('otra', DATABASE)
  },
}

const endedConnections: Change = {
  name: 'connections ended each second',
  make: async (ground) => {
    const timer = setInterval(() => void endConnections(ground), 1_000)
    return async () => clearInterval(timer)
  },
}

const noConnections: Change = {
  name: 'max_connections exhausted',
  make: async (ground) => {
    const { world } = ground
    const taken: pg.Client[] = []
    await endConnections(ground)
    for (let full = false; !full; ) {
      const client = new pg.Client({ connectionString: world.databaseUrl() })
      client.on('error', () => undefined) // ended with the others
      await client.connect().then(
        () => taken.push(client),
        () => {
          full = true
        },
      )
    }
    return () => Promise.all(taken.map((client) => client.end()))
  },
}

/** The server has as many files open as it may: it can open neither connections nor files. */
const noDescriptors: Change = {
  name: 'no descriptor left',
  refuses: true,
  make: async (ground) => {
    const pid = String(ground.server.pid)
    const limit = execFileSync('prlimit', ['--pid', pid, '--nofile', '--noheadings', '--output', 'SOFT,HARD'], {
      encoding: 'utf8',
    })
    const [soft, hard] = limit.trim().split(/\s+/)
    execFileSync('prlimit', ['--pid', pid, `--nofile=${readdirSync(`/proc/${pid}/fd`).length}:${hard}`])
    await endConnections(ground)
    return async () => execFileSync('prlimit', ['--pid', pid, `--nofile=${soft}:${hard}`])
  },
}

const stoppedDatabase: Change = {
  name: 'PostgreSQL stopped',
  make: async ({ world }) => {
    const [postmaster = ''] = readFileSync(join(world.postgresFolder, 'postmaster.pid'), 'utf8').split('\n')
    const family = () => {
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
      return [postmaster, ...children].map(Number)
    }
    const signal = (name: NodeJS.Signals) => {
      for (const pid of family()) process.kill(pid, name)
    }
    signal('SIGSTOP')
    return async () => signal('SIGCONT')
  },
}

const newCertificate = ({ postgresFolder }: FaultWorld, name: string): string => {
  const file = join(postgresFolder, `${name}.pem`)
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file, '-out', `${file}.crt`]
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' })
  const { uid, gid } = statSync(postgresFolder)
  for (const each of [file, `${file}.crt`]) chownSync(each, uid, gid)
  chmodSync(file, 0o600)
  return file
}

const useCertificate = async (world: FaultWorld, file: string) => {
  const owner = connect(world.databaseUrl(), { max: 1, applicationName: 'owner' })
  await sql`alter system set ssl_key_file = ${sql.lit(file)}`.execute(owner)
  await sql`alter system set ssl_cert_file = ${sql.lit(`${file}.crt`)}`.execute(owner)
  await sql`alter system set ssl = on`.execute(owner)
  await sql`select pg_reload_conf()`.execute(owner)
  await owner.destroy()
}

const untrustedCertificate: Change = {
  name: 'certificate not trusted any more',
  prepare: async (world) => {
    const file = newCertificate(world, 'trusted')
    await useCertificate(world, file)
    const url = new URL(world.databaseUrl())
    url.searchParams.set('sslmode', 'verify-full')
    url.searchParams.set('sslrootcert', `${file}.crt`)
    return { DATABASE_URL: url.href }
  },
  make: async (ground) => {
    const { world } = ground
    await useCertificate(world, newCertificate(world, 'other'))
    await endConnections(ground)
    return () => useCertificate(world, join(world.postgresFolder, 'trusted.pem'))
  },
}

const revokedGrants = statement(
  'grants revoked',
  sql`revoke insert on lead from afluente_app`,
  sql`grant insert on lead to afluente_app`,
)

/** One of each kind: at connecting, in a statement, for every row, on our side. */
export const SHORT_CHANGES: Change[] = [rotatedPassword, revokedGrants, setBackSequence, noDescriptors]

export const CHANGES: Change[] = [
  ...SHORT_CHANGES,
  statement('role renamed', sql`alter role afluente_app rename to otro`, sql`alter role otro rename to afluente_app`),
  renamedDatabase,
  endedConnections,
  noConnections,
  stoppedDatabase,
  untrustedCertificate,
]

import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto'
import { codeOf, messageOf, OperatorError } from './operator-error.ts'
import { AS_SERVER, endClient, newClient } from './pool.ts'

// The server works as a role that has the rights of afluente_app and no way to more: it owns nothing, and no statement of
// its sessions, injected ones included, makes it the owner. Each database has its own, since roles are of all databases.

const NAME_BYTES = 63 - '_server'.length
const ITERATIONS = 4096 // PostgreSQL's own

/** The URL that the server works with, from the owner's: the name follows from the database, the password from SECRET. */
export function serverUrlOf(ownerUrl: string, secret: string): string {
  // Without a path the database is named like the user.
  const database = decodeURIComponent(new URL(ownerUrl).pathname.slice(1)) || userOf(ownerUrl)
  const password = Buffer.from(hkdfSync('sha256', secret, 'afluente', 'password of the database role', 24))
  const url = new URL(ownerUrl)
  url.username = ''
  url.password = ''
  url.pathname = `/${encodeURIComponent(database)}`
  // As parameters, which win over any other place and also fit a URL with a socket instead of a host.
  url.searchParams.set('user', `${Buffer.from(database).subarray(0, NAME_BYTES)}_server`)
  url.searchParams.set('password', password.toString('hex'))
  return url.href
}

function userOf(url: string): string {
  const { searchParams, username } = new URL(url)
  return searchParams.get('user') ?? decodeURIComponent(username)
}

interface Role {
  ownerUrl: string
  serverUrl: string
  /** Whether the name and the password are ours, so that we make the role. */
  isOurs: boolean
}

/** Makes the role of `serverUrl` if it is missing, and signs in with it; says in words what an operator should mend. */
export async function readyServerRole({ ownerUrl, serverUrl, isOurs }: Role): Promise<string | undefined> {
  const owner = userOf(ownerUrl)
  const signIn = () => findExcess(serverUrl, owner)
  try {
    return await signIn().catch(async (error) => {
      if (!isOurs || !isRefusal(error)) throw error
      await makeRole(ownerUrl, serverUrl)
      return signIn()
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new OperatorError(howToMend(userOf(serverUrl), owner, messageOf(error)), { cause: error })
  }
}

/** Of the sign-in (28…), of becoming afluente_app, or of making a role. */
const isRefusal = (error: unknown): boolean => /^28|^42501$/.test(codeOf(error) ?? '')

const howToMend = (name: string, owner: string, reason: string): string =>
  `El servidor no puede trabajar con el rol ${name} (${reason}). Si ${owner} no puede crear roles, que un administrador de \
PostgreSQL ejecute «create role ${name} login password '…'; grant afluente_app to ${name}», e indique ese usuario en \
DATABASE_APP_URL; si el rol existe, revise que pg_hba.conf lo deje entrar.`

const EXCESS = `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
    or pg_has_role(session_user, $1, 'member') as found
  from pg_roles where rolname = session_user`

async function findExcess(serverUrl: string, owner: string): Promise<string | undefined> {
  const client = newClient(serverUrl, 'afluente role', { options: AS_SERVER })
  try {
    await client.connect()
    const { rows } = await client.query<{ found: boolean }>(EXCESS, [owner])
    if (!rows[0]?.found) return undefined
    return `Aviso: el servidor trabaja con ${userOf(serverUrl)}, que puede actuar como dueño de la base: indique en DATABASE_APP_URL un rol que solo sea miembro de afluente_app.`
  } finally {
    await endClient(client)
  }
}

const MAKE = `select format(
  case when exists (select from pg_roles where rolname = $1) then 'alter' else 'create' end
    || ' role %1$I login password %2$L; grant afluente_app to %1$I', $1::text, $2::text) as statements`

async function makeRole(ownerUrl: string, serverUrl: string): Promise<void> {
  const password = new URL(serverUrl).searchParams.get('password') ?? ''
  const client = newClient(ownerUrl, 'afluente role')
  try {
    await client.connect()
    await client.query('begin')
    // Copies that start at once wait for each other.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('server role', 0))`)
    const { rows } = await client.query<{ statements: string }>(MAKE, [userOf(serverUrl), verifierOf(password)])
    await client.query(rows[0]?.statements ?? '')
    await client.query('commit')
  } finally {
    await endClient(client)
  }
}

/** What PostgreSQL stores of a password (RFC 5803), so that the password itself is in no statement and in no log. */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

import { sql } from 'kysely'
import { type Duty, type ReadsOnly, seesKeys } from '#contract/duties.ts'
import type { KeyScope } from '#contract/key-scopes.ts'
import type { Db } from '#db/connect.ts'
import { factorDue, hasFactor } from './second-factors/due.ts'

/** The administrator who sees the product as somebody else. */
export interface Impersonator {
  id: number
  name: string
}

interface Caller {
  name: string
  duty: Duty
  requestId: string
  address: string
}

interface Person extends Caller {
  userId: number
  sessionId: string
  /** Users of an inactive company may read but not change anything (D8). */
  readOnly: boolean
  /** Has shown in the last minutes who they are. */
  elevated: boolean
  /** Must register a second factor before anything else. */
  lacksFactor: boolean
  /** Must choose a password in place of the one that somebody else typed, before anything else. */
  hasGivenPassword: boolean
  /** Then everything can be read but keys, and nothing written. */
  impersonator?: Impersonator
}

/** For whom: the network, or a company. */
export type Side = { role: 'admin' } | { role: 'issuer'; issuerId: number } | { role: 'affiliate'; affiliateId: number }

interface Member {
  role: string
  issuer_id: number | null
  affiliate_id: number | null
}

/** Of a row of users; nothing where its company is missing, so that nobody is taken for an administrator. */
export function sideOf({ role, issuer_id, affiliate_id }: Member): Side | undefined {
  if (role === 'admin') return { role }
  if (role === 'issuer' && issuer_id) return { role, issuerId: issuer_id }
  if (role === 'affiliate' && affiliate_id) return { role, affiliateId: affiliate_id }
  return undefined
}

export type Viewer = Person & Side

/** A system that reads with a key of its company or of the network; it has neither account nor session. */
export type KeyReader = Caller & { keyId: number; scope: KeyScope } & Side

/** Who may read: what takes one cannot ask for an account. */
export type Reader = Viewer | KeyReader

/** 'issuer 5': whoever reads for a company is one party, an administrator or a key of the network each their own. */
export function partyOf(reader: Reader): string {
  switch (reader.role) {
    case 'admin':
      return 'keyId' in reader ? `network key ${reader.keyId}` : `admin ${reader.userId}`
    case 'issuer':
      return `issuer ${reader.issuerId}`
    case 'affiliate':
      return `affiliate ${reader.affiliateId}`
  }
}

/** Keys act for the company: they are for who may act for it, and not for who only looks. */
export const readsKeys = ({ duty, impersonator }: Viewer): boolean => !impersonator && seesKeys(duty)

export const readsOnlyOf = ({ impersonator, readOnly }: Viewer): ReadsOnly | null =>
  impersonator ? 'view' : readOnly ? 'company' : null

/** The user of a session, without the fields of a request. */
type Identity = Viewer extends infer V ? (V extends Viewer ? Omit<V, 'requestId' | 'address'> : never) : never

export type Forgetting = <T>(change: Promise<T>) => Promise<T>

/** Wraps changes of users: NOTIFY reaches every copy of the server, but our very next answer must be right. */
export const forgetting =
  (forget: () => void): Forgetting =>
  async (change) => {
    const result = await change
    forget()
    return result
  }

const TTL = 5_000

/**
 * The users of sessions, from the database, so that a role, a suspension or a deletion counts at once. Cached for at
 * most five seconds, and cleared on NOTIFY viewer_change (security 2.3).
 */
export class Identities {
  readonly #db: Db
  readonly #known = new Map<string, { identity: Promise<Identity | undefined>; until: number }>()

  constructor(db: Db) {
    this.#db = db
  }

  find(sessionId: string): Promise<Identity | undefined> {
    const known = this.#known.get(sessionId)
    if (known && known.until > performance.now()) return known.identity
    if (this.#known.size > 10_000) this.#known.clear()
    const identity = readIdentity(this.#db, sessionId)
    this.#known.set(sessionId, { identity, until: performance.now() + TTL })
    identity.catch(() => this.#known.delete(sessionId))
    return identity
  }

  clear(): void {
    this.#known.clear()
  }
}

/** Sessions that are open, with what their people are. */
const openSessions = (db: Db) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .leftJoin('issuer', 'issuer.id', 'user.issuer_id')
    .leftJoin('affiliate', 'affiliate.id', 'user.affiliate_id')
    .innerJoin('security_policy', 'security_policy.role', 'user.role')
    .leftJoin('user as impersonator', 'impersonator.id', 'session.impersonator_id')
    .select((eb) => [
      'user.id',
      'user.role',
      'user.issuer_id',
      'user.affiliate_id',
      'user.first_name',
      'user.last_name',
      'user.duty',
      'session.impersonator_id',
      sql<boolean>`session.impersonator_id is null and security_policy.second_factor = 'required'
        and ${factorDue} <= now() and not ${hasFactor}`.as('lacks_factor'),
      sql<boolean>`session.impersonator_id is null and security_policy.replaces_given and "user".password_given`.as(
        'has_given_password',
      ),
      sql<string>`concat_ws(' ', impersonator.first_name, impersonator.last_name)`.as('impersonator_name'),
      sql<boolean>`coalesce(session.elevated_until > now(), false)`.as('elevated'),
      eb.fn.coalesce('issuer.user_status', 'affiliate.user_status', eb.val('active')).as('company_status'),
    ])
    .where('session.revoked_at', 'is', null)
    .where((eb) => eb('session.expires_at', '>', eb.fn<string>('now')))
    .where('user.user_status', '=', 'active')
    .where('user.archived_at', 'is', null)
    // What an administrator may no longer do ends what they had begun.
    .where((eb) =>
      eb.or([
        eb('session.impersonator_id', 'is', null),
        eb.and({ 'impersonator.role': 'admin', 'impersonator.user_status': 'active', 'impersonator.duty': 'owner' }),
      ]),
    )
    .where('impersonator.archived_at', 'is', null)

async function readIdentity(db: Db, sessionId: string): Promise<Identity | undefined> {
  const row = await openSessions(db).where('session.id', '=', sessionId).executeTakeFirst()
  if (!row) return undefined
  const person = {
    userId: row.id,
    sessionId,
    name: `${row.first_name} ${row.last_name}`,
    readOnly: row.company_status !== 'active',
    elevated: row.elevated,
    duty: row.duty as Duty,
    lacksFactor: row.lacks_factor,
    hasGivenPassword: row.has_given_password,
    ...(row.impersonator_id !== null && { impersonator: { id: row.impersonator_id, name: row.impersonator_name } }),
  }
  const side = sideOf(row)
  return side && { ...person, ...side }
}

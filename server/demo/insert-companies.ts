import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import { iso } from './calendar.ts'
import type { Clock } from './clock.ts'
import { administrators, affiliates, type DemoCompany, formerPeople, issuers } from './companies.ts'
import { fill } from './fill.ts'
import { Random } from './random.ts'
import { relationships } from './relationships.ts'

export interface DemoUser {
  id: number
  name: string
  role: 'admin' | 'issuer' | 'affiliate'
  email: string
  /** The key of its company; empty for administrators. */
  company: string
  createdAt: number
  lastLogin: number | undefined
}

export interface Company {
  id: number
  name: string
  createdAt: number
}

export interface Companies {
  issuers: Map<string, Company>
  affiliates: Map<string, Company>
  users: DemoUser[]
}

export async function insertCompanies(tx: Tx, keys: ApiKeys, passwordHash: string, clock: Clock): Promise<Companies> {
  const placedIssuers = await place(tx, 'issuer', issuers, (index) => clock.ago(420 - 30 * index, 10, 15))
  const placedAffiliates = await place(tx, 'affiliate', affiliates, (index, key) =>
    clock.ago(firstDay(key) + 12 + index, 12, 40),
  )
  for (const { id } of placedIssuers.values()) {
    await keys.create(tx, { issuerId: id }, 'api')
    await keys.create(tx, { issuerId: id }, 'postback')
    await keys.create(tx, { issuerId: id }, 'signing')
  }
  await tx.updateTable('issuer').set({ key_signs_until: sql<string>`created_at` }).execute()
  for (const { id } of placedAffiliates.values()) await keys.create(tx, { affiliateId: id }, 'api')
  const users = await insertUsers(tx, placedIssuers, placedAffiliates, passwordHash, clock)
  return { issuers: placedIssuers, affiliates: placedAffiliates, users }
}

/** How many days ago an affiliate's first relationship began. */
const firstDay = (key: string): number =>
  Math.max(...relationships.filter(({ affiliate }) => affiliate === key).map((each) => each.sinceDaysAgo ?? 150))

async function place(
  tx: Tx,
  table: 'issuer' | 'affiliate',
  companies: readonly DemoCompany[],
  born: (index: number, key: string) => number,
): Promise<Map<string, Company>> {
  const rows = companies.map(({ key, people: _, ...company }, index) => {
    const created_at = iso(born(index, key))
    return { ...company, user_status: 'active', created_at, updated_at: created_at }
  })
  const ids = await fill(tx, table, rows)
  const placed = companies.map(({ key, company_name: name }, index) => {
    return [key, { id: ids[index] as number, name, createdAt: born(index, key) }] as const
  })
  return new Map(placed)
}

type NewUser = Omit<DemoUser, 'id' | 'name'> & { first: string; last: string; status: string }

async function insertUsers(
  tx: Tx,
  placedIssuers: Map<string, Company>,
  placedAffiliates: Map<string, Company>,
  passwordHash: string,
  clock: Clock,
): Promise<DemoUser[]> {
  const users = [
    ...administrators.map(([first, last, email]) => ({ first, last, email, role: 'admin' as const, company: '' })),
    ...peopleOf('issuer', issuers),
    ...peopleOf('affiliate', affiliates),
  ].map((person, index): NewUser => withDays(person, placedIssuers, placedAffiliates, clock, index))
  users.push(...leavers(clock))
  const rows = users.map((user) => ({
    email: user.email,
    first_name: user.first,
    last_name: user.last,
    password_hash: passwordHash,
    role: user.role,
    affiliate_id: user.role === 'affiliate' ? placedAffiliates.get(user.company)?.id : null,
    issuer_id: user.role === 'issuer' ? placedIssuers.get(user.company)?.id : null,
    user_status: user.status,
    last_login: user.lastLogin === undefined ? null : iso(user.lastLogin),
    created_at: iso(user.createdAt),
    updated_at: iso(user.createdAt),
  }))
  const ids = await fill(tx, 'user', rows)
  return users.map(({ first, last, status: _, ...user }, index) => ({
    ...user,
    id: ids[index] as number,
    name: `${first} ${last}`,
  }))
}

const peopleOf = <R extends 'issuer' | 'affiliate'>(role: R, companies: readonly DemoCompany[]) =>
  companies.flatMap(({ key, people }) =>
    people.map(([first, last, email]) => ({ first, last, email, role, company: key })),
  )

function withDays(
  person: Omit<NewUser, 'status' | 'createdAt' | 'lastLogin'>,
  placedIssuers: Map<string, Company>,
  placedAffiliates: Map<string, Company>,
  clock: Clock,
  index: number,
): NewUser {
  const company = placedIssuers.get(person.company) ?? placedAffiliates.get(person.company)
  const random = new Random(index)
  const lastLogin = clock.ago(random.int(1, 6), random.int(8, 19), random.int(0, 59))
  const createdAt = company ? company.createdAt + (4 + index) * 60_000 : clock.ago(440 - index, 9)
  return { ...person, status: 'active', createdAt, lastLogin }
}

const leavers = (clock: Clock): NewUser[] =>
  formerPeople.map(({ first, last, mailbox, issuer, status }, index) => ({
    first,
    last,
    status,
    email: mailbox,
    role: issuer ? 'issuer' : 'admin',
    company: issuer ?? '',
    createdAt: clock.ago(260 - index, 16),
    lastLogin: index === 0 ? clock.ago(64, 17, 42) : undefined,
  }))

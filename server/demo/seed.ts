import { sql } from 'kysely'
import type { Role } from '#contract/roles.ts'
import type { Db } from '#db/connect.ts'
import { DEMO_PASSWORD, demoEmails } from '../auth/demo-accounts.ts'
import { ApiKeys } from '../companies/api-keys.ts'
import { hashQueue } from '../users/hash-queue.ts'
import { toPhc } from '../users/passwords.ts'
import { insertActivity } from './activity.ts'
import { Clock } from './clock.ts'
import { insertEntries, insertPayments } from './insert-books.ts'
import { insertCatalog } from './insert-catalog.ts'
import { insertCompanies } from './insert-companies.ts'
import { insertNotices } from './insert-notices.ts'
import { insertEvents, insertLeads, insertPreviews } from './insert-traffic.ts'
import { keepBooks } from './ledger.ts'
import { makeLeads } from './traffic.ts'

export type DemoAccounts = { role: Role; email: string; password: string }[]

// Any constant shared by all copies of the server will do.
const LOCK_KEY = 771_204_121

/** No users and no companies, which a demonstration could be mistaken for. */
export async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`select not exists (select from "user")
    and not exists (select from affiliate) and not exists (select from issuer) as empty`.execute(db)
  return rows[0]?.empty ?? false
}

/** Fills an empty database with a network and its last ninety days; a filled one is left alone. */
export async function seedDemo(db: Db, config: { secret: string }, now?: number): Promise<DemoAccounts> {
  // Published, so nobody else may use it.
  const passwordHash = await hashQueue.run(() => toPhc(DEMO_PASSWORD))
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx)
    if (!(await isEmpty(tx))) return accountsOf([])
    const clock = new Clock(now ?? (await readClock(tx)))
    const companies = await insertCompanies(tx, new ApiKeys(db, config.secret), passwordHash, clock)
    const catalog = await insertCatalog(tx, companies, clock)
    const leads = makeLeads(catalog.links, clock.today, clock.now)
    const books = keepBooks(leads, clock.today, clock.now)
    const leadIds = await insertLeads(tx, leads)
    const eventIds = await insertEvents(tx, books.events, leadIds)
    const payments = await insertPayments(tx, books, clock)
    await insertEntries(tx, books, leadIds, eventIds, payments)
    await insertPreviews(tx, catalog.links, clock)
    await insertActivity(tx, companies, catalog, [...payments.values()], clock)
    await insertNotices(tx, clock)
    return accountsOf(companies.users)
  })
}

/** The database's clock, which stamps everything that follows. */
async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db)
  return Date.parse(rows[0]?.now ?? '')
}

const accountsOf = (users: readonly { role: Role; email: string }[]): DemoAccounts =>
  demoEmails
    .flatMap((email) => users.filter((user) => user.email === email))
    .map(({ role, email }) => ({ role, email, password: DEMO_PASSWORD }))

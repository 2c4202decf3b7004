import { sql } from 'kysely'
import { AFFILIATE_RFC_IN_USE, ISSUER_RFC_IN_USE } from '#contract/companies.ts'
import type { Status } from '#contract/fields.ts'
import type { NestedUser } from '#contract/users.ts'
import type { Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { archiveDashboardsOf } from '../dashboards/queries.ts'
import { expectDuty, expectElevated } from '../http/access.ts'
import { AppError, violates } from '../http/errors.ts'
import { Answer, expectUnchanged } from '../http/http.ts'
import { insertUser } from '../users/accounts.ts'
import { hashPassword } from '../users/passwords.ts'
import { revokeSessions } from '../users/revoke-sessions.ts'
import type { Viewer } from '../viewer.ts'
import type { ApiKeys } from './api-keys.ts'
import { type Company, columnOf, noCompany, tableOf } from './companies.ts'
import type { KeyOwner } from './key-text.ts'
import { rfcWarnings } from './rfc.ts'

export const keyOwner = (noun: Company, id: number): KeyOwner =>
  noun === 'issuer' ? { issuerId: id } : { affiliateId: id }

const rfcInUse: Record<Company, string> = { affiliate: AFFILIATE_RFC_IN_USE, issuer: ISSUER_RFC_IN_USE }

interface CompanyForm {
  company_name: string
  rfc: string
  address: string
  contact_name: string
  contact_phone: string
  contact_email: string
  url: string
  user_status: Status
}

/** Made before the transaction begins, which hashing would keep open for long. */
export async function hashOf(viewer: Viewer, user: NestedUser | undefined): Promise<string | undefined> {
  if (!user) return undefined
  // As for every new person.
  expectDuty(viewer, 'people')
  expectElevated(viewer)
  return hashPassword(user.password, 'user.password')
}

/** The company with its keys and, when given, its first person: all of it or nothing (D27, D28). */
export async function insertCompany(
  tx: Tx,
  viewer: Viewer,
  keys: ApiKeys,
  noun: Company,
  {
    user,
    ...form
  }: Omit<CompanyForm, 'user_status'> & { user_status?: Status | undefined; user?: NestedUser | undefined },
  passwordHash: string | undefined,
): Promise<number> {
  const { id } = await refusingTakenRfc(noun, () =>
    tx.insertInto(tableOf(noun)).values(form).returning('id').executeTakeFirstOrThrow(),
  )
  await audit(tx, viewer, { action: 'create', entity: noun, entityId: id, label: form.company_name, after: form })
  await keys.create(tx, keyOwner(noun, id), 'api')
  if (noun === 'issuer') {
    await keys.create(tx, { issuerId: id }, 'postback')
    await keys.create(tx, { issuerId: id }, 'signing')
    await tx.updateTable('issuer').set({ key_signs_until: sql<string>`now()` }).where('id', '=', id).execute()
  }
  if (user && passwordHash) {
    const { password: _, ...person } = user
    const association = { affiliate_id: noun === 'affiliate' ? id : null, issuer_id: noun === 'issuer' ? id : null }
    const account = { ...person, role: noun, ...association, password_hash: passwordHash, password_given: true }
    await insertUser(tx, viewer, account)
  }
  return id
}

/** Returns the row as it was. */
export async function changeCompany(
  tx: Tx,
  viewer: Viewer,
  noun: Company,
  id: number,
  form: Partial<CompanyForm>,
  ifMatch: string | undefined,
) {
  const before = await lockCompany(tx, noun, id)
  expectUnchanged(ifMatch, before.updated_at)
  if (Object.keys(form).length)
    await refusingTakenRfc(noun, () => tx.updateTable(tableOf(noun)).set(form).where('id', '=', id).execute())
  await auditChange(tx, viewer, { entity: noun, label: form.company_name ?? before.company_name, before, after: form })
  return before
}

/** Returns the saved company, with warnings about its RFC. */
export function answerSaved<T>(company: T, rfc: string | undefined): Answer<T> {
  const warnings = rfc ? rfcWarnings(rfc) : []
  return new Answer(company, warnings.length ? { meta: { warnings } } : {})
}

async function refusingTakenRfc<T>(noun: Company, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!violates(error, `${noun}_rfc_key`)) throw error
    const message = rfcInUse[noun]
    throw new AppError(409, 'DUPLICATE_RFC', message, { fieldErrors: { rfc: [message] } })
  }
}

export async function lockCompany(tx: Tx, noun: Company, id: number) {
  const row = await tx
    .selectFrom(tableOf(noun))
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    // Not 'for update': a payment, which has its relationship locked, refers to the company, and the two would deadlock.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw noCompany(noun)
  return row
}

/** Archives the company and ends the access of its users and systems; callers end relationships and products. */
export async function archiveCompany(tx: Tx, viewer: Viewer, keys: ApiKeys, noun: Company, id: number, label: string) {
  const people = await tx
    .updateTable('user')
    .set({ user_status: 'inactive', suspended_by_company: false })
    .where(columnOf(noun), '=', id)
    .where('archived_at', 'is', null)
    .returning('id')
    .execute()
  await revokeSessions(
    tx,
    people.map((person) => person.id),
    'company_archived',
  )
  await keys.revokeAll(tx, keyOwner(noun, id))
  await archiveDashboardsOf(tx, noun, id)
  await tx.updateTable(tableOf(noun)).set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
  await audit(tx, viewer, { action: 'delete', entity: noun, entityId: id, label })
}

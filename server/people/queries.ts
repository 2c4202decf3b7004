import { sql } from 'kysely'
import type { AccessLink } from '#contract/access-links.ts'
import type { Duty } from '#contract/duties.ts'
import {
  ALREADY_ENTERED,
  CLOSED_BY_NETWORK,
  PEOPLE_FULL,
  PEOPLE_MAX,
  type Person,
  type PersonInvite,
  type PersonUpdate,
} from '#contract/people.ts'
import type { UserStatus } from '#contract/users.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Delivery, giveLinkIn } from '../access-links/give.ts'
import { tableOf } from '../companies/companies.ts'
import { conflict, notFound } from '../http/errors.ts'
import { insertUser } from '../users/accounts.ts'
import { saveUser } from '../users/changes.ts'
import { NOBODY } from '../users/passwords.ts'
import { type Association, isOf, lockUser } from '../users/rules.ts'
import type { Viewer } from '../viewer.ts'

/** Somebody of a company. */
type Colleague = Exclude<Viewer, { role: 'admin' }>

const companyOf = (viewer: Colleague): Association =>
  viewer.role === 'issuer'
    ? { issuer_id: viewer.issuerId, affiliate_id: null }
    : { issuer_id: null, affiliate_id: viewer.affiliateId }

/** Every read of people starts here. */
const colleagues = (db: Db | Tx, viewer: Colleague) =>
  db
    .selectFrom('user')
    .select((eb) => [
      'id',
      sql<string>`concat_ws(' ', ${eb.ref('first_name')}, ${eb.ref('last_name')})`.as('full_name'),
      'email',
      'duty',
      'user_status',
      'last_login',
      'suspended_by_company',
      eb
        .exists(
          eb
            .selectFrom('second_factor')
            .select('second_factor.id')
            .whereRef('second_factor.user_id', '=', 'user.id')
            .where('second_factor.confirmed_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('second_factor'),
    ])
    .where(isOf(companyOf(viewer)))
    .where('archived_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof colleagues>['execute']>>[number]
const toPerson = (row: Row): Person => ({
  ...row,
  duty: row.duty as Duty,
  user_status: row.user_status as UserStatus,
})

export async function listPeople(db: Db, viewer: Colleague): Promise<Person[]> {
  return (await colleagues(db, viewer).orderBy('id').execute()).map(toPerson)
}

async function getPerson(tx: Tx, viewer: Colleague, id: number): Promise<Person> {
  const row = await colleagues(tx, viewer).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Usuario')
  return toPerson(row)
}

export const invitePerson = (db: Db, viewer: Colleague, delivery: Delivery, form: PersonInvite) =>
  db.transaction().execute(async (tx): Promise<Person & { invitation: AccessLink }> => {
    await expectRoom(tx, viewer)
    const person = { ...form, ...companyOf(viewer), role: viewer.role, password_hash: NOBODY }
    const id = await insertUser(tx, viewer, person)
    const invitation = await giveLinkIn(tx, viewer, delivery, id)
    return { ...(await getPerson(tx, viewer, id)), invitation }
  })

/** Two invitations at once must not both be the last; clicks, which only refer to the company, do not wait. */
async function expectRoom(tx: Tx, viewer: Colleague): Promise<void> {
  await tx
    .selectFrom(tableOf(viewer.role))
    .select('id')
    .where('id', '=', viewer.role === 'issuer' ? viewer.issuerId : viewer.affiliateId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { count } = await tx
    .selectFrom('user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isOf(companyOf(viewer)))
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= PEOPLE_MAX) throw conflict(PEOPLE_FULL, 'PEOPLE_FULL')
}

export const updatePerson = (db: Db, viewer: Colleague, id: number, form: PersonUpdate): Promise<Person> =>
  db.transaction().execute(async (tx) => {
    const before = await lockUser(tx, id, companyOf(viewer))
    const changesStatus = form.user_status !== undefined && form.user_status !== before.user_status
    if (changesStatus && before.user_status !== 'active' && !before.suspended_by_company)
      throw conflict(CLOSED_BY_NETWORK, 'CLOSED_BY_NETWORK')
    await saveUser(tx, viewer, before, form)
    return getPerson(tx, viewer, id)
  })

/** Only of who never came in: a link to another password would open a colleague's account to who gives it. */
export const repeatInvitation = (db: Db, viewer: Colleague, delivery: Delivery, id: number): Promise<AccessLink> =>
  db.transaction().execute(async (tx) => {
    const { last_login } = await lockUser(tx, id, companyOf(viewer))
    if (last_login !== null) throw conflict(ALREADY_ENTERED, 'ALREADY_ENTERED')
    return giveLinkIn(tx, viewer, delivery, id)
  })

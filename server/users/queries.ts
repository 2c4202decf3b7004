import { sql } from 'kysely'
import type { Duty } from '#contract/duties.ts'
import type { Role } from '#contract/roles.ts'
import type { CreatedUser, User, UserCreate, UserFilters, UserStatus } from '#contract/users.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Delivery, giveLinkIn } from '../access-links/give.ts'
import { notFound } from '../http/errors.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import type { Viewer } from '../viewer.ts'
import { insertUser } from './accounts.ts'
import { hashPassword, NOBODY } from './passwords.ts'
import { expectCompany } from './rules.ts'

/** Every read of users starts here; the administrator sees all of them, the others reach only their own (routes). */
function liveUsers(db: Db | Tx) {
  return db
    .selectFrom('user')
    .leftJoin('affiliate', 'affiliate.id', 'user.affiliate_id')
    .leftJoin('issuer', 'issuer.id', 'user.issuer_id')
    .where('user.archived_at', 'is', null)
    .select([
      'user.id',
      'user.email',
      'user.first_name',
      'user.last_name',
      fullName.as('full_name'),
      'user.role',
      'user.duty',
      'user.user_status',
      'user.last_login',
      'user.created_at',
      'user.updated_at',
      'user.issuer_id',
      'user.affiliate_id',
      'affiliate.company_name as affiliate_name',
      'issuer.company_name as issuer_name',
    ])
}

const fullName = sql<string>`concat_ws(' ', ${sql.ref('user.first_name')}, ${sql.ref('user.last_name')})`

type Row = Awaited<ReturnType<ReturnType<typeof liveUsers>['execute']>>[number]
const toUser = (row: Row): User => ({
  ...row,
  role: row.role as Role,
  duty: row.duty as Duty,
  user_status: row.user_status as UserStatus,
})

const searched = ['user.email', 'user.role', 'affiliate.company_name', 'issuer.company_name'].map((field) =>
  sql.ref<string>(field),
)

/** The rows of a list of users, in order; for a page, the whole list or a file. */
export function filteredUsers(db: Db | Tx, filters: UserFilters) {
  const { association_id: companyId } = filters
  let rows = liveUsers(db)
  if (filters.search) rows = rows.where(everyWord(filters.search, [fullName, ...searched]))
  if (filters.role) rows = rows.where('user.role', '=', filters.role)
  if (filters.user_status) rows = rows.where('user.user_status', '=', filters.user_status)
  if (filters.association === 'none')
    rows = rows.where('user.affiliate_id', 'is', null).where('user.issuer_id', 'is', null)
  if (filters.association_type === 'affiliate') rows = rows.where('user.affiliate_id', 'is not', null)
  if (filters.association_type === 'issuer') rows = rows.where('user.issuer_id', 'is not', null)
  if (companyId)
    rows = rows.where((eb) => eb.or([eb('user.affiliate_id', '=', companyId), eb('user.issuer_id', '=', companyId)]))
  return rows.orderBy('user.id')
}

export const listUsers = (db: Db, filters: UserFilters): Promise<User[] | Answer<User[]>> =>
  answerList(filteredUsers(db, filters), filters, toUser)

export async function getUser(db: Db | Tx, id: number): Promise<User> {
  const row = await liveUsers(db).where('user.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Usuario')
  return toUser(row)
}

/** Who is invited has no password until they choose one with their link. */
export async function createUser(
  db: Db,
  viewer: Viewer,
  delivery: Delivery,
  { password, invite, ...form }: UserCreate,
): Promise<CreatedUser> {
  const password_hash = password === undefined ? NOBODY : await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    // The role decides which association counts; the other is not stored (D14).
    const affiliate_id = form.role === 'affiliate' ? (form.affiliate_id ?? null) : null
    const issuer_id = form.role === 'issuer' ? (form.issuer_id ?? null) : null
    await expectCompany(tx, { affiliate_id, issuer_id })
    const id = await insertUser(tx, viewer, {
      ...{ ...form, affiliate_id, issuer_id, password_hash },
      password_given: password !== undefined,
    })
    const invitation = invite && (await giveLinkIn(tx, viewer, delivery, id))
    return { ...(await getUser(tx, id)), ...(invitation && { invitation }) }
  })
}

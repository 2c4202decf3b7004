import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CompanyFilters, Dependents } from '#contract/companies.ts'
import type { Status } from '#contract/fields.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { notFound } from '../http/errors.ts'
import { everyWord } from '../http/lists.ts'
import { openBalanceOf } from '../ledger/balances.ts'
import { inSnapshot } from '../snapshot.ts'
import { countLeads } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'

/** The two kinds of company. Their tables are alike, so the types of one serve for both here. */
export type Company = 'affiliate' | 'issuer'
export const tableOf = (noun: Company) => noun as 'affiliate'
export const columnOf = (noun: Company) => `${noun}_id` as 'affiliate_id'

export const noCompany = (noun: Company) => notFound(noun === 'issuer' ? 'Emisor' : 'Afiliado')

/** The viewer's own side of a relationship; no row has the id null, so nobody else has one. */
const pairOf = (viewer: Viewer) => ({
  affiliateId: viewer.role === 'affiliate' ? viewer.affiliateId : null,
  issuerId: viewer.role === 'issuer' ? viewer.issuerId : null,
})

/**
 * Companies as the viewer may read them, with the viewer's active relationship as `link`. The queries of affiliates and
 * issuers choose the rows; this chooses the fields: an issuer sees the users of its affiliates, an affiliate sees none.
 */
export function readCompanies(db: Db | Tx, viewer: Viewer, noun: Company) {
  const { affiliateId, issuerId } = pairOf(viewer)
  const [theirs, mine, myId] =
    noun === 'affiliate'
      ? (['link.affiliate_id', 'link.issuer_id', issuerId] as const)
      : (['link.issuer_id', 'link.affiliate_id', affiliateId] as const)
  return db
    .selectFrom(`${noun} as company` as 'affiliate as company')
    .leftJoin('relationship as link', (join) =>
      join
        .onRef(theirs, '=', 'company.id')
        .on(mine, '=', myId)
        .on('link.relationship_status', '=', 'active')
        .on('link.archived_at', 'is', null),
    )
    .where('company.archived_at', 'is', null)
    .select([
      'company.id',
      'company.company_name',
      'company.rfc',
      'company.address',
      'company.contact_name',
      'company.contact_phone',
      'company.contact_email',
      'company.url',
      'company.user_status',
      'company.created_at',
      'company.updated_at',
      'link.id as relationship_id',
    ])
    .$if(viewer.role === 'admin', (rows) => rows.select((eb) => [usersOf(eb, noun), prefixOf(eb, noun)]))
    .$if(viewer.role === 'issuer' && noun === 'affiliate', (rows) => rows.select((eb) => contactsOf(eb, noun)))
}

type Companies = ReturnType<typeof readCompanies>
type Row = Awaited<ReturnType<Companies['execute']>>[number]
type CompanyScope = ExpressionBuilder<DB & { company: DB['affiliate'] }, 'company'>

/** The first is the one that the screens call the company's admin user. */
const peopleOf = (eb: CompanyScope, noun: Company) =>
  eb
    .selectFrom('user')
    .whereRef(`user.${columnOf(noun)}`, '=', 'company.id')
    .where('user.archived_at', 'is', null)
    .select((user) => [
      'user.first_name',
      'user.last_name',
      sql<string>`concat_ws(' ', ${user.ref('user.first_name')}, ${user.ref('user.last_name')})`.as('full_name'),
      'user.email',
    ])
    .orderBy('user.id')

const contactsOf = (eb: CompanyScope, noun: Company) => jsonArrayFrom(peopleOf(eb, noun)).as('users')
const usersOf = (eb: CompanyScope, noun: Company) => jsonArrayFrom(peopleOf(eb, noun).select('user.id')).as('users')

const prefixOf = (eb: CompanyScope, noun: Company) =>
  eb
    .selectFrom('api_key')
    .whereRef(`api_key.${columnOf(noun)}`, '=', 'company.id')
    .where('api_key.kind', '=', 'api')
    .where('api_key.expires_at', 'is', null)
    .select('api_key.prefix')
    .as('api_key_prefix')

export const toCompany = ({ relationship_id, ...row }: Row) => ({
  ...row,
  user_status: row.user_status as Status,
  ...(relationship_id !== null && { relationship_id }),
})

const searched = ['company.company_name', 'company.rfc', 'company.contact_email'] as const

export function filterCompanies(companies: Companies, filters: CompanyFilters): Companies {
  let rows = companies
  if (filters.status) rows = rows.where('company.user_status', '=', filters.status)
  if (filters.search)
    rows = rows.where(
      everyWord(
        filters.search,
        searched.map((field) => sql.ref(field)),
      ),
    )
  return rows
}

export const countDependents = (db: Db, noun: Company, id: number): Promise<Dependents> =>
  inSnapshot(db, async (tx) => {
    const count = (table: string) =>
      sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(columnOf(noun))} = ${id} and archived_at is null)`
    const row = await tx
      .selectFrom(tableOf(noun))
      .where('id', '=', id)
      .where('archived_at', 'is', null)
      .select([
        count('user').as('users'),
        count('relationship').as('relationships'),
        (noun === 'issuer' ? count('product') : sql<number>`0::bigint`).as('products'),
        count('commission').as('commissions'),
        count('payment').as('payments'),
      ])
      .executeTakeFirst()
    if (!row) throw noCompany(noun)
    const leads = await countLeads(tx, [[columnOf(noun), id]], {})
    return { ...row, leads, open_balance: await openBalanceOf(tx, { [noun]: id }) }
  })

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readNumberId, readOutsideId, readTrackingId } from '#contract/outside-ids.ts'
import { type Found, SEARCH_FOUND_MAX, SEARCH_LETTERS_MIN } from '#contract/search.ts'
import type { Db, Tx } from '#db/connect.ts'
import { visibleAffiliates } from '../affiliates/queries.ts'
import type { readCompanies } from '../companies/companies.ts'
import type { Config } from '../config.ts'
import { everyWord } from '../http/lists.ts'
import { visibleIssuers } from '../issuers/queries.ts'
import { visibleLeads } from '../leads/filters.ts'
import { visiblePayments } from '../payments/queries.ts'
import { visibleProducts } from '../products/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'

/** What was typed; `id` when it may be one, else null, which no row has. */
interface Sought {
  text: string
  id: number | null
}

/** Everything that the viewer may see by this id or name, a few of each kind. */
export async function find(db: Db, viewer: Viewer, directory: Config['issuerDirectory'], text: string): Promise<Found> {
  if (text.length < SEARCH_LETTERS_MIN) return { leads: [], affiliates: [], issuers: [], products: [], payments: [] }
  const sought = { text, id: readNumberId(text) ?? null }
  return inSnapshot(db, async (tx) => {
    const leads = await findLeads(tx, viewer, sought)
    // Nobody looks for the own company.
    const affiliates =
      viewer.role === 'affiliate' ? [] : await findCompanies(visibleAffiliates(tx, viewer), sought).execute()
    const issuers =
      viewer.role === 'issuer' ? [] : await findCompanies(visibleIssuers(tx, viewer, directory), sought).execute()
    const products = await findProducts(tx, viewer, sought)
    const payments = await findPayments(tx, viewer, sought, {
      affiliates: affiliates.map(({ id }) => id),
      issuers: issuers.map(({ id }) => id),
    })
    return { leads, affiliates, issuers, products, payments }
  })
}

/** Each by an index of its own, since a condition of several would read every lead; never by a part of a text. */
async function findLeads(tx: Tx, viewer: Viewer, { text, id }: Sought): Promise<Found['leads']> {
  const conditions: RawBuilder<SqlBool>[] = [sql`lead.external_id = any(${[text, readOutsideId(text) || text]})`]
  if (id !== null) conditions.unshift(sql`lead.id = ${id}`)
  const tracking = readTrackingId(text)
  if (tracking) conditions.unshift(sql`lead.tracking_id = ${tracking}::uuid`)
  const found = new Map<number, Found['leads'][number]>()
  for (const condition of conditions) {
    const rows = await visibleLeads(tx, viewer)
      .innerJoin('product', 'product.id', 'lead.product_id')
      .where(condition)
      .select(['lead.id', 'lead.tracking_id', 'lead.external_id', 'product.name as product_name'])
      .orderBy('lead.tracking_id', 'desc')
      .limit(SEARCH_FOUND_MAX)
      .execute()
    for (const row of rows) if (found.size < SEARCH_FOUND_MAX) found.set(row.id, row)
  }
  return [...found.values()]
}

const refs = (...fields: string[]) => fields.map((field) => sql.ref<string>(field))

const findCompanies = (rows: ReturnType<typeof readCompanies>, { text, id }: Sought) =>
  rows
    .clearSelect()
    .select(['company.id', 'company.company_name', 'company.rfc'])
    .where((eb) =>
      eb.or([
        eb('company.id', '=', id),
        everyWord(text, refs('company.company_name', 'company.rfc', 'company.contact_email')),
      ]),
    )
    .orderBy(sql`company.id is not distinct from ${id}`, 'desc')
    .orderBy('company.company_name')
    .orderBy('company.id')
    .limit(SEARCH_FOUND_MAX)

const findProducts = (tx: Tx, viewer: Viewer, { text, id }: Sought) =>
  visibleProducts(tx, viewer)
    .clearSelect()
    .select(['product.id', 'product.name', 'product.issuer_id as issuer', 'issuer.company_name as issuer_name'])
    .where((eb) => eb.or([eb('product.id', '=', id), everyWord(text, refs('product.name', 'issuer.company_name'))]))
    .orderBy(sql`product.id is not distinct from ${id}`, 'desc')
    .orderBy('product.name')
    .orderBy('product.id')
    .limit(SEARCH_FOUND_MAX)
    .execute()

interface Companies {
  affiliates: number[]
  issuers: number[]
}

const findPayments = (tx: Tx, viewer: Viewer, { id }: Sought, { affiliates, issuers }: Companies) =>
  visiblePayments(tx, viewer)
    .clearSelect()
    .select([
      'payment.id',
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'payment.period_start',
      'payment.period_end',
      'payment.total_amount',
    ])
    .where((eb) =>
      eb.or([
        eb('payment.id', '=', id),
        eb('payment.affiliate_id', '=', sql<number>`any(${affiliates}::bigint[])`),
        eb('payment.issuer_id', '=', sql<number>`any(${issuers}::bigint[])`),
      ]),
    )
    .orderBy(sql`payment.id is not distinct from ${id}`, 'desc')
    .orderBy('payment.period_start', 'desc')
    .orderBy('payment.id', 'desc')
    .limit(SEARCH_FOUND_MAX)
    .execute()

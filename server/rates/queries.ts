import { sql } from 'kysely'
import type { Rate, RateFilters } from '#contract/rates.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Answer } from '../http/http.ts'
import { answerList } from '../http/lists.ts'
import type { Viewer } from '../viewer.ts'

/** With what held before; a pair's versions are all of one viewer, so that none is missing between two. */
function visibleVersions(db: Db | Tx, viewer: Viewer) {
  const rows = db
    .selectFrom('rate')
    .innerJoin('product', 'product.id', 'rate.product_id')
    .innerJoin('affiliate', 'affiliate.id', 'rate.affiliate_id')
    .innerJoin('issuer', 'issuer.id', 'product.issuer_id')
    .select([
      'rate.id',
      'rate.commission_id',
      'rate.product_id as product',
      'product.name as product_name',
      'rate.affiliate_id as affiliate',
      'affiliate.company_name as affiliate_name',
      'product.issuer_id as issuer',
      'issuer.company_name as issuer_name',
      'rate.valid_from',
      'rate.amount as to',
      sql<
        string | null
      >`lag(amount) over (partition by rate.product_id, rate.affiliate_id order by valid_from, rate.id)`.as('from'),
    ])
  if (viewer.role === 'issuer') return rows.where('product.issuer_id', '=', viewer.issuerId)
  return viewer.role === 'affiliate' ? rows.where('rate.affiliate_id', '=', viewer.affiliateId) : rows
}

/** The latest first. */
export function listedRates(db: Db | Tx, viewer: Viewer, { product_id, affiliate_id }: RateFilters) {
  let versions = visibleVersions(db, viewer)
  if (product_id) versions = versions.where('rate.product_id', '=', product_id)
  if (affiliate_id) versions = versions.where('rate.affiliate_id', '=', affiliate_id)
  return db.selectFrom(versions.as('version')).orderBy('version.valid_from', 'desc').orderBy('version.id', 'desc')
}

export const listRates = (db: Db, viewer: Viewer, filters: RateFilters): Promise<Rate[] | Answer<Rate[]>> =>
  answerList(listedRates(db, viewer, filters).selectAll(), filters, ({ commission_id: _, ...row }): Rate => row)

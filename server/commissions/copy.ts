import { COPY_REFUSED, type Commission, type CommissionCopy } from '#contract/commissions.ts'
import type { Db } from '#db/connect.ts'
import { invalid } from '../http/errors.ts'
import { withoutCommission } from './gaps.ts'
import {
  type CommissionViewer,
  getCommission,
  insertCommission,
  lockCommission,
  lockOwnProduct,
  relationshipOf,
} from './queries.ts'

/** The same amount, name and description for others who promote the product without a commission: all of them or none. */
export const copyCommission = (
  db: Db,
  viewer: CommissionViewer,
  id: number,
  { affiliate_ids }: CommissionCopy,
): Promise<Commission[]> =>
  db.transaction().execute(async (tx) => {
    // The product first, as where it is deleted and takes its commissions along: the same order cannot deadlock.
    const { product: product_id } = await getCommission(tx, viewer, id)
    const issuer_id = await lockOwnProduct(tx, viewer, product_id)
    const { name, description, payout } = await lockCommission(tx, viewer, id)
    const missing = await withoutCommission(tx, viewer, product_id, affiliate_ids)
    if (missing.length < affiliate_ids.length) throw invalid('affiliate_ids', COPY_REFUSED)
    const made: Commission[] = []
    // In one order, so that two copies at once do not wait for each other.
    for (const affiliate_id of affiliate_ids.toSorted((a, b) => a - b)) {
      const relationship_id = await relationshipOf(tx, { affiliate_id, issuer_id }, null)
      const row = { issuer_id, affiliate_id, product_id, relationship_id, name, description }
      made.push(await getCommission(tx, viewer, await insertCommission(tx, viewer, row, payout)))
    }
    return made
  })

import type { ListQuery } from '#contract/fields.ts'
import type { Db } from '#db/connect.ts'
import { listChangesOf } from '../rates/history.ts'
import { type CommissionViewer, getCommission } from './queries.ts'

/** Every amount of the commission's pair. */
export async function listChanges(
  db: Db,
  viewer: CommissionViewer,
  id: number,
  paging: Pick<ListQuery, 'page' | 'page_size'>,
) {
  const { product, affiliate } = await getCommission(db, viewer, id)
  return listChangesOf(db, viewer, { product_id: product, affiliate_id: affiliate }, paging)
}

import type { BulkOutcome, StatusForm } from '#contract/bulk.ts'
import type { Db } from '#db/connect.ts'
import type { Links } from '../clicks/links.ts'
import { eachAlone } from '../http/bulk.ts'
import type { Viewer } from '../viewer.ts'
import { getProduct, updateProduct } from './queries.ts'

export const setProductStatus = (
  db: Db,
  viewer: Viewer,
  links: Links,
  { ids, status }: StatusForm,
): Promise<BulkOutcome[]> =>
  eachAlone(ids, async (id) => {
    if ((await getProduct(db, viewer, links, id)).product_status === status) return 'already'
    await updateProduct(db, viewer, links, id, { product_status: status })
    return 'updated'
  })

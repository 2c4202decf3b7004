import { linkFaults } from '#contract/link-faults.ts'
import { products } from '#contract/products.ts'
import type { Db } from '#db/connect.ts'
import type { Links } from '../clicks/links.ts'
import { type App, serve } from '../http/http.ts'
import { listLinkFaults } from './link-faults.ts'
import { createProduct, getProduct, listProducts, removeProduct, updateProduct } from './queries.ts'
import { setProductStatus } from './status.ts'

export function productRoutes(app: App, db: Db, links: Links): void {
  serve(app, products.list, ({ viewer, query }) => listProducts(db, viewer, links, query))
  serve(app, linkFaults.list, ({ viewer }) => listLinkFaults(db, viewer.affiliateId))
  serve(app, products.get, ({ viewer, params }) => getProduct(db, viewer, links, params.id))
  serve(app, products.create, ({ viewer, body }) => createProduct(db, viewer, links, body))
  serve(app, products.update, ({ viewer, params, body, ifMatch }) =>
    updateProduct(db, viewer, links, params.id, body, ifMatch),
  )
  serve(app, products.setStatus, ({ viewer, body }) => setProductStatus(db, viewer, links, body))
  serve(app, products.remove, ({ viewer, params }) => removeProduct(db, viewer, params.id))
}

import { affiliates } from '#contract/affiliates.ts'
import type { Db } from '#db/connect.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import { type App, serve } from '../http/http.ts'
import type { Forgetting } from '../viewer.ts'
import {
  affiliateAccess,
  affiliateDependents,
  createAffiliate,
  getAffiliate,
  listAffiliates,
  removeAffiliate,
  revokeOldAffiliateKeys,
  rotateAffiliateKey,
  updateAffiliate,
} from './queries.ts'

export function affiliateRoutes(app: App, db: Db, keys: ApiKeys, andForget: Forgetting): void {
  serve(app, affiliates.list, ({ viewer, query }) => listAffiliates(db, viewer, query))
  serve(app, affiliates.get, ({ viewer, params }) => getAffiliate(db, viewer, keys, params.id))
  serve(app, affiliates.create, ({ viewer, body }) => createAffiliate(db, viewer, keys, body))
  serve(app, affiliates.update, ({ viewer, params, body, ifMatch }) =>
    andForget(updateAffiliate(db, viewer, keys, params.id, body, ifMatch)),
  )
  serve(app, affiliates.remove, ({ viewer, params }) => andForget(removeAffiliate(db, viewer, keys, params.id)))
  serve(app, affiliates.dependents, ({ params }) => affiliateDependents(db, params.id))
  serve(app, affiliates.rotateKey, ({ viewer, params, body }) =>
    andForget(rotateAffiliateKey(db, viewer, keys, params.id, body)),
  )
  serve(app, affiliates.revokeOldKeys, ({ viewer, params, query }) =>
    andForget(revokeOldAffiliateKeys(db, viewer, keys, params.id, query.kind)),
  )
  serve(app, affiliates.access, ({ viewer, params }) => affiliateAccess(db, viewer, params.id))
}

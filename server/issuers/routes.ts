import { issuers } from '#contract/issuers.ts'
import type { Db } from '#db/connect.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import type { Config } from '../config.ts'
import { type App, serve } from '../http/http.ts'
import type { Forgetting } from '../viewer.ts'
import {
  createIssuer,
  getIssuer,
  issuerAccess,
  issuerDependents,
  listIssuers,
  removeIssuer,
  requireIssuerSignature,
  revokeOldIssuerKeys,
  rotateIssuerKey,
  updateIssuer,
} from './queries.ts'

export function issuerRoutes(
  app: App,
  db: Db,
  keys: ApiKeys,
  directory: Config['issuerDirectory'],
  andForget: Forgetting,
): void {
  serve(app, issuers.list, ({ viewer, query }) => listIssuers(db, viewer, directory, query))
  serve(app, issuers.get, ({ viewer, params }) => getIssuer(db, viewer, keys, directory, params.id))
  serve(app, issuers.create, ({ viewer, body }) => createIssuer(db, viewer, keys, body))
  serve(app, issuers.update, ({ viewer, params, body, ifMatch }) =>
    andForget(updateIssuer(db, viewer, keys, params.id, body, ifMatch)),
  )
  serve(app, issuers.remove, ({ viewer, params }) => andForget(removeIssuer(db, viewer, keys, params.id)))
  serve(app, issuers.dependents, ({ params }) => issuerDependents(db, params.id))
  serve(app, issuers.rotateKey, ({ viewer, params, body }) =>
    andForget(rotateIssuerKey(db, viewer, keys, params.id, 'api', body)),
  )
  serve(app, issuers.rotatePostbackToken, ({ viewer, params, body }) =>
    andForget(rotateIssuerKey(db, viewer, keys, params.id, 'postback', body)),
  )
  serve(app, issuers.rotateSigningSecret, ({ viewer, params, body }) =>
    andForget(rotateIssuerKey(db, viewer, keys, params.id, 'signing', body)),
  )
  serve(app, issuers.revokeOldKeys, ({ viewer, params, query }) =>
    andForget(revokeOldIssuerKeys(db, viewer, keys, params.id, query.kind)),
  )
  serve(app, issuers.requireSignature, ({ viewer, params }) =>
    andForget(requireIssuerSignature(db, viewer, params.id, true)),
  )
  serve(app, issuers.allowUnsigned, ({ viewer, params }) =>
    andForget(requireIssuerSignature(db, viewer, params.id, false)),
  )
  serve(app, issuers.access, ({ viewer, params }) => issuerAccess(db, viewer, params.id))
}

import { networkKeys } from '#contract/network-keys.ts'
import type { Db } from '#db/connect.ts'
import { Answer, type App, serve } from '../http/http.ts'
import type { Forgetting } from '../viewer.ts'
import type { NetworkKeys } from './network-keys.ts'
import { createNetworkKey, listNetworkKeys, revokeNetworkKey } from './queries.ts'

export function networkKeyRoutes(app: App, db: Db, keys: NetworkKeys, andForget: Forgetting): void {
  serve(app, networkKeys.list, () => listNetworkKeys(db))
  serve(app, networkKeys.create, async ({ viewer, body }) => {
    const made = await createNetworkKey(db, viewer, keys, body)
    // What is kept for a repeated request must not hold the key.
    return new Answer(made, { kept: { ...made, key: null } })
  })
  serve(app, networkKeys.revoke, ({ viewer, params }) => andForget(revokeNetworkKey(db, viewer, params.id)))
}

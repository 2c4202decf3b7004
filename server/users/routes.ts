import { users } from '#contract/users.ts'
import type { Db } from '#db/connect.ts'
import type { Delivery } from '../access-links/give.ts'
import { Answer, type App, serve } from '../http/http.ts'
import type { Forgetting } from '../viewer.ts'
import { endSessions, removeFactors, removeUser, resetPassword, updateUser } from './changes.ts'
import { createUser, getUser, listUsers } from './queries.ts'

export function userRoutes(app: App, db: Db, delivery: Delivery, andForget: Forgetting): void {
  serve(app, users.list, ({ query }) => listUsers(db, query))
  serve(app, users.get, ({ params }) => getUser(db, params.id))
  serve(app, users.create, async ({ viewer, body }) => {
    const user = await createUser(db, viewer, delivery, body)
    // What is kept for a repeated request must not hold the link.
    if (!user.invitation) return user
    return new Answer(user, { kept: { ...user, invitation: { ...user.invitation, url: null } } })
  })
  serve(app, users.update, ({ viewer, params, body, ifMatch }) =>
    andForget(updateUser(db, viewer, params.id, body, ifMatch)),
  )
  serve(app, users.remove, ({ viewer, params }) => andForget(removeUser(db, viewer, params.id)))
  serve(app, users.resetPassword, ({ viewer, params, body }) =>
    andForget(resetPassword(db, viewer, params.id, body.password)),
  )
  serve(app, users.removeFactors, ({ viewer, params }) => andForget(removeFactors(db, viewer, params.id)))
  serve(app, users.endSessions, ({ viewer, params }) => andForget(endSessions(db, viewer, params.id)))
}

import type { LoginAnswer } from '#contract/auth.ts'
import { NOT_AS_ADMIN } from '#contract/view-as.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { conflict, forbidden, notFound } from '../http/errors.ts'
import { getUser } from '../users/queries.ts'
import type { Viewer } from '../viewer.ts'
import { accounts } from './enter.ts'
import type { Origin } from './origin.ts'
import { endViews, openSession } from './sessions.ts'
import type { AccessTokens } from './tokens.ts'

const INACTIVE = 'La persona no está activa: no puede ver nada'

/** A session of somebody else that only reads. For them nothing changes: neither their sessions nor when they last came in. */
export const startView = (
  db: Db,
  tokens: AccessTokens,
  viewer: Viewer,
  userId: number,
  from: Origin,
): Promise<LoginAnswer> =>
  db.transaction().execute(async (tx) => {
    const user = await accounts(tx).where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
    if (!user) throw notFound('Usuario')
    if (user.role === 'admin') throw forbidden(NOT_AS_ADMIN)
    if (user.user_status !== 'active') throw conflict(INACTIVE, 'USER_NOT_ACTIVE')
    await endViews(tx, { userId, impersonatorId: viewer.userId })
    const { id, refresh } = await openSession(tx, userId, from, viewer.userId)
    const label = `${user.first_name} ${user.last_name}`
    await audit(tx, viewer, { action: 'view_as', entity: 'user', entityId: userId, label })
    const { duty: _, ...profile } = await getUser(tx, userId)
    return { access: await tokens.sign({ id, userId }), refresh, user: profile }
  })

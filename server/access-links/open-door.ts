import type { Db } from '#db/connect.ts'
import { OperatorError } from '#db/operator-error.ts'
import { audit } from '../audit.ts'
import { forgetFactors } from '../second-factors/queries.ts'
import { NOBODY } from '../users/passwords.ts'
import { addressOfLink, makeLink } from './links.ts'

const operator = { role: 'system', name: 'Operación', requestId: 'access', address: '' } as const

/** The way back in that needs neither mail nor another administrator: a link, and an account that may be used. */
export async function openDoor(
  db: Db,
  publicUrl: string,
  email: string,
  { forgetsFactors = false } = {},
): Promise<{ link: string; name: string }> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('user')
      .select(['id', 'first_name', 'last_name', 'user_status'])
      .where('email', '=', email)
      .where('archived_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!user) throw new OperatorError(`No hay ningún usuario con el correo ${email}.`)
    const before = { user_status: user.user_status }
    const after = { user_status: 'active' }
    const factors = forgetsFactors ? { factors: await forgetFactors(tx, user.id) } : {}
    // Whoever knows the password of an account that was closed, perhaps for that, would be in before the link is used.
    const closed = user.user_status === 'active' ? {} : { password_hash: NOBODY, password_given: false }
    const opened = { ...after, ...closed, suspended_by_company: false }
    await tx.updateTable('user').set(opened).where('id', '=', user.id).execute()
    const name = `${user.first_name} ${user.last_name}`
    const link = { purpose: 'reset', delivered: 'shown' } as const
    const event = { entity: 'user', entityId: user.id, label: name } as const
    await audit(tx, operator, { ...event, action: 'give_link', before, after: { ...after, ...link, ...factors } })
    const { token } = await makeLink(tx, { userId: user.id, createdBy: null, ...link })
    return { link: addressOfLink(publicUrl, token), name }
  })
}

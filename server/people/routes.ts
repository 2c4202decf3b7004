import { PEOPLE_CLOSED, people, TOO_MANY_INVITATIONS } from '#contract/people.ts'
import type { Db } from '#db/connect.ts'
import type { Delivery } from '../access-links/give.ts'
import { forbidden } from '../http/errors.ts'
import { type App, serve } from '../http/http.ts'
import { createLimit } from '../http/limits.ts'
import { type Forgetting, partyOf } from '../viewer.ts'
import { invitePerson, listPeople, repeatInvitation, updatePerson } from './queries.ts'

interface Parts {
  db: Db
  delivery: Delivery
  /** Whether companies change their own people. */
  isOpen: boolean
  andForget: Forgetting
}

/** Of one person in an hour: an address that is taken says so, and nobody is to find out many. */
const INVITATIONS = { name: 'invitations', points: 30, duration: 3600 }
/** To one address, as of links that are asked for at the door: nobody's mailbox is to be filled in our name. */
const REPETITIONS = { name: 'repetitions', points: 3, duration: 3600 }

export function peopleRoutes(app: App, { db, delivery, isOpen, andForget }: Parts): void {
  const limit = createLimit(INVITATIONS, TOO_MANY_INVITATIONS)
  const limitRepetitions = createLimit(REPETITIONS, TOO_MANY_INVITATIONS)
  const expectOpen = () => {
    if (!isOpen) throw forbidden(PEOPLE_CLOSED)
  }
  serve(app, people.list, async ({ viewer }) => {
    expectOpen()
    return listPeople(db, viewer)
  })
  serve(app, people.create, async ({ viewer, body, request }) => {
    expectOpen()
    await limit(viewer.userId, request)
    return invitePerson(db, viewer, delivery, body)
  })
  serve(app, people.update, async ({ viewer, params, body }) => {
    expectOpen()
    return andForget(updatePerson(db, viewer, params.id, body))
  })
  serve(app, people.invite, async ({ viewer, params, request }) => {
    expectOpen()
    await limitRepetitions(`${partyOf(viewer)} ${params.id}`, request)
    await limit(viewer.userId, request)
    return repeatInvitation(db, viewer, delivery, params.id)
  })
}

import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel } from './testing.ts'

const REPEATS = 100

/** The answers to a sender that repeats an event, and what is stored afterwards. */
interface Repeated {
  first: number
  repeats: number
  /** To the same event_id with other content. */
  other: string
  /** To the same event a month later. */
  later: string
  events: number
  entries: number
}

/** As the owner: the application may not change history. */
async function ageByAMonth(owner: Db, leadId: number): Promise<void> {
  const age = sql<string>`interval '30 days'`
  await owner
    .updateTable('lead_event')
    .set((eb) => ({ created_at: sql`${eb.ref('created_at')} - ${age}` }))
    .where('lead_id', '=', leadId)
    .execute()
  await owner
    .updateTable('commission_entry')
    .set((eb) => ({ earned_at: sql`${eb.ref('earned_at')} - ${age}`, due_on: sql`${eb.ref('due_on')} - 30` }))
    .where('lead_id', '=', leadId)
    .execute()
}

/** An event a hundred times at once, then with another content, then again after a month. */
export async function repeatEvent(owner: Db, { client, lead }: Funnel, event_id: string): Promise<Repeated> {
  const body = { tracking_id: lead.tracking_id, event_type: 'aprobado', event_id }
  const sent = () => new Date(Date.now() - Math.floor(Math.random() * 1_000_000)).toISOString()
  const send = async (more: Record<string, unknown> = {}) => {
    const answer = await client.post(EVENTS, { ...body, occurred_at: sent(), ...more })
    const { data, meta } = answer.json()
    return `${answer.status} ${data ? (data.duplicate ? 'duplicate' : 'new') : meta.code}`
  }
  const answers = await Promise.all(Array.from({ length: REPEATS }, () => send()))
  const other = await send({ event_data: 'otra cosa' })
  await ageByAMonth(owner, lead.id)
  const later = await send()
  const stored = { db: owner }
  return {
    first: answers.filter((text) => text === '201 new').length,
    repeats: answers.filter((text) => text === '200 duplicate').length,
    ...{ other, later },
    events: (await eventsOf(stored, lead.id)).length,
    entries: (await entriesOf(stored, lead.id)).length,
  }
}

/** What we promise. */
export const promisedRepeats: Repeated = {
  ...{ first: 1, repeats: REPEATS - 1, other: '200 duplicate', later: '200 duplicate' },
  ...{ events: 1, entries: 1 },
}

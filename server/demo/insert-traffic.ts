import { eventTypeNames } from '#contract/event-steps.ts'
import { addDays } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { fingerprintOf } from '../events/sent-events.ts'
import { dateOf, iso } from './calendar.ts'
import type { Clock } from './clock.ts'
import type { IssuerKey } from './companies.ts'
import { fill, fillWithoutId } from './fill.ts'
import { DAYS, type DemoEvent, type DemoLead, type Link, SEED } from './network.ts'
import { Random } from './random.ts'

/** How an issuer's system reports its events. */
const sources: Record<IssuerKey, 'api' | 'postback'> = {
  altaluz: 'api',
  tlanextli: 'api',
  nogalera: 'postback',
  caminollano: 'api',
}

export async function insertLeads(tx: Tx, leads: readonly DemoLead[]): Promise<Map<DemoLead, number>> {
  const ids = await fill(tx, 'lead', leads.map(leadRow))
  return new Map(leads.map((lead, index) => [lead, ids[index] as number]))
}

export const leadRow = ({ link, tracking_id, external_id, utm, data }: DemoLead) => ({
  tracking_id,
  relationship_id: link.relationship_id,
  affiliate_id: link.affiliate_id,
  issuer_id: link.issuer_id,
  product_id: link.product_id,
  external_id,
  ...utm,
  lead_data: data,
})

/** In the order of their moments, with event ids of each issuer's own numbering. */
export async function insertEvents(
  tx: Tx,
  events: readonly DemoEvent[],
  leadIds: Map<DemoLead, number>,
): Promise<Map<DemoEvent, number>> {
  const inOrder = events.toSorted((a, b) => a.moment - b.moment)
  const counters = new Map<string, number>()
  const rows = inOrder.map((event) => {
    const { issuer } = event.lead.link
    const number = (counters.get(issuer) ?? 1000) + 1
    counters.set(issuer, number)
    return eventRow(event, leadIds.get(event.lead) as number, `${issuer}-${String(number).padStart(7, '0')}`)
  })
  const ids = await fill(tx, 'lead_event', rows)
  return new Map(inOrder.map((event, index) => [event, ids[index] as number]))
}

/** As the server stores an event, so that sending it again makes it a duplicate. */
export function eventRow({ lead, step, moment, data }: DemoEvent, leadId: number, eventId: string) {
  const source = sources[lead.link.issuer]
  const sent = { tracking_id: lead.tracking_id, step_id: step.id, event_id: eventId, source }
  const fingerprint = fingerprintOf({ ...sent, ...(data && { event_data: data }) })
  return {
    lead_id: leadId,
    tracking_id: lead.tracking_id,
    issuer_id: lead.link.issuer_id,
    step_id: step.id,
    step_name: step.name,
    event_type_id: eventTypeNames.indexOf(step.type) + 1,
    event_type_name: step.type,
    source,
    event_data: data,
    event_id: eventId,
    occurred_at: source === 'api' ? iso(moment - 1200) : null,
    clock_skew: false,
    idempotency_key: `i:${eventId}`,
    fingerprint: `\\x${fingerprint.toString('hex')}`,
    created_at: iso(moment),
  }
}

/** Link previews and crawlers, counted but not leads; there are more where links are shared in chats. */
export async function insertPreviews(tx: Tx, links: readonly Link[], clock: Clock): Promise<void> {
  const random = new Random(SEED + 7)
  const rows = links.flatMap((link) =>
    Array.from({ length: DAYS }, (_, index) => addDays(clock.today, index - DAYS + 1))
      .filter((day) => dateOf(link.from) < day && day < dateOf(Math.min(link.until, clock.now)))
      .flatMap((day) => previewsOf(link, day, random)),
  )
  await fillWithoutId(tx, 'preview_count', rows)
}

function previewsOf(link: Link, day: string, random: Random): Record<string, unknown>[] {
  const counts = [
    ['preview', Math.floor(random.next() * link.weight)],
    ['bot', random.chance(0.3) ? random.int(1, 3) : 0],
  ] as const
  return counts
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({
      day,
      affiliate_id: link.affiliate_id,
      issuer_id: link.issuer_id,
      product_id: link.product_id,
      reason,
      count,
    }))
}

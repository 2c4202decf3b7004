import { join } from 'node:path'
import { clickOf, type Links, postOf } from '../clicks/world.ts'
import { Client } from '../faults/client.ts'
import { Journal } from '../faults/journal.ts'

const EVENTS_PATH = '/api/v1/events/lead-events/'

export interface Running {
  journal: Journal
  clicks: Client
  events: Client
  /** Returns when all that was sent was answered or given up. */
  stop: () => Promise<void>
}

interface Needs {
  folder: string
  port: number
  links: Links
  /** Tracking ids of leads that nobody has told anything about. */
  leads: string[]
  perSecond: { clicks: number; events: number }
}

/** Clicks and events at constant rates, each request once, into one journal. */
export async function startLoad({ folder, port, links, leads, perSecond }: Needs): Promise<Running> {
  const journal = await Journal.open(join(folder, 'journal'))
  const click = clickOf(links, 'c')
  const clicks = new Client({
    port,
    journal,
    perSecond: perSecond.clicks,
    next: (number) => ({ kind: 'click', id: `c-${number}`, text: click(number) }),
  }).start()
  const events = new Client({
    port,
    journal,
    perSecond: perSecond.events,
    next: (number) => {
      const [id, lead] = [`e-${number}`, leads[number - 1]]
      if (!lead) throw new Error('There are too few leads for this many events')
      const body = { tracking_id: lead, step_id: links.stepId, event_id: id }
      return { kind: 'event', id, text: postOf(EVENTS_PATH, body, { 'x-api-key': links.key }) }
    },
  }).start()
  const stop = async () => {
    await Promise.all([clicks.stop(), events.stop()])
    await journal.close()
  }
  return { journal, clicks, events, stop }
}

/** What became of the clicks that were not sent on: a connection of a killed copy is closed or reset. */
export function answeredOtherwise({ clicks }: Running): string | 0 {
  const others = Object.entries(clicks.outcomes).filter(([outcome]) => outcome !== 'click 302')
  return others.map(([outcome, count]) => `${count} ${outcome.replace('click ', '')}`).join(', ') || 0
}

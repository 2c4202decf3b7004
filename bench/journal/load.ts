import { join } from 'node:path'
import { clickOf, eventOf, type Links } from '../clicks/world.ts'
import type { Figures } from '../figures.ts'
import { checkStored } from './check.ts'
import { type Ask, Client, type Needs } from './client.ts'
import { Journal } from './journal.ts'
import { Payments } from './payments.ts'

export interface Rates extends Pick<Needs, 'patienceMs' | 'insist' | 'againMs' | 'heard'> {
  /** A second. */
  clicks: number
  events?: number
  /** Whether what events earn is paid beside them, again and again. */
  payments?: boolean
}

export interface Load {
  client: Client
  journal: Journal
  /** Ends it and compares its journal with the database. */
  check: () => Promise<Figures>
}

/** Every load begins its ids with a mark of its own. */
type NextAsks = (mark: string, rates: Rates) => (number: number) => Ask

/** Clicks and events with ids of the load's own, mixed so that each kind has its rate. */
export function asker(links: Links, eventLeads: string[]): NextAsks {
  let sent = 0
  const event = (mark: string): Ask => {
    const [lead, id] = [eventLeads[sent], `${mark}-${sent}`]
    if (!lead) throw new Error('The world has too few leads for this many events')
    sent += 1
    return { kind: 'event', id, text: eventOf(links, lead, id) }
  }
  return (mark, { clicks, events = 0 }) => {
    const click = clickOf(links, mark)
    const every = events ? (clicks + events) / events : Number.POSITIVE_INFINITY
    return (number) => {
      const isEvent = Math.floor(number / every) > Math.floor((number - 1) / every)
      return isEvent ? event(mark) : { kind: 'click', id: `${mark}-${number}`, text: click(number) }
    }
  }
}

interface Ground {
  /** The folder of the journal. */
  folder: string
  databaseUrl: () => string
  ask: NextAsks
  /** The one that events earn for; needed for payments. */
  relationship?: number
}

export async function startLoad(
  { folder, databaseUrl, ask, relationship }: Ground,
  port: number,
  rates: Rates,
  mark = 'n',
): Promise<Load> {
  const journal = await Journal.open(join(folder, `journal-${mark}`))
  const { clicks, events = 0, payments = false, ...rest } = rates
  const client = new Client({ port, journal, next: ask(mark, rates), perSecond: clicks + events, ...rest }).start()
  const payer = payments && relationship ? new Payments(port, relationship) : undefined
  const check = async () => {
    await Promise.all([client.stop(), payer?.stop()])
    await journal.close()
    const held: Figures = client.stalledMs ? { 'client held up ms': Math.round(client.stalledMs) } : {}
    const stored = await checkStored(databaseUrl(), journal.path, `${mark}-`)
    return { ...stored, ...(payer && (await payer.check(databaseUrl()))), ...held }
  }
  return { client, journal, check }
}

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '#db/connect.ts'
import { readImbalances } from '#server/totals/conservation.ts'
import { readDrift } from '#server/totals/recount.ts'
import { type Figures, promise } from '../figures.ts'
import { isAcknowledged } from './client.ts'
import { type Entry, type Kind, readJournal } from './journal.ts'

/** Acknowledged leads may still be in the spool. */
const DRAIN_MS = 30_000

interface Known {
  attempted: Set<string>
  /** The acknowledged values, by id. */
  acknowledged: Map<string, string>
}

export function knownOf(journal: Entry[], wanted: Kind): Known {
  const known: Known = { attempted: new Set(), acknowledged: new Map() }
  for (const entry of journal) {
    if (entry.kind !== wanted) continue
    if (entry.what === 'attempt') known.attempted.add(entry.id)
    else if (isAcknowledged(wanted, entry.outcome, entry.trackingId))
      known.acknowledged.set(entry.id, entry.trackingId ?? '')
  }
  return known
}

/** The database's values, by the client's id. */
type Stored = Map<string, string[]>

export const grouped = (rows: { id: string; value: string }[]): Stored => {
  const stored: Stored = new Map()
  for (const { id, value } of rows) stored.set(id, [...(stored.get(id) ?? []), value])
  return stored
}

export async function storedClicks(db: Db, mark: string): Promise<Stored> {
  const { rows } = await sql<{ id: string; value: string }>`
    select external_id as id, tracking_id::text as value from lead
    where external_id <> '' and starts_with(external_id, ${mark})`.execute(db)
  return grouped(rows)
}

/** With its entries: an event without its commission, or with two, does not count. */
export async function storedEvents(db: Db, mark: string): Promise<Stored> {
  const { rows } = await sql<{ id: string; value: string }>`
    select event_id as id, (select count(*) from commission_entry where lead_event_id = lead_event.id)::text as value
    from lead_event where starts_with(event_id, ${mark})`.execute(db)
  return grouped(rows)
}

const missingOf = ({ acknowledged }: Known, stored: Stored): number =>
  [...acknowledged.keys()].filter((id) => !stored.has(id)).length

interface Compared {
  lost: number
  doubled: number
  /** Stored with another id or another sum than was acknowledged, or never sent. */
  wrong: number
  unanswered: number
}

const isRight: Record<Kind, (value: string, acknowledged: string) => boolean> = {
  click: (trackingId, acknowledged) => !acknowledged || trackingId === acknowledged,
  event: (commissions) => commissions === '1',
}

export function compare(kind: Kind, known: Known, stored: Stored): Compared {
  const all = [...stored]
  return {
    lost: missingOf(known, stored),
    doubled: all.filter(([, values]) => values.length > 1).length,
    wrong: all.filter(
      ([id, values]) => !known.attempted.has(id) || !isRight[kind](values[0] ?? '', known.acknowledged.get(id) ?? ''),
    ).length,
    unanswered: all.filter(([id]) => !known.acknowledged.has(id)).length,
  }
}

/** Where totals differ from a recount, and money is not in exactly one place. */
const readErrors = async (db: Db): Promise<unknown[]> => [...(await readDrift(db)), ...(await readImbalances(db))]

/** What became of all that was sent; only ids that begin with `mark` count. */
export async function countStored(databaseUrl: string, journalPath: string, mark = '') {
  const journal = readJournal(journalPath)
  const [clicks, events] = [knownOf(journal, 'click'), knownOf(journal, 'event')]
  const db = connect(databaseUrl, { max: 1, connectionTimeoutMs: 60_000, statementTimeoutMs: 300_000 })
  try {
    let [storedOfClicks, storedOfEvents] = [await storedClicks(db, mark), await storedEvents(db, mark)]
    for (const end = Date.now() + DRAIN_MS; missingOf(clicks, storedOfClicks) && Date.now() < end; await wait(100))
      storedOfClicks = await storedClicks(db, mark)
    const ofClicks = compare('click', clicks, storedOfClicks)
    const ofEvents = compare('event', events, storedOfEvents)
    const figures = figuresOf(clicks, ofClicks, events, ofEvents)
    return { ofClicks, ofEvents, figures, errors: await readErrors(db) }
  } finally {
    await db.destroy()
  }
}

/**
 * Every acknowledged click and event is in the database exactly once, every other at most once, and nothing else is;
 * totals equal a recount, and what each pair earned is in exactly one place.
 * Stored ones without an acknowledgement are allowed, and counted. Only ids that begin with `mark` are checked.
 */
export async function checkStored(databaseUrl: string, journalPath: string, mark = ''): Promise<Figures> {
  const { ofClicks, ofEvents, figures, errors } = await countStored(databaseUrl, journalPath, mark)
  promise(!ofClicks.lost && !ofEvents.lost, 'Something acknowledged is not stored', figures)
  promise(!ofClicks.doubled && !ofEvents.doubled, 'Something is stored twice', figures)
  promise(!ofClicks.wrong && !ofEvents.wrong, 'Something is stored that was not sent so', figures)
  promise(!errors.length, `Totals or money do not add up: ${JSON.stringify(errors.slice(0, 4))}`, figures)
  return figures
}

const figuresOf = (clicks: Known, ofClicks: Compared, events: Known, ofEvents: Compared): Figures => ({
  clicks: clicks.attempted.size,
  acknowledged: clicks.acknowledged.size,
  'stored unanswered': ofClicks.unanswered,
  ...(events.attempted.size && {
    events: events.attempted.size,
    'events acknowledged': events.acknowledged.size,
    'events stored unanswered': ofEvents.unanswered,
  }),
  lost: ofClicks.lost + ofEvents.lost,
  doubled: ofClicks.doubled + ofEvents.doubled,
})

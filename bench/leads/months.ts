import { addDays, firstOfMonth, startOfDay } from '#contract/time.ts'
import { dateOf, monthOf } from '#server/demo/calendar.ts'
import { habits } from '#server/demo/campaigns.ts'
import { advanceLead } from '#server/demo/funnel.ts'
import { type Books, closeMonth, type DemoEntry, earn } from '#server/demo/ledger.ts'
import type { DemoEvent, DemoLead, Link } from '#server/demo/network.ts'
import { Random } from '#server/demo/random.ts'
import { busyness, click, momentOf, pickCampaign } from '#server/demo/traffic.ts'

const MONTHS = 24
/** January to December: November has the Buen Fin, in January people have spent their money. */
const YEAR = [0.86, 0.9, 1, 0.97, 1.06, 1, 0.98, 0.97, 0.96, 1.03, 1.3, 1.12]

/** What happened in a calendar month, each in the order of time. */
export interface Month extends Books {
  month: string
  leads: DemoLead[]
}

/** Every day from the first of a month two years ago to today. */
export function listDays(today: string): string[] {
  let first = firstOfMonth(today)
  for (let months = 1; months < MONTHS; months += 1) first = firstOfMonth(addDays(first, -1))
  const days: string[] = []
  for (let day = first; day <= today; day = addDays(day, 1)) days.push(day)
  return days
}

interface Story {
  links: readonly Link[]
  days: readonly string[]
  /** The number of leads in all. */
  count: number
  now: number
  seed: number
}

/** After this many leads the event loop gets its turn. */
const BREATH = 2_000

/** Leads month by month, with events and entries as the server would have stored them. */
export async function* generateMonths(story: Story): AsyncGenerator<Month> {
  const counts = countsOf(story)
  const today = story.days.at(-1) as string
  const relationships = [...new Set(story.links.map((link) => link.relationship_id))]
  const place = new Map(relationships.map((id, index) => [id, index]))
  const later = new Agenda()
  for (const [month, days] of Map.groupBy(story.days, monthOf)) {
    const leads = await makeLeads(story, days, counts)
    for (const lead of leads) for (const event of lead.events) later.add(event)
    const books = closeAll(month, leads, later, { place, today, now: story.now })
    yield { month, leads, ...books }
  }
}

/** The leads of each day; their sum is exactly the number requested. */
function countsOf({ days, count, seed }: Story): Map<string, number> {
  const random = new Random(seed)
  const shares = days.map((day, index) => {
    const season = YEAR[Number(day.slice(5, 7)) - 1] ?? 1
    return season * busyness(day, index / days.length, random)
  })
  const total = shares.reduce((sum, share) => sum + share, 0)
  let [sum, made] = [0, 0]
  return new Map(
    days.map((day, index) => {
      sum += shares[index] as number
      const own = Math.round((sum / total) * count) - made
      made += own
      return [day, own]
    }),
  )
}

/** Each day has a generator of its own; today's leads are moved into the part of the day that has passed. */
async function makeLeads({ links, now, seed }: Story, days: string[], counts: Map<string, number>) {
  const first = startOfDay(days[0] as string)
  const pick = picker(links.filter((link) => link.from <= first && first < link.until))
  const leads: DemoLead[] = []
  for (const day of days) {
    const midnight = startOfDay(day)
    const random = new Random(Math.imul(seed, 7919) + Date.parse(day) / 1000)
    const squeeze = Math.min(1, (now - midnight) / 86_400_000)
    const moments = Array.from({ length: counts.get(day) ?? 0 }, () => momentOf(midnight, random))
    for (const moment of moments.sort((a, b) => a - b)) {
      const link = pick(random)
      const lead = click(link, pickCampaign(link, random), midnight + Math.floor((moment - midnight) * squeeze), random)
      advanceLead(lead, habits[link.affiliate].quality, random, now)
      leads.push(lead)
      if (leads.length % BREATH === 0) await new Promise(setImmediate)
    }
  }
  return leads
}

/** Picks by weight out of many, by binary search. */
function picker(links: readonly Link[]): (random: Random) => Link {
  let sum = 0
  const bounds = links.map(({ weight }) => (sum += weight))
  return (random) => {
    const wanted = random.next() * sum
    let [low, high] = [0, bounds.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((bounds[middle] as number) > wanted) high = middle
      else low = middle + 1
    }
    return links[low] as Link
  }
}

/** Later events, by the month in which they happen. */
class Agenda {
  readonly #events = new Map<string, DemoEvent[]>()
  readonly #entries = new Map<string, DemoEntry[]>()
  /** Months are generated one after another, so the same day is requested many times. */
  readonly #months = new Map<number, string>()

  add(event: DemoEvent): void {
    push(this.#events, this.#monthOf(event.moment), event)
  }

  addEntry(entry: DemoEntry): void {
    push(this.#entries, this.#monthOf(entry.moment), entry)
  }

  events = (month: string): DemoEvent[] => this.#events.get(month) ?? []
  entries = (month: string): DemoEntry[] => this.#entries.get(month) ?? []

  forget(month: string): void {
    this.#events.delete(month)
    this.#entries.delete(month)
  }

  /** Mexico City's offset changes on the hour. */
  #monthOf(moment: number): string {
    const hour = Math.floor(moment / 3_600_000)
    const known = this.#months.get(hour) ?? monthOf(dateOf(moment))
    this.#months.set(hour, known)
    return known
  }
}

const push = <K, V>(lists: Map<K, V[]>, key: K, value: V) => {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

interface Desk {
  place: Map<number, number>
  today: string
  now: number
}

function closeAll(month: string, leads: DemoLead[], later: Agenda, { place, today, now }: Desk): Books {
  const entries = [...later.events(month).flatMap(earn), ...later.entries(month)]
  const leadsOf = new Map<number, number>()
  for (const { link } of leads) leadsOf.set(link.relationship_id, (leadsOf.get(link.relationship_id) ?? 0) + 1)
  const payments: Books['payments'] = []
  const byRelationship = Map.groupBy(entries, ({ event }) => event.lead.link.relationship_id)
  for (const [id, own] of byRelationship) {
    const events: DemoEvent[] = []
    const desk = { index: place.get(id) ?? 0, today, now }
    for (const negative of closeMonth({ events, payments }, `${month}-01`, own, leadsOf.get(id) ?? 0, desk))
      later.addEntry(negative)
    for (const refusal of events) later.add(refusal)
  }
  const events = later.events(month).sort((a, b) => a.moment - b.moment)
  later.forget(month)
  return { events, entries: entries.sort((a, b) => a.moment - b.moment), payments }
}

import { addDays, firstOfMonth, startOfDay } from '#contract/time.ts'
import { at, dateOf, lastOfMonth } from './calendar.ts'
import { amountAt, type DemoEvent, type DemoLead, type Link } from './network.ts'

/** A line of the ledger before it has a row; amounts in whole centavos. */
export interface DemoEntry {
  event: DemoEvent
  amount: number
  moment: number
  state: 'accrued' | 'in_payment' | 'paid' | 'reversed'
  /** Of the last change of state. */
  changed: number
  reason: string | null
  /** See commission_entry.converts. */
  converts: -1 | 0 | 1
  payment: DemoPayment | undefined
  reversalOf: DemoEntry | undefined
}

export interface DemoPayment {
  link: Link
  start: string
  end: string
  createdAt: number
  /** Undefined while it waits. */
  paidAt: number | undefined
  status: 'pending' | 'processing' | 'paid'
  leads: number
  conversions: number
  amount: number
}

export interface Books {
  events: DemoEvent[]
  entries: DemoEntry[]
  payments: DemoPayment[]
}

const centavos = (amount: string): number => Math.round(Number(amount) * 100)

/**
 * Makes the ledger of one pair as the server would have, month by month: what a late refusal does to an entry depends
 * on when its payment was made and when it was paid.
 */
export function keepBooks(leads: readonly DemoLead[], today: string, now: number): Books {
  const books: Books = { events: leads.flatMap((lead) => lead.events), entries: [], payments: [] }
  const byRelationship = Map.groupBy(leads, (lead) => lead.link.relationship_id)
  for (const [index, own] of [...byRelationship.values()].entries()) keepPair(books, own, { index, today, now })
  return books
}

export interface Desk {
  index: number
  today: string
  now: number
}

function keepPair(books: Books, leads: readonly DemoLead[], desk: Desk): void {
  const entries = leads.flatMap((lead) => lead.events).flatMap(earn)
  const months = [...new Set([...leads, ...entries].map(({ moment }) => firstOfMonth(dateOf(moment))))].sort()
  for (const month of months) {
    const own = entries.filter((entry) => firstOfMonth(dateOf(entry.moment)) === month)
    const inMonth = leads.filter((lead) => firstOfMonth(dateOf(lead.moment)) === month).length
    entries.push(...closeMonth(books, month, own, inMonth, desk))
  }
  books.entries.push(...entries)
}

export function earn(event: DemoEvent): DemoEntry[] {
  const { commission } = event.lead.link
  if (!event.step.pays || !commission) return []
  const amount = centavos(amountAt(commission, event.moment))
  return [
    {
      event,
      amount,
      moment: event.moment,
      state: 'accrued',
      changed: event.moment,
      reason: null,
      converts: event.lead.events.find(({ step }) => step.pays) === event ? 1 : 0,
      payment: undefined,
      reversalOf: undefined,
    },
  ]
}

/** Makes the month's payment, if there is one; returns the negative entries of later refusals. */
export function closeMonth(
  books: Pick<Books, 'events' | 'payments'>,
  month: string,
  own: DemoEntry[],
  leads: number,
  desk: Desk,
): DemoEntry[] {
  const payment = schedule(month, own, desk)
  for (const entry of own) if (refusalOf(entry, 0, payment?.createdAt ?? Infinity)) reverse(books, entry)
  const held = own.filter((entry) => entry.state === 'accrued')
  const amount = held.reduce((sum, entry) => sum + entry.amount, 0)
  if (!payment || amount <= 0) {
    for (const entry of held) if (refusalOf(entry, 0, Infinity)) reverse(books, entry)
    return []
  }
  for (const entry of held) {
    entry.payment = payment
    entry.state = payment.status === 'paid' ? 'paid' : 'in_payment'
    entry.changed = payment.paidAt ?? payment.createdAt
  }
  const conversions = Math.max(
    0,
    held.reduce((sum, { converts }) => sum + converts, 0),
  )
  books.payments.push(Object.assign(payment, { amount, leads: Math.max(leads, conversions), conversions }))
  return held
    .filter((entry) => refusalOf(entry, payment.paidAt ?? Infinity, Infinity))
    .map((entry) => takeBack(books, entry))
}

/** The late refusal of a lead's only commission, if it came between the two moments. */
function refusalOf(entry: DemoEntry, from: number, until: number): DemoEvent | undefined {
  const refusal = entry.reversalOf ? undefined : entry.event.lead.lateRefusal
  return refusal && from <= refusal.moment && refusal.moment < until ? refusal : undefined
}

function reverse(books: Pick<Books, 'events'>, entry: DemoEntry): void {
  const refusal = entry.event.lead.lateRefusal
  if (!refusal || entry.state === 'reversed') return
  books.events.push(refusal)
  Object.assign(entry, { state: 'reversed', changed: refusal.moment, reason: reasonOf(refusal) })
}

/** A paid entry is never edited: a negative one in the month of the refusal reverses it. */
function takeBack(books: Pick<Books, 'events'>, entry: DemoEntry): DemoEntry {
  const refusal = entry.event.lead.lateRefusal as DemoEvent
  books.events.push(refusal)
  const { moment } = refusal
  return {
    event: refusal,
    amount: -entry.amount,
    moment,
    state: 'accrued',
    changed: moment,
    reason: reasonOf(refusal),
    converts: entry.converts ? -1 : 0,
    payment: undefined,
    reversalOf: entry,
  }
}

const reasonOf = (refusal: DemoEvent): string => `Lead rechazado: ${refusal.step.name}`

/**
 * Made on the third of the next month, paid about the tenth; the last closed month is still pending. A relationship
 * that has ended by then leaves an open balance, which can be paid as its finiquito.
 */
function schedule(month: string, own: readonly DemoEntry[], { index, today, now }: Desk): DemoPayment | undefined {
  const next = addDays(lastOfMonth(month), 1)
  const link = own[0]?.event.lead.link
  if (!link || next > today) return undefined
  const isLast = lastOfMonth(next) >= today
  const createdAt = Math.max(startOfDay(next), Math.min(at(addDays(next, 2), 10, 12 + 7 * index), now - 60_000))
  if (link.until < createdAt) return undefined
  const status = isLast ? (index % 3 === 0 ? 'processing' : 'pending') : 'paid'
  const paidAt = isLast ? undefined : at(addDays(next, 8 + (index % 4)), 13, 5 + 2 * index)
  return { link, start: month, end: lastOfMonth(month), createdAt, paidAt, status, leads: 0, conversions: 0, amount: 0 }
}

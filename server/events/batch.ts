import type { BatchResult } from '#contract/tracking.ts'
import { createGivingWay } from '../giving-way.ts'
import { AppError, translate, unavailable } from '../http/errors.ts'
import { DRAIN_PATIENCE_MS } from '../spool/spooled-leads.ts'
import type { Verdict } from './events.ts'
import { type Intake, isTest, kindOf } from './intake.ts'
import { type ReadEvent, readEvent } from './read-event.ts'
import { codeOf, isFinal, keepReceipts, readSummary, receiptOf, refusedReceipt, statusOf } from './receipts.ts'
import { rehearseEvent } from './rehearsal.ts'
import {
  type CleanEvent,
  cleanEvent,
  type EventWarning,
  type Outcome,
  type Sender,
  unknownLead,
  withWarnings,
} from './sent-events.ts'

/**
 * Stores many events in the order given, together where possible. An error of one is its own result, also the 503 of one
 * whose lead may be in a spool, which may take a day; when the database is lost the whole call is a 503, and sending it
 * again duplicates nothing.
 */
export async function storeBatch(
  intake: Intake,
  sender: Sender,
  events: unknown[],
): Promise<{ results: BatchResult[]; warnings: EventWarning[] }> {
  const { db, measures } = intake
  const came = sender.came && { ...sender.came, by: 'batch' as const }
  const answered = await new Batch(intake, { ...sender, came }).take(events).catch((error) => {
    for (const _ of events) measures.event('failed')
    throw error
  })
  const receipts = answered.flatMap((verdict, index) => {
    const summary = readSummary(events[index])
    if (!(verdict instanceof AppError)) {
      measures.event(kindOf(verdict.stored))
      return receiptOf(summary, verdict.stored) ?? []
    }
    measures.event(isFinal(verdict) ? 'rejected' : 'failed')
    return isFinal(verdict) ? refusedReceipt(summary, verdict) : []
  })
  await keepReceipts(db, sender, receipts)
  const warnings = new Set(answered.flatMap((verdict) => (verdict instanceof AppError ? [] : verdict.warnings)))
  return { results: answered.map(resultOf), warnings: [...warnings] }
}

/** The result of one event, refusals included. Throws only what is worth sending again. */
export async function answerOne(event: unknown, take: (read: ReadEvent) => Promise<Outcome>): Promise<BatchResult> {
  try {
    return resultOf(await take(readEvent(event)))
  } catch (error) {
    return resultOf(refusalIn(error))
  }
}

function refusalIn(error: unknown): AppError {
  const refusal = translate(error)
  if (refusal.status >= 500) throw error
  return refusal
}

const resultOf = (verdict: Verdict): BatchResult =>
  verdict instanceof AppError
    ? { status: verdict.status, code: verdict.code, message: verdict.message, data: null }
    : {
        ...{ status: statusOf(verdict.stored), code: codeOf(verdict.stored), message: null, data: verdict.stored },
        ...(verdict.warnings.length && { warnings: verdict.warnings }),
      }

class Batch {
  readonly #intake: Intake
  readonly #sender: Sender
  readonly #answered: Verdict[] = []
  /** In order. */
  #pending: Parsed[] = []
  /** When it waits for leads no longer, however many they are. */
  readonly #end = performance.now() + DRAIN_PATIENCE_MS
  /** Leads that did not come in time: all that follows of them waits, too, as events are stored in the order given. */
  readonly #late = new Set<string>()

  constructor(intake: Intake, sender: Sender) {
    this.#intake = intake
    this.#sender = sender
  }

  async take(events: unknown[]): Promise<Verdict[]> {
    const giveWay = createGivingWay()
    for (const [place, event] of events.entries()) {
      await giveWay()
      try {
        await this.#takeOne(place, readEvent(event))
      } catch (error) {
        this.#answered[place] = refusalIn(error)
      }
    }
    await this.#storePending()
    return this.#answered
  }

  async #takeOne(place: number, read: ReadEvent): Promise<void> {
    if (!isTest(read.event)) {
      const { data, warnings } = cleanEvent(this.#intake.digestKey, this.#sender, read.event)
      this.#pending.push({ place, event: data, warnings: [...read.warnings, ...warnings] })
      return
    }
    // A test event is judged after the events before it are stored.
    await this.#storePending()
    this.#answered[place] = await rehearseEvent(this.#intake, this.#sender, read)
  }

  async #storePending(): Promise<void> {
    const { spool } = this.#intake
    const parsed = this.#pending.splice(0)
    const isLate = ({ event }: Parsed) => this.#late.has(event.tracking_id)
    for (const each of parsed.filter(isLate)) this.#leave(each)
    // Read first, as in mindingSpool().
    const pending = parsed
      .filter((each) => !isLate(each))
      .map((each) => ({
        ...each,
        waits: spool.has(each.event.tracking_id),
        mayBeElsewhere: spool.mayBeElsewhere(each.event.tracking_id),
      }))
    await this.#store(pending)
    await this.#store(await this.#awaitLeads(pending))
  }

  async #store(pending: Pending[]): Promise<void> {
    if (!pending.length) return
    const clean = pending.map(({ event }) => event)
    const verdicts = await this.#intake.events.storeBatch(this.#sender.issuerId, clean)
    for (const [index, { place, warnings }] of pending.entries()) {
      const found = verdicts[index] ?? unknownLead()
      this.#answered[place] = found instanceof Error ? refusalIn(found) : withWarnings(found, warnings)
    }
  }

  #leave({ place, event }: Parsed): void {
    this.#late.add(event.tracking_id)
    this.#answered[place] = unavailable()
  }

  /** Those whose leads have come from our spool meanwhile; the others that may be in one are 503, each by itself. */
  async #awaitLeads(pending: Pending[]): Promise<Pending[]> {
    const { spool } = this.#intake
    const arrived: Pending[] = []
    for (const each of pending) {
      const { place, event, waits, mayBeElsewhere } = each
      const verdict = this.#answered[place]
      if (!(verdict instanceof AppError) || verdict.status !== 404 || !(waits || mayBeElsewhere)) continue
      const left = Math.max(0, this.#end - performance.now())
      const isHere = !this.#late.has(event.tracking_id) && waits && (await spool.drainedWithin(event.tracking_id, left))
      if (isHere) arrived.push(each)
      else this.#leave(each)
    }
    return arrived
  }
}

/** Parsed and not stored yet; `place` is the index of the answer. */
interface Parsed {
  place: number
  event: CleanEvent
  warnings: EventWarning[]
}

interface Pending extends Parsed {
  /** Its lead, in our spool. */
  waits: boolean
  mayBeElsewhere: boolean
}

import { type BatchResult, IncomingEvent, type StoredEvent } from '#contract/tracking.ts'
import { AppError, schemaError, translate, unavailable } from '../http/errors.ts'
import { storeMindingSpool } from '../spool/spooled-leads.ts'
import type { Warning } from './data.ts'
import type { Verdict } from './events.ts'
import { type Intake, isTest, kindOf } from './intake.ts'
import { codeOf, keepReceipts, readSaid, receiptOf, refusedReceipt, statusOf } from './receipts.ts'
import { rehearseEvent } from './rehearsal.ts'
import { type CleanEvent, cleanEvent, type Sender, unknownLead } from './sent-events.ts'

/** What an event comes to, with what its sender is warned of. */
interface Answered {
  verdict: Verdict
  warnings: Warning[]
}

/**
 * Many events in the order given, all that can be stored at once. What is wrong with one is its own result; when the
 * database goes away the whole call is a 503, and sending it again repeats nothing.
 */
export async function storeBatch(
  intake: Intake,
  sender: Sender,
  events: unknown[],
): Promise<{ results: BatchResult[]; warnings: Warning[] }> {
  const { db, measures } = intake
  const answered = await new Batch(intake, sender).take(events).catch((error) => {
    for (const _ of events) measures.event('failed')
    throw error
  })
  for (const { verdict } of answered) measures.event(verdict instanceof AppError ? 'rejected' : kindOf(verdict))
  const receipts = answered.flatMap(({ verdict }, index) => {
    const said = readSaid(events[index])
    return (verdict instanceof AppError ? refusedReceipt(said, verdict) : receiptOf(said, verdict)) ?? []
  })
  await keepReceipts(db, sender.issuerId, receipts)
  const warnings = new Set(answered.flatMap((each) => (each.verdict instanceof AppError ? [] : each.warnings)))
  return { results: answered.map(({ verdict }) => resultOf(verdict)), warnings: [...warnings] }
}

/** What the sender of an event learns of it, a refusal included; only what is worth sending again is thrown. */
export async function answerOne(
  event: unknown,
  take: (event: IncomingEvent) => Promise<{ stored: StoredEvent }>,
): Promise<BatchResult> {
  try {
    return resultOf((await take(parse(event))).stored)
  } catch (error) {
    return resultOf(refusalIn(error))
  }
}

function parse(event: unknown): IncomingEvent {
  const parsed = IncomingEvent.safeParse(event)
  if (!parsed.success) throw schemaError(parsed.error, 422)
  return parsed.data
}

function refusalIn(error: unknown): AppError {
  const refusal = translate(error)
  if (refusal.status >= 500) throw error
  return refusal
}

const resultOf = (verdict: Verdict): BatchResult =>
  verdict instanceof AppError
    ? { status: verdict.status, code: verdict.code, message: verdict.message, data: null }
    : { status: statusOf(verdict), code: codeOf(verdict), message: null, data: verdict }

class Batch {
  readonly #intake: Intake
  readonly #sender: Sender
  readonly #answered: Answered[] = []
  /** Read, in order, and not stored yet: with the places where their answers belong. */
  #pending: { place: number; event: CleanEvent; warnings: Warning[] }[] = []

  constructor(intake: Intake, sender: Sender) {
    this.#intake = intake
    this.#sender = sender
  }

  async take(events: unknown[]): Promise<Answered[]> {
    for (const [place, event] of events.entries()) {
      try {
        await this.#takeOne(place, parse(event))
      } catch (error) {
        this.#answered[place] = { verdict: refusalIn(error), warnings: [] }
      }
    }
    await this.#storePending()
    return this.#answered
  }

  async #takeOne(place: number, event: IncomingEvent): Promise<void> {
    if (!isTest(event)) {
      const { data, warnings } = cleanEvent(event)
      this.#pending.push({ place, event: data, warnings })
      return
    }
    // It is told what comes of it after those before it.
    await this.#storePending()
    const { stored, warnings } = await rehearseEvent(this.#intake.db, this.#sender, event, this.#intake.spool)
    this.#answered[place] = { verdict: stored, warnings }
  }

  async #storePending(): Promise<void> {
    const pending = this.#pending.splice(0)
    if (!pending.length) return
    const { events, spool } = this.#intake
    // Asked first, as storeMindingSpool() does.
    const [spooled, elsewhere] = [
      new Set(pending.filter(({ event }) => spool.has(event.tracking_id))),
      new Set(pending.filter(({ event }) => spool.mayBeElsewhere(event.tracking_id))),
    ]
    const clean = pending.map(({ event }) => event)
    const verdicts = await events.storeAll(this.#sender.issuerId, clean)
    for (const [index, each] of pending.entries()) {
      const { place, event, warnings } = each
      const found = verdicts[index] ?? unknownLead()
      const verdict = found instanceof Error ? refusalIn(found) : found
      const isUnknown = verdict instanceof AppError && verdict.status === 404
      if (isUnknown && spooled.has(each)) this.#answered[place] = { verdict: await this.#storeSpooled(event), warnings }
      // Of this one alone: what another copy holds may take a day, and the others are stored.
      else if (isUnknown && elsewhere.has(each)) this.#answered[place] = { verdict: unavailable(), warnings }
      else this.#answered[place] = { verdict, warnings }
    }
  }

  async #storeSpooled(event: CleanEvent): Promise<Verdict> {
    const { events, spool } = this.#intake
    const { issuerId } = this.#sender
    return storeMindingSpool(spool, event.tracking_id, () => events.store(issuerId, event)).catch(refusalIn)
  }
}

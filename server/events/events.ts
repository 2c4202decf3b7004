import { NO_REASON } from '#contract/rulings.ts'
import type { IncomingEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { AppError, isDatabaseAway, isDeadlock } from '../http/errors.ts'
import { keyOf, keysOf, ownKeyOf, repeatOf } from './repeats.ts'
import {
  type Earlier,
  insertEvents,
  keepRejected,
  type Lead,
  listEarlier,
  listReasonCodes,
  type Reason,
  readKnown,
  rowOf,
  type Step,
} from './rows.ts'
import { type CleanEvent, fingerprintOf, mismatch, type Outcome, refuse, unknownLead } from './sent-events.ts'
import { addWarnings } from './warnings.ts'

/** What became of an event: stored, known already, or refused. */
export type Verdict = Outcome | AppError
export type Verdicts = Map<CleanEvent, Verdict | Error>

/** An event whose lead is known. */
export interface Matched {
  event: CleanEvent
  lead: Lead
  step: Step | AppError
  /** The steps at which an earlier event is the same one. */
  same: ReadonlySet<number>
  /** Of the earlier events that it may repeat. */
  keys: string[]
  fingerprint: string
  reason: Reason
}

/** One that repeats none, with the key to store it under. */
type Fresh = Matched & { step: Step; key: string }

/**
 * Stores events of one issuer in the order given, each with the commission it earns or reverses. One that the database
 * refuses fails alone. Throws only when the database is lost; events stored by then are repetitions when sent again.
 */
export async function storeEvents(db: Db, issuerId: number, events: readonly CleanEvent[]) {
  const { matched, earlier } = await matchLeads(db, issuerId, events)
  const verdicts: Verdicts = new Map()
  for (const [index, wave] of wavesOf(matched).entries()) {
    // Those of the first wave are read already; later waves may repeat events stored just now.
    const unread = index === 0 ? [] : wave.flatMap(({ keys }) => keys)
    for (const row of await listEarlier(db, issuerId, unread)) earlier.set(row.idempotency_key, row)
    await storeWave(db, issuerId, wave, earlier, verdicts)
  }
  const rejected = matched.flatMap(({ event, step }): [CleanEvent, AppError][] =>
    step instanceof AppError && verdicts.get(event) === step ? [[event, step]] : [],
  )
  const stored = await togetherOrApart(db, rejected, (some) => keepRejected(db, issuerId, some))
  for (const [index, [event, refusal]] of rejected.entries()) verdicts.set(event, stored[index] ?? refusal)
  await addWarnings(db, matched, verdicts)
  return events.map((event) => verdicts.get(event) ?? unknownLead())
}

async function matchLeads(db: Db, issuerId: number, events: readonly CleanEvent[]) {
  const known = await readKnown(db, issuerId, events)
  const leads = new Map(known.leads.map((lead) => [lead.tracking_id, lead]))
  const steps = Map.groupBy(known.steps, (step) => step.product_id)
  const codes = await listReasonCodes(db, [...new Set(events.flatMap(codeIn))])
  const matched = events.flatMap((event): Matched | [] => {
    const lead = leads.get(event.tracking_id)
    if (!lead) return []
    const matching = stepsMatching(steps.get(lead.product_id) ?? [], event)
    const step = chooseStep(matching)
    const same = new Set(sameAs(step, matching).map(({ id }) => id))
    const fingerprint = fingerprintOf(event).toString('hex')
    return { event, lead, step, same, keys: keysOf(event, same), fingerprint, reason: reasonOf(event, codes) }
  })
  return { matched, earlier: new Map(known.earlier.map((row) => [row.idempotency_key, row])) }
}

/** People write codes in capitals, too. */
const codeIn = ({ reason_code }: CleanEvent): string[] => (reason_code ? [reason_code.toLowerCase()] : [])

function reasonOf(event: CleanEvent, known: Set<string>): Reason {
  const [code] = codeIn(event)
  if (code === undefined || known.has(code)) return { code: code ?? null, text: null }
  return { code: NO_REASON, text: event.reason_code ?? null }
}

type Selector = Pick<IncomingEvent, 'step_id' | 'event_type_id' | 'event_type' | 'step_order'>

/** The steps of a product that match the selector. */
function stepsMatching(steps: Step[], selector: Selector): Step[] {
  const name = selector.event_type?.trim().toLowerCase()
  return steps.filter(
    (step) =>
      step.id === selector.step_id ||
      step.event_type_id === selector.event_type_id ||
      step.event_type_name === name ||
      step.step_order === selector.step_order,
  )
}

/** The one matching step, or the error for the sender. */
function chooseStep(matching: Step[]): Step | AppError {
  const [step, ...others] = matching.filter(({ live }) => live)
  if (!step) return refuse('UNKNOWN_EVENT')
  return others.length ? refuse('AMBIGUOUS_EVENT') : step
}

/**
 * What was told of an archived step of the same type is repeated of this one; one of another type only had its order. Also of
 * two that stood side by side, where earned_by() tells them apart: an event without event_id that comes once more is not news.
 */
const sameAs = (step: Step | AppError, matching: Step[]): Step[] =>
  step instanceof AppError ? matching : matching.filter(({ event_type_id }) => event_type_id === step.event_type_id)

/**
 * Splits events so that no two of a wave share a lead or a key: a wave can be stored in one statement, and the result is
 * that of all events one by one in the order given.
 */
function wavesOf(events: readonly Matched[]): Matched[][] {
  const waves: Matched[][] = []
  const next = new Map<string | number, number>()
  for (const event of events) {
    const names = [event.lead.id, ownKeyOf(event.event) ?? event.lead.id]
    const place = Math.max(...names.map((name) => next.get(name) ?? 0))
    for (const name of names) next.set(name, place + 1)
    const wave = waves[place]
    if (wave) wave.push(event)
    else waves.push([event])
  }
  return waves
}

async function storeWave(
  db: Db,
  issuerId: number,
  wave: readonly Matched[],
  earlier: Map<string, Earlier>,
  verdicts: Verdicts,
): Promise<void> {
  const fresh: Fresh[] = []
  for (const matched of wave) {
    const { event, step } = matched
    const repeated = repeatOf(matched, earlier)
    if (repeated) verdicts.set(event, repeated instanceof AppError ? repeated : answerOf(repeated, true))
    else if (step instanceof AppError) verdicts.set(event, step)
    else fresh.push({ ...matched, step, key: keyOf(event, step.id, earlier) })
  }
  const stored = await storeFresh(db, issuerId, fresh)
  for (const [index, { event }] of fresh.entries()) verdicts.set(event, stored[index] ?? mismatch())
}

/**
 * An event whose key was taken since the lookup is a repetition or a mismatch, too, or the first of its step: then it is
 * stored beside the one that has its id.
 */
async function storeFresh(db: Db, issuerId: number, fresh: readonly Fresh[]): Promise<(Verdict | Error)[]> {
  const rows = fresh.map(rowOf)
  const stored = await togetherOrApart(db, rows, (some) => insertEvents(db, issuerId, some))
  const keys = fresh.flatMap(({ key }, index) => (stored[index] ? [] : key))
  const taken = new Map((await listEarlier(db, issuerId, keys)).map((row) => [row.idempotency_key, row]))
  const verdicts = rows.map((row, index) => {
    const made = stored[index]
    if (made) return made instanceof Error ? made : answerOf({ ...row, ...made }, false)
    const repeated = repeatOf(fresh[index] as Fresh, taken)
    return repeated === undefined || repeated instanceof AppError ? repeated : answerOf(repeated, true)
  })
  const beside = fresh.flatMap((one, index) =>
    verdicts[index] ? [] : { ...one, key: keyOf(one.event, one.step.id, taken), index },
  )
  const others = beside.length ? await storeFresh(db, issuerId, beside) : []
  for (const [place, { index }] of beside.entries()) verdicts[index] = others[place]
  return verdicts.map((verdict) => verdict ?? mismatch())
}

/**
 * All at once; one by one after a refusal of the database or a deadlock. Throws when the database is lost, and in a transaction of
 * the caller, which any refusal ends.
 */
async function togetherOrApart<T, R>(
  db: Db,
  many: readonly T[],
  run: (some: readonly T[]) => Promise<R[]>,
): Promise<(R | Error)[]> {
  if (!many.length) return []
  const isAlone = many.length === 1
  try {
    return await run(many)
  } catch (error) {
    if (db.isTransaction) throw error
    if (isDatabaseAway(error) && (isAlone || !isDeadlock(error))) throw error
    if (isAlone) return [error as Error]
  }
  const results: (R | Error)[] = []
  for (const one of many) results.push(...(await togetherOrApart(db, [one], run)))
  return results
}

type Answered = Omit<Earlier, 'idempotency_key' | 'fingerprint'>

function answerOf(event: Answered, duplicate: boolean): Outcome {
  const { id, event_id, lead_id, tracking_id, step_id, step_name, amount, state } = event
  const commission = amount !== null && state !== null ? { amount, currency: 'MXN' as const, status: state } : null
  return { stored: { id, event_id, lead_id, tracking_id, step_id, step_name, duplicate, commission }, warnings: [] }
}

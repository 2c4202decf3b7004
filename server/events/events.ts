import type { IncomingEvent, StoredEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { AppError, isDatabaseAway, isDeadlock } from '../http/errors.ts'
import {
  type Earlier,
  insertEvents,
  keepRejected,
  type Lead,
  listEarlier,
  type NewRow,
  readKnown,
  rowOf,
  type Step,
} from './rows.ts'
import { type CleanEvent, fingerprintOf, keyOf, mismatch, unknownLead } from './sent-events.ts'

/** What became of an event: stored, known already, or refused. */
export type Verdict = StoredEvent | AppError
type Verdicts = Map<CleanEvent, Verdict | Error>

/** An event that is known to be of a lead. */
interface Met {
  event: CleanEvent
  lead: Lead
  step: Step | AppError
  /** Any of which makes it a repetition. */
  keys: string[]
  fingerprint: string
}

/**
 * Stores events of one issuer in the order given, each with what it earns or takes back. One that the database refuses
 * takes no other along. Throws only when it is away; what is stored by then is a repetition when it is sent again.
 */
export async function storeEvents(db: Db, issuerId: number, events: readonly CleanEvent[]) {
  const { met, earlier } = await meetLeads(db, issuerId, events)
  const verdicts: Verdicts = new Map()
  for (const [index, wave] of wavesOf(met).entries()) {
    // The first one's event ids have been read; what later ones repeat may be stored only now.
    const unread = wave.flatMap(({ event, keys }) => (index === 0 && event.event_id !== undefined ? [] : keys))
    for (const row of await listEarlier(db, issuerId, unread)) earlier.set(row.idempotency_key, row)
    await storeWave(db, issuerId, wave, earlier, verdicts)
  }
  const rejected = met.flatMap(({ event, step }): [CleanEvent, AppError][] =>
    step instanceof AppError && verdicts.get(event) === step ? [[event, step]] : [],
  )
  const kept = await togetherOrApart(rejected, (some) => keepRejected(db, issuerId, some))
  for (const [index, [event, refusal]] of rejected.entries()) verdicts.set(event, kept[index] ?? refusal)
  return events.map((event) => verdicts.get(event) ?? unknownLead())
}

async function meetLeads(db: Db, issuerId: number, events: readonly CleanEvent[]) {
  const trackingIds = [...new Set(events.map((event) => event.tracking_id))]
  const eventIds = events.flatMap((event) => (event.event_id === undefined ? [] : keyOf(event, 0)))
  const known = await readKnown(db, issuerId, trackingIds, eventIds)
  const leads = new Map(known.leads.map((lead) => [lead.tracking_id, lead]))
  const steps = Map.groupBy(known.steps, (step) => step.product_id)
  const met = events.flatMap((event): Met | [] => {
    const lead = leads.get(event.tracking_id)
    if (!lead) return []
    const matching = stepsMatching(steps.get(lead.product_id) ?? [], event)
    const keys = event.event_id === undefined ? matching.map((step) => keyOf(event, step.id)) : [keyOf(event, 0)]
    return { event, lead, step: chooseStep(matching), keys, fingerprint: fingerprintOf(event).toString('hex') }
  })
  return { met, earlier: new Map(known.earlier.map((row) => [row.idempotency_key, row])) }
}

type Selector = Pick<IncomingEvent, 'step_id' | 'event_type_id' | 'event_type' | 'step_order'>

/** The steps of a product that a sender's words fit. */
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

/** The one step that is meant, or what to tell the sender. */
function chooseStep(matching: Step[]): Step | AppError {
  const [step, ...others] = matching.filter(({ live }) => live)
  if (!step) return new AppError(422, 'UNKNOWN_EVENT', 'El producto del lead no tiene ese paso')
  if (others.length)
    return new AppError(422, 'AMBIGUOUS_EVENT', 'El producto tiene varios pasos de ese tipo: indica step_id')
  return step
}

/**
 * In the order given, cut so that within a wave no event has the lead or a key of another: a wave can be stored at once,
 * and the waves one after another come to the same as all events one after another.
 */
function wavesOf(events: readonly Met[]): Met[][] {
  const waves: Met[][] = []
  const next = new Map<string | number, number>()
  for (const event of events) {
    const names = [event.lead.id, ...event.keys]
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
  wave: readonly Met[],
  earlier: Map<string, Earlier>,
  verdicts: Verdicts,
): Promise<void> {
  const fresh: [CleanEvent, NewRow][] = []
  for (const met of wave) {
    const { event, step, fingerprint } = met
    const others = met.keys.flatMap((key) => earlier.get(key) ?? [])
    const same = others.find((other) => other.fingerprint === fingerprint)
    if (same) verdicts.set(event, answerOf(same, true))
    else if (event.event_id !== undefined && others.length) verdicts.set(event, mismatch())
    else if (step instanceof AppError) verdicts.set(event, step)
    else fresh.push([event, rowOf({ ...met, step, key: keyOf(event, step.id) })])
  }
  const rows = fresh.map(([, row]) => row)
  const stored = await storeFresh(db, issuerId, rows)
  for (const [index, [event]] of fresh.entries()) verdicts.set(event, stored[index] ?? mismatch())
}

/** Whose key was taken since it was looked for is a repetition, too, or no less a mismatch. */
async function storeFresh(db: Db, issuerId: number, rows: readonly NewRow[]): Promise<(Verdict | Error)[]> {
  const stored = await togetherOrApart(rows, (some) => insertEvents(db, issuerId, some))
  const keys = rows.flatMap((row, index) => (stored[index] ? [] : row.idempotency_key))
  const taken = new Map((await listEarlier(db, issuerId, keys)).map((row) => [row.idempotency_key, row]))
  return rows.map((row, index) => {
    const made = stored[index]
    if (made) return made instanceof Error ? made : answerOf({ ...row, ...made }, false)
    const other = taken.get(row.idempotency_key)
    return other?.fingerprint === row.fingerprint ? answerOf(other, true) : mismatch()
  })
}

/** One by one where the database refuses one of them or ends their wait for others; throws when it is away. */
async function togetherOrApart<T, R>(
  many: readonly T[],
  run: (some: readonly T[]) => Promise<R[]>,
): Promise<(R | Error)[]> {
  if (!many.length) return []
  const isAlone = many.length === 1
  try {
    return await run(many)
  } catch (error) {
    if (isDatabaseAway(error) && (isAlone || !isDeadlock(error))) throw error
    if (isAlone) return [error as Error]
  }
  const results: (R | Error)[] = []
  for (const one of many) results.push(...(await togetherOrApart([one], run)))
  return results
}

type Answered = Omit<Earlier, 'idempotency_key' | 'fingerprint'>

function answerOf(event: Answered, duplicate: boolean): StoredEvent {
  const { id, event_id, lead_id, tracking_id, step_id, step_name, amount, state } = event
  const commission = amount !== null && state !== null ? { amount, currency: 'MXN' as const, status: state } : null
  return { id, event_id, lead_id, tracking_id, step_id, step_name, duplicate, commission }
}

import { REJECTED } from '#contract/event-steps.ts'
import type { StoredEvent } from '#contract/tracking.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Actor, type AuditEvent, auditAll } from '../audit.ts'
import { AppError, isDatabaseAway, isDeadlock } from '../http/errors.ts'
import { accrue, type EntryChange, lockEntries, reverse } from '../ledger/entries.ts'
import { chooseStep, type Step, stepsMatching } from './choose-step.ts'
import {
  insertEvents,
  keepRejected,
  type Lead,
  listEarlier,
  listSteps,
  lockLeads,
  type NewEvent,
  readRepeated,
} from './rows.ts'
import { type CleanEvent, fingerprintOf, keyOf, mismatch, type Sent, unknownLead } from './sent-events.ts'
import { wavesOf } from './waves.ts'
import { announceWriter } from './writers.ts'

/** What became of an event: stored, known already, or refused. */
export type Verdict = StoredEvent | AppError

/**
 * Stores events of one issuer in the order given, each with what it earns or takes back: all in one transaction, unless
 * the database refuses one of them, which then must not take the others along. Throws only when it is away.
 */
export async function storeEvents(db: Db, issuerId: number, sent: readonly Sent[]): Promise<(Verdict | Error)[]> {
  try {
    return await db.transaction().execute((tx) => storeIn(tx, issuerId, sent))
  } catch (error) {
    const [alone] = sent.length === 1 ? [error as Error] : []
    if (isDatabaseAway(error) && (alone || !isDeadlock(error))) throw error
    if (alone) return [alone]
  }
  const verdicts: (Verdict | Error)[] = []
  for (const one of sent) verdicts.push(...(await storeEvents(db, issuerId, [one])))
  return verdicts
}

/** An event that is known to be of a lead. */
export interface Met extends Pick<NewEvent, 'lead' | 'event' | 'fingerprint'> {
  sent: Sent
  matching: Step[]
  /** Any of which makes it a repetition. */
  keys: string[]
}

type Verdicts = Map<Sent, Verdict>

/** The leads' rows are locked first, so the events of a lead happen one after another, here and everywhere. */
export async function storeIn(tx: Tx, issuerId: number, sent: readonly Sent[]): Promise<Verdict[]> {
  await announceWriter(tx, issuerId)
  const met = await meetLeads(tx, issuerId, sent)
  const rejected = met.filter(({ matching }) => matching.some(isRejection)).map(({ lead }) => lead.id)
  if (rejected.length) await lockEntries(tx, rejected)
  const verdicts: Verdicts = new Map()
  for (const wave of wavesOf(met)) await storeWave(tx, issuerId, wave, verdicts)
  return sent.map((one) => verdicts.get(one) ?? unknownLead())
}

const isRejection = ({ event_type_name }: Step): boolean => event_type_name === REJECTED

async function meetLeads(tx: Tx, issuerId: number, sent: readonly Sent[]): Promise<Met[]> {
  const trackingIds = [...new Set(sent.map(({ event }) => event.tracking_id))]
  const leads = new Map((await lockLeads(tx, issuerId, trackingIds)).map((lead) => [lead.tracking_id, lead]))
  const products = [...new Set([...leads.values()].map((lead) => lead.product_id))]
  const steps = Map.groupBy(await listSteps(tx, products), (step) => step.product_id)
  return sent.flatMap((one) => {
    const { event } = one
    const lead = leads.get(event.tracking_id)
    if (!lead) return []
    const matching = stepsMatching(steps.get(lead.product_id) ?? [], event)
    const keys = event.event_id === undefined ? matching.map((step) => keyOf(event, step.id)) : [keyOf(event, 0)]
    return { sent: one, lead, event, matching, keys, fingerprint: fingerprintOf(event) }
  })
}

/** Events of which none has the lead or a key of another. */
async function storeWave(tx: Tx, issuerId: number, wave: readonly Met[], verdicts: Verdicts): Promise<void> {
  const earlier = new Map(
    (
      await listEarlier(
        tx,
        issuerId,
        wave.flatMap(({ keys }) => keys),
      )
    ).map((row) => [row.idempotency_key, row]),
  )
  const repeated: [Sent, number][] = []
  const rejected: [CleanEvent, AppError][] = []
  const fresh: (NewEvent & Met)[] = []
  for (const met of wave) {
    const others = met.keys.flatMap((key) => earlier.get(key) ?? [])
    const same = others.find((other) => other.fingerprint.equals(met.fingerprint))
    const step = chooseStep(met.matching)
    if (same) repeated.push([met.sent, same.id])
    else if (met.event.event_id !== undefined && others.length) verdicts.set(met.sent, mismatch())
    else if (step instanceof AppError) {
      verdicts.set(met.sent, step)
      rejected.push([met.event, step])
    } else fresh.push({ ...met, step, key: keyOf(met.event, step.id) })
  }
  if (rejected.length) await keepRejected(tx, issuerId, rejected)
  if (fresh.length) await storeFresh(tx, fresh, verdicts)
  if (repeated.length) await answerRepeated(tx, repeated, verdicts)
}

async function answerRepeated(tx: Tx, repeated: readonly [Sent, number][], verdicts: Verdicts): Promise<void> {
  const stored = await readRepeated(tx, [...new Set(repeated.map(([, id]) => id))])
  for (const [sent, id] of repeated) {
    const answer = stored.get(id)
    if (!answer) throw new Error(`Event ${id} vanished`)
    verdicts.set(sent, answer)
  }
}

type Fresh = NewEvent & Met & { id: number }

async function storeFresh(tx: Tx, fresh: readonly (NewEvent & Met)[], verdicts: Verdicts): Promise<void> {
  const ids = await insertEvents(tx, fresh)
  const stored: Fresh[] = []
  for (const each of fresh) {
    const id = ids.get(each.key)
    if (id === undefined) verdicts.set(each.sent, mismatch())
    else stored.push({ ...each, id })
  }
  const changes = await settle(tx, stored)
  for (const each of stored) verdicts.set(each.sent, answerOf(each, changes.get(each.id) ?? []))
  const trail = stored.flatMap((each) => {
    const happened = [creationOf(each), ...(changes.get(each.id) ?? []).map(({ audit }) => audit)]
    return happened.map((event) => [actorOf(each), event] as const)
  })
  if (trail.length) await auditAll(tx, trail)
}

/** A rejection takes back and never earns, whatever its step says. */
async function settle(tx: Tx, stored: readonly Fresh[]): Promise<Map<number, EntryChange[]>> {
  const eventOf = ({ id, lead, step }: Fresh) => ({ id, lead: partiesOf(lead), step_id: step.id, step_name: step.name })
  const rejections = stored.filter(({ step }) => isRejection(step)).map(eventOf)
  const earning = stored.filter(({ step }) => !isRejection(step) && step.is_payout_event).map(eventOf)
  const reversed = rejections.length ? await reverse(tx, rejections) : []
  const accrued = earning.length ? await accrue(tx, earning) : []
  return Map.groupBy([...reversed, ...accrued], ({ eventId }) => eventId)
}

const partiesOf = ({ id, relationship_id, affiliate_id, issuer_id, product_id }: Lead) => ({
  ...{ id, relationship_id, affiliate_id, issuer_id, product_id },
})

function answerOf({ id, lead, event, step }: Fresh, changes: EntryChange[]): StoredEvent {
  const earned = isRejection(step) ? undefined : changes[0]?.entry
  return {
    id,
    event_id: event.event_id ?? null,
    lead_id: lead.id,
    tracking_id: lead.tracking_id,
    step_id: step.id,
    step_name: step.name,
    duplicate: false,
    commission: earned ? { amount: earned.amount, currency: 'MXN', status: earned.state } : null,
  }
}

const actorOf = ({ sent: { sender }, lead }: Fresh): Actor => ({
  role: 'issuer-key',
  issuerId: sender.issuerId,
  name: lead.company_name,
  requestId: sender.requestId,
  address: sender.address,
})

const creationOf = ({ id, lead, event, step }: Fresh): AuditEvent => ({
  action: 'create',
  entity: 'lead_event',
  entityId: id,
  label: step.name,
  after: {
    lead_id: lead.id,
    step_id: step.id,
    step_name: step.name,
    event_id: event.event_id,
    source: event.source,
  },
})

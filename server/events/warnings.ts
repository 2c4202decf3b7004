import { sql } from 'kysely'
import { APPROVED } from '#contract/event-steps.ts'
import type { Db } from '#db/connect.ts'
import { AppError } from '../http/errors.ts'
import type { Matched, Verdicts } from './events.ts'
import { isEarning, listEarned, type Step } from './rows.ts'
import type { EventWarning, Outcome } from './sent-events.ts'

/** Adds to what became of events what their sender should know of it. */
export async function addWarnings(db: Db, matched: readonly Matched[], verdicts: Verdicts): Promise<void> {
  for (const { event, reason } of matched) {
    const verdict = verdicts.get(event)
    if (reason.text !== null && verdict && !(verdict instanceof Error)) verdict.warnings.push('UNKNOWN_REASON')
  }
  const told = matched.flatMap(({ event, lead, step }) => {
    const verdict = verdicts.get(event)
    return !verdict || verdict instanceof Error || step instanceof AppError ? [] : [{ lead, step, verdict }]
  })
  await warnOfUnpaid(db, told)
  await warnOfApprovals(db, told)
}

type Told = { lead: Matched['lead']; step: Step; verdict: Outcome }

/**
 * Where a step pays and its lead has earned nothing by it, since its affiliate had no commission for the product (D40).
 * Reads nothing while all that should earn did.
 */
async function warnOfUnpaid(db: Db, told: readonly Told[]): Promise<void> {
  const silent = told.filter(({ step, verdict }) => isEarning(step) && !verdict.stored.commission)
  const earned = await listEarned(db, silent)
  for (const [place, { verdict }] of silent.entries()) if (!earned.has(place)) verdict.warnings.push('NO_COMMISSION')
}

/** D88. Reads nothing of approvals that have just earned: a second one earns nothing, one of a rejected lead nothing that stands. */
async function warnOfApprovals(db: Db, told: readonly Told[]): Promise<void> {
  const odd = told.filter(({ step, verdict: { stored } }) => {
    const hasEarned = !stored.duplicate && stored.commission?.status === 'accrued'
    return step.event_type_name === APPROVED && !hasEarned
  })
  const warnings = await listApprovalWarnings(
    db,
    odd.flatMap(({ verdict }) => verdict.stored.id ?? []),
  )
  for (const { verdict } of odd) verdict.warnings.push(...(warnings.get(verdict.stored.id ?? 0) ?? []))
}

/** What is odd about those of these events that are approvals. */
export async function listApprovalWarnings(db: Db, ids: readonly number[]): Promise<Map<number, EventWarning[]>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: number; warnings: EventWarning[] }>`
    select id, warnings from unnest(${ids}::bigint[]) as id cross join lateral approval_warnings(id) as warnings
    where warnings <> '{}'`.execute(db)
  return new Map(rows.map(({ id, warnings }) => [id, warnings]))
}

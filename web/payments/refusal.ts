import type { EntrySums } from '#contract/payment-texts.ts'
import { ApiError } from '#web/api/errors.ts'

/** The sums of a save that was refused since the commissions changed. */
export function refusedSums(error: Error | null): EntrySums | undefined {
  if (!(error instanceof ApiError) || !['PREVIEW_STALE', 'TOTAL_CHANGED'].includes(error.code ?? '')) return undefined
  const { calculated_amount, entries_amount } = error.sums
  return calculated_amount === undefined || entries_amount === undefined
    ? undefined
    : { calculated_amount, entries_amount }
}

import type { EntrySums } from '#contract/payment-texts.ts'
import { ApiError } from '#web/api/errors.ts'

interface Refusal {
  /** After the first, only a new calculation helps; the second may be confirmed with a reason. */
  code: 'PREVIEW_STALE' | 'TOTAL_CHANGED'
  message: string
  sums: EntrySums
}

/** Why a payment was not saved, if that is since its commissions changed. */
export function refusalIn(error: Error | null): Refusal | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { code, message } = error
  if (code !== 'PREVIEW_STALE' && code !== 'TOTAL_CHANGED') return undefined
  const { calculated_amount, entries_amount } = error.sums
  return calculated_amount === undefined || entries_amount === undefined
    ? undefined
    : { code, message, sums: { calculated_amount, entries_amount } }
}

import { subtractAmounts } from '#contract/money.ts'
import { type EntrySums, type PaymentWarning, previewStale, totalChanged } from '#contract/payment-texts.ts'
import type { Tx } from '#db/connect.ts'
import { AppError } from '../http/errors.ts'
import {
  claimableBy,
  claimEntries,
  lockOwnAndClaimable,
  lockSumOfPayment,
  releaseEntries,
  settleEntries,
  sumOfEntries,
} from '../ledger/claims.ts'
import type { PaymentRow } from './rows.ts'

/** What a preview answered and the form sent back. */
interface Calculation {
  entries_amount: string
  upto: number
}

interface SentSums {
  entries_amount?: string | undefined
  upto?: number | undefined
}

export const calculationIn = ({ entries_amount, upto }: SentSums): Calculation | undefined =>
  entries_amount === undefined || upto === undefined ? undefined : { entries_amount, upto }

export interface Claimed {
  calculated_amount: string
  warnings: PaymentWarning[]
}

const NOTHING: Claimed = { calculated_amount: '0.00', warnings: [] }

/** Takes the calculated entries, which must still have that sum; without a calculation, the oldest that the total covers. */
export async function claim(tx: Tx, payment: PaymentRow, calculation: Calculation | undefined): Promise<Claimed> {
  if (payment.payment_status === 'cancelled') return NOTHING
  const extent = calculation ? { upto: calculation.upto } : { total: payment.total_amount }
  const sum = await claimEntries(tx, payment, extent)
  if (calculation && differ(sum, calculation.entries_amount))
    throw refusal('PREVIEW_STALE', previewStale, { calculated_amount: calculation.entries_amount, entries_amount: sum })
  return { calculated_amount: isAgainst(sum) ? '0.00' : sum, warnings: await warningsOf(tx, payment) }
}

/** Commissions that stay open in the period: a balance against the affiliate, or what the payment did not take. */
async function warningsOf(tx: Tx, payment: PaymentRow): Promise<PaymentWarning[]> {
  const open = await claimableBy(tx, null, payment)
  const { entries, amount } = await open
    .select((eb) => [eb.fn.countAll<number>().as('entries'), sumOfEntries.as('amount')])
    .executeTakeFirstOrThrow()
  if (entries === 0) return []
  return [isAgainst(amount) ? 'BALANCE_CARRIED' : 'ENTRIES_LEFT']
}

const isAgainst = (amount: string): boolean => amount.startsWith('-')
const differ = (one: string, other: string): boolean => subtractAmounts(one, other) !== '0.00'

const refusal = (code: string, message: (sums: EntrySums) => string, sums: EntrySums) =>
  new AppError(409, code, message(sums), { sums: { ...sums } })

interface Moved {
  changes: Partial<PaymentRow>
  warnings: PaymentWarning[]
}

interface Confirmation extends SentSums {
  hasReason: boolean
}

/** What is paid with entries that nobody calculated needs somebody who names the sum of now and says why (D78). */
function expectConfirmed(
  { calculated_amount }: PaymentRow,
  sum: string,
  { entries_amount, hasReason }: Confirmation,
): void {
  if (!hasReason || entries_amount === undefined || differ(entries_amount, sum))
    throw refusal('TOTAL_CHANGED', totalChanged, { calculated_amount, entries_amount: sum })
}

/**
 * The entries follow the payment: another period or pair and a new calculation claim anew, cancelling releases, paying
 * settles. Nothing else takes or lets go of entries.
 */
export async function moveEntries(
  tx: Tx,
  before: PaymentRow,
  after: PaymentRow,
  confirmed: Confirmation,
): Promise<Moved> {
  const calculation = calculationIn(confirmed)
  const moved = CLAIM_FIELDS.some((field) => before[field] !== after[field])
  const [wasOpen, isOpen] = [before, after].map((payment) => payment.payment_status !== 'cancelled')
  if (!isOpen) {
    if (wasOpen) await releaseEntries(tx, after.id, 'all')
    return { changes: {}, warnings: [] }
  }
  if (wasOpen && !moved && !calculation) return settle(tx, before, after, confirmed)
  if (wasOpen) {
    await lockOwnAndClaimable(tx, after)
    await releaseEntries(tx, after.id, moved ? 'all' : 'unreversed')
  }
  const { calculated_amount, warnings } = await claim(tx, after, calculation)
  // Without a calculation nobody has seen the new sum: the old one stays until the total is typed anew, or paid.
  if (!calculation && differ(calculated_amount, before.calculated_amount)) {
    if (after.payment_status === 'paid') expectConfirmed(before, calculated_amount, confirmed)
    else if (!differ(after.total_amount, before.total_amount)) return { changes: {}, warnings }
  }
  return { changes: { calculated_amount }, warnings }
}

const CLAIM_FIELDS = ['relationship_id', 'period_start', 'period_end'] as const satisfies (keyof PaymentRow)[]

/**
 * Who types another total types it against the sum of now, or what changed since would be deducted twice. A sum that turned
 * negative is carried then, and where it is paid all the same.
 */
async function settle(tx: Tx, before: PaymentRow, after: PaymentRow, confirmed: Confirmation): Promise<Moved> {
  const sum = await lockSumOfPayment(tx, after.id)
  const becomesPaid = after.payment_status === 'paid' && before.payment_status !== 'paid'
  const isTyped = differ(after.total_amount, before.total_amount)
  if (!(becomesPaid || isTyped) || !differ(sum, before.calculated_amount)) {
    await settleEntries(tx, after.id, after.payment_status)
    return { changes: {}, warnings: [] }
  }
  if (becomesPaid) expectConfirmed(before, sum, confirmed)
  if (isAgainst(sum)) {
    await releaseEntries(tx, after.id, 'unreversed')
    return { changes: { calculated_amount: '0.00' }, warnings: ['BALANCE_CARRIED'] }
  }
  await settleEntries(tx, after.id, after.payment_status)
  return { changes: { calculated_amount: sum }, warnings: [] }
}

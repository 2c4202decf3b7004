import { inPesos, subtractAmounts, sumAmounts } from './money.ts'

/** Codes in `meta.warnings`: saved all the same; no commission is paid twice, but days might be (D43). */
export const paymentWarningTexts = {
  PERIOD_OVERLAP: 'El periodo se traslapa con otro pago de esta relación.',
  ENTRIES_LEFT: 'Quedaron comisiones del periodo fuera de este pago; siguen por pagar.',
  BALANCE_CARRIED:
    'Las comisiones suman un saldo en contra: este pago no tomó ninguna y el saldo se descontará del siguiente.',
} as const

export type PaymentWarning = keyof typeof paymentWarningTexts

/** D78, letter by letter. */
export const balanceAgainst = (amount: string): string =>
  `Saldo en contra de ${inPesos(amount.replace('-', ''))}; se descontará del siguiente pago`

/** Of a payment's entries: when its total was calculated, and now. Both are in `meta.sums` of the two refusals. */
export interface EntrySums {
  calculated_amount: string
  entries_amount: string
}

const sumsText = ({ calculated_amount, entries_amount }: EntrySums): string =>
  `sumaban ${inPesos(calculated_amount)} y ahora suman ${inPesos(entries_amount)}`

/** What the total still counts, or does not count yet, of commissions that changed since it was calculated. */
export const LATER_CHANGE = 'Cambio posterior de comisiones'

/** Total = commissions + their later change + adjustment. */
export const laterChangeOf = ({ calculated_amount, entries_amount }: EntrySums): string =>
  subtractAmounts(calculated_amount, entries_amount)

interface Amounts {
  payment_status: string
  total_amount: string
  entries_amount: string
  adjustment: string
}

/** What a payment stands for in a sum: what it holds now (D78). One that is cancelled holds nothing, and shows what it was. */
export const amountOf = ({ payment_status, total_amount, entries_amount, adjustment }: Amounts): string =>
  payment_status === 'cancelled' ? total_amount : sumAmounts([entries_amount, adjustment])

/** Where a sum differs from the totals that people see. */
export const CHANGED_SINCE_MADE = 'cambió desde que se hizo'

export const previewStale = (sums: EntrySums): string =>
  `Las comisiones cambiaron desde que calculaste: ${sumsText(sums)}. Calcula de nuevo.`

export const changedSince = (sums: EntrySums): string =>
  `Las comisiones cambiaron desde que se capturó el monto: ${sumsText(sums)}.`

export const totalChanged = (sums: EntrySums): string =>
  `${changedSince(sums)} Calcula de nuevo, o explica por qué se paga así.`

export const PAID_STAYS =
  'Un pago pagado no cambia de relación, de fechas, de cifras ni de comisiones. Regrésalo a pendiente antes.'
export const PAYMENT_PAID =
  'Este pago ya se pagó y no se elimina: su historia se conserva. Si fue un error, cancélalo y di por qué.'
export const CANCEL_REASON_REQUIRED = 'Explica por qué se cancela un pago que ya se pagó'
export const ADJUSTMENT_REASON_MIN = 3
export const ADJUSTMENT_REASON_SHORT = 'Explica el ajuste con 3 caracteres al menos'
export const PAYMENT_DATE_REQUIRED = 'La fecha de pago es requerida'

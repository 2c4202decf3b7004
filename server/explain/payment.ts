import type { ExplainNode, ExplainPart, Explanation } from '#contract/explain.ts'
import { inPesos, subtractAmounts, sumAmounts } from '#contract/money.ts'
import { type Payment, paymentStatusLabels } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { standing } from '../ledger/standing.ts'
import { getPayment } from '../payments/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'
import { inOrder } from './explain.ts'
import { dayOf, factsOf, NOTHING } from './facts.ts'
import { counted } from './lead.ts'

/** So many commissions by name; the rest is one sum, and the list of the payment has them all. */
const NAMED = 200

/** The total of a payment: its commissions and, where it was typed, what is above or below them. */
export const explainPayment = (db: Db, viewer: Viewer, id: number): Promise<Explanation> =>
  inSnapshot(db, async (tx) => {
    const payment = await getPayment(tx, viewer, id)
    const entries = await listParts(tx, id)
    const sum = sumAmounts(entries.map(({ amount }) => amount))
    // A cancelled payment gave its commissions back, and owes nothing.
    const amount = payment.payment_status === 'cancelled' ? sum : payment.total_amount
    const adjustment = subtractAmounts(amount, sum)
    const adjusted = adjustment === '0.00' ? [] : [{ ...NO_ENTRY, title: titleOf(payment), amount: adjustment }]
    return {
      subject: { kind: 'payment', id, amount, standing: null },
      sentence: sentenceOf(payment, amount, entries.length, sum, adjustment),
      parts: [...shortened(entries), ...adjusted],
      nodes: inOrder(nodesOf(payment)),
      gaps: [],
    }
  })

const NO_ENTRY = { entry: null, standing: null }

const titleOf = ({ adjustment_reason }: Payment) => ['Ajuste', adjustment_reason].filter(Boolean).join(': ')

async function listParts(tx: Tx, paymentId: number): Promise<ExplainPart[]> {
  const rows = await tx
    .selectFrom('commission_entry')
    .leftJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .where('payment_id', '=', paymentId)
    .where('of_payment', 'is', null)
    .where('state', '<>', 'reversed')
    .select(['commission_entry.id', 'commission_entry.lead_id', 'step_name', 'amount', standing.as('standing')])
    .orderBy('commission_entry.id')
    .execute()
  return rows.map(({ id, lead_id, step_name, ...row }) => ({
    entry: id,
    title: `${step_name}, lead ${lead_id}`,
    ...row,
  }))
}

function shortened(parts: ExplainPart[]): ExplainPart[] {
  const rest = parts.slice(NAMED)
  if (!rest.length) return parts
  const amount = sumAmounts(rest.map((part) => part.amount))
  return [...parts.slice(0, NAMED), { ...NO_ENTRY, title: `${counted(rest.length)} más`, amount }]
}

function sentenceOf(payment: Payment, amount: string, count: number, sum: string, adjustment: string): string {
  const { issuer_name, affiliate_name, period_start, period_end, payment_status, payment_date } = payment
  const adjusted = adjustment === '0.00' ? '' : ` y un ajuste de ${inPesos(adjustment)}`
  const status = {
    pending: 'Está pendiente',
    processing: 'Se está procesando',
    paid: `Pagado${payment_date ? ` el ${dayOf(payment_date)}` : ''}`,
    cancelled: 'Se canceló, y sus comisiones quedaron libres',
  }[payment_status]
  return `${inPesos(amount)} de ${issuer_name} a ${affiliate_name} por el periodo ${dayOf(period_start)} - ${dayOf(period_end)}: ${counted(count)} que ${count === 1 ? 'suma' : 'suman'} ${inPesos(sum)}${adjusted}. ${status}.`
}

const nodesOf = ({ id, created_at, total_amount, payment_status, cancel_reason, notes }: Payment): ExplainNode[] => [
  {
    ...{ ...NOTHING, kind: 'payment', at: created_at, title: `El pago ${id} se registró` },
    amount: total_amount,
    facts: factsOf({
      Estado: paymentStatusLabels[payment_status],
      'Motivo de la cancelación': cancel_reason,
      Notas: notes,
    }),
  },
]

import { sql } from 'kysely'
import type { ExplainNode, ExplainPart, Explanation } from '#contract/explain.ts'
import { inPesos } from '#contract/money.ts'
import { counted } from '#contract/numbers.ts'
import { LATER_CHANGE, laterChangeOf } from '#contract/payment-texts.ts'
import { type Payment, paymentStatusLabels } from '#contract/payments.ts'
import { dayFirst } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { stepNameOf } from '../ledger/origin.ts'
import { standing } from '../ledger/standing.ts'
import { getPayment } from '../payments/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'
import { inOrder } from './explain.ts'
import { factsOf, NOTHING } from './facts.ts'

/** So many commissions by name; the rest is one sum, and the list of the payment has them all. */
const NAMED = 200

/** The total of a payment: its commissions, how they changed since it was calculated, and what was typed above or below. */
export const explainPayment = (db: Db, viewer: Viewer, id: number): Promise<Explanation> =>
  inSnapshot(db, async (tx) => {
    const payment = await getPayment(tx, viewer, id)
    const named = await listNamed(tx, id)
    const [all, rest] = [await readHeld(tx, id), await readHeld(tx, id, named.at(-1)?.id)]
    // A cancelled payment gave its commissions back, and owes nothing.
    const isCancelled = payment.payment_status === 'cancelled'
    const amount = isCancelled ? all.sum : payment.total_amount
    const more = isCancelled ? [] : besides(payment, all.sum)
    return {
      subject: { kind: 'payment', id, amount, standing: null },
      sentence: sentenceOf(payment, amount, all, more),
      parts: [
        ...named.map(partOf),
        ...partsOf(rest),
        ...more.map(({ title, amount }) => ({ ...NO_ENTRY, title, amount })),
      ],
      nodes: inOrder(nodesOf(payment)),
      gaps: [],
    }
  })

const NO_ENTRY = { entry: null, standing: null }

/** What a payment holds, without what no longer counts. */
const entriesOf = (tx: Tx, paymentId: number) =>
  tx
    .selectFrom('commission_entry')
    .where('payment_id', '=', paymentId)
    .where('of_payment', 'is', null)
    .where('state', '<>', 'reversed')

const listNamed = (tx: Tx, paymentId: number) =>
  tx
    .selectFrom('commission_entry')
    .leftJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    // Not in the order of the key: of that PostgreSQL would read all that is older than the payment.
    .where('commission_entry.id', 'in', entriesOf(tx, paymentId).select('id').orderBy(sql`id + 0`).limit(NAMED))
    .select(['commission_entry.id', 'commission_entry.lead_id', stepNameOf])
    .select(['commission_entry.note', 'amount', standing.as('standing')])
    .orderBy('commission_entry.id')
    .execute()

type Entry = Awaited<ReturnType<typeof listNamed>>[number]

/** How many there are of each kind, and their sum; of those after one, or of all. */
const readHeld = (tx: Tx, paymentId: number, after = 0) =>
  entriesOf(tx, paymentId)
    .where('id', '>', after)
    .select([
      sql<number>`count(*)`.as('entries'),
      sql<number>`count(*) filter (where lead_id is not null)`.as('commissions'),
      sql<number>`count(*) filter (where lead_id is null and kind = 'bonus')`.as('bonuses'),
      sql<number>`count(*) filter (where lead_id is null and kind <> 'bonus')`.as('adjustments'),
      sql<string>`coalesce(sum(amount), 0.00)`.as('sum'),
    ])
    .executeTakeFirstOrThrow()

type Held = Awaited<ReturnType<typeof readHeld>>

const titled = (...texts: (string | null)[]): string => texts.filter(Boolean).join(': ')

const partOf = ({ id, lead_id, step_name, note, amount, standing }: Entry): ExplainPart => ({
  entry: id,
  title: lead_id === null ? titled(step_name, note) : `${step_name}, lead ${lead_id}`,
  amount,
  standing,
})

const partsOf = (rest: Held): ExplainPart[] =>
  rest.entries ? [{ ...NO_ENTRY, title: `${countsOf(rest)} más`, amount: rest.sum }] : []

/** Without those that are nothing. */
const besides = ({ calculated_amount, adjustment, adjustment_reason }: Payment, sum: string) =>
  [
    {
      ...{ title: LATER_CHANGE, name: `un ${LATER_CHANGE.toLowerCase()}` },
      amount: laterChangeOf({ calculated_amount, entries_amount: sum }),
    },
    { title: titled('Ajuste', adjustment_reason), name: 'un ajuste', amount: adjustment },
  ].filter(({ amount }) => amount !== '0.00')

const list = new Intl.ListFormat('es-MX')

/** '2 comisiones, 1 bono y 3 ajustes' */
function countsOf({ entries, commissions, bonuses, adjustments }: Held): string {
  const counts = [
    ...(commissions || !entries ? [counted(commissions, 'comisión', 'comisiones')] : []),
    ...(bonuses ? [counted(bonuses, 'bono', 'bonos')] : []),
    ...(adjustments ? [counted(adjustments, 'ajuste', 'ajustes')] : []),
  ]
  return list.format(counts)
}

function sentenceOf(payment: Payment, amount: string, all: Held, more: ReturnType<typeof besides>): string {
  const { issuer_name, affiliate_name, period_start, period_end, payment_status, payment_date } = payment
  const status = {
    pending: 'Está pendiente',
    processing: 'Se está procesando',
    paid: `Pagado${payment_date ? ` el ${dayFirst(payment_date)}` : ''}`,
    cancelled: 'Se canceló, y sus comisiones quedaron libres',
  }[payment_status]
  const held = `${countsOf(all)} que ${all.entries === 1 ? 'suma' : 'suman'} ${inPesos(all.sum)}`
  const what = list.format([held, ...more.map((part) => `${part.name} de ${inPesos(part.amount)}`)])
  return `${inPesos(amount)} de ${issuer_name} a ${affiliate_name} por el periodo ${dayFirst(period_start)} - ${dayFirst(period_end)}: ${what}. ${status}.`
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

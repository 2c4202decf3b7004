import { type Standing, waitsFor } from '#contract/commission-entries.ts'
import type { ExplainNode, Explanation } from '#contract/explain.ts'
import { inPesos } from '#contract/money.ts'
import { type PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import { dayFirst } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import { holdsOf, inOrder } from './explain.ts'
import { factsOf, NOTHING } from './facts.ts'
import { findTyped, listTypedChain } from './queries.ts'

type Typed = NonNullable<Awaited<ReturnType<typeof findTyped>>>

/**
 * A bonus or an adjustment, which a person made; who it was, its affiliate does not read. One that compensates a commission
 * may have been taken back with its lead after it was paid, and given back.
 */
export async function explainTyped(tx: Tx, viewer: Viewer, id: number): Promise<Explanation> {
  const entry = await findTyped(tx, viewer, id)
  if (!entry) throw notFound('Comisión')
  const chain: Typed[] = []
  for (const one of await listTypedChain(tx, id)) {
    const link = await findTyped(tx, viewer, one)
    if (link) chain.push(link)
  }
  const [made = entry, ...answers] = chain
  return {
    subject: { kind: 'entry', id, amount: entry.amount, standing: entry.standing as Standing },
    sentence: sentenceOf(entry, made),
    parts: [],
    nodes: inOrder([
      ...[...compensatedBy(made), madeBy(viewer, made), ...answers.map(answerOf)],
      ...(await holdsOf(tx, viewer, chain, `El ${nameOf(made).toLowerCase()}`)),
      ...chain.flatMap(paymentOf),
    ]),
    gaps:
      made.author_name === null
        ? ['Es anterior al registro de autores de los ajustes: no consta quién lo capturó.']
        : [],
  }
}

const nameOf = ({ kind }: Typed): string => (kind === 'bonus' ? 'Bono' : 'Ajuste')

function sentenceOf(entry: Typed, made: Typed): string {
  const { amount, reason, note } = entry
  const waits = waitsFor(entry as Parameters<typeof waitsFor>[0], dayFirst)
  const why = entry.id === made.id ? note : reason
  return `${inPesos(amount)}: ${whatOf(entry, made)}. ${why}. ${waits}.`.replaceAll('..', '.')
}

function whatOf(entry: Typed, made: Typed): string {
  const parties = `de ${entry.issuer_name} a ${entry.affiliate_name}`
  if (entry.of_payment !== null)
    return `diferencia entre el monto capturado del pago ${entry.of_payment} y sus comisiones`
  if (entry.id === made.id) return `${nameOf(entry).toLowerCase()} ${parties}`
  return `${entry.kind === 'reversal' ? 'reversión' : 'devolución'} del ajuste ${made.id} ${parties}`
}

/** Of a payment that had it already. */
const answerOf = ({ kind, amount, earned_at, state, reason }: Typed): ExplainNode => ({
  ...{ ...NOTHING, kind: 'entry', at: earned_at, amount },
  title: `${kind === 'reversal' ? 'El ajuste se revirtió con su lead' : 'El ajuste se devolvió con su lead'}${state === 'reversed' ? ' (ya no cuenta)' : ''}`,
  facts: factsOf({ Motivo: reason }),
})

/** The commission whose amount it brings to that of a later rate. */
function compensatedBy({ compensated_id, compensated_lead, compensated_amount, compensated_at }: Typed): ExplainNode[] {
  if (compensated_id === null || compensated_lead === null || compensated_at === null) return []
  return [
    {
      ...NOTHING,
      kind: 'entry',
      at: compensated_at,
      title: `Compensa la comisión ${compensated_id} del lead ${compensated_lead}`,
      amount: compensated_amount,
      link: { kind: 'lead', id: compensated_lead },
    },
  ]
}

const madeBy = ({ role }: Viewer, entry: Typed): ExplainNode => ({
  ...{ ...NOTHING, kind: 'entry', at: entry.earned_at, title: `${nameOf(entry)} capturado por una persona` },
  amount: entry.amount,
  facts: factsOf({
    Motivo: entry.note,
    Autor: role === 'admin' ? entry.author_name : null,
    Producto: entry.product_name,
    [entry.is_voided ? 'Se anuló' : 'No cuenta']: entry.state === 'reversed' ? entry.reason : null,
  }),
})

function paymentOf({
  payment_id,
  payment_status,
  payment_date,
  payment_made_at,
  paid_at,
  ...entry
}: Typed): ExplainNode[] {
  if (payment_id === null || payment_status === null) return []
  return [
    {
      kind: 'payment',
      at: paid_at ?? payment_made_at ?? entry.earned_at,
      title: `${paidAs(entry)} el pago ${payment_id}`,
      amount: entry.amount,
      facts: factsOf({
        Estado: paymentStatusLabels[payment_status as PaymentStatus],
        'Fecha de pago': payment_date && dayFirst(payment_date),
      }),
      link: { kind: 'payment', id: payment_id },
    },
  ]
}

function paidAs({ kind, state }: Pick<Typed, 'kind' | 'state'>): string {
  const name = { bonus: 'El bono', adjustment: 'El ajuste', reversal: 'La reversión' }[kind] ?? 'La devolución'
  return `${name} ${state === 'reversed' ? 'estaba en' : state === 'paid' ? 'se pagó en' : 'entra en'}`
}

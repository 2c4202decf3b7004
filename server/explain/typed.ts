import { type Standing, waitsFor } from '#contract/commission-entries.ts'
import type { ExplainNode, Explanation } from '#contract/explain.ts'
import { inPesos } from '#contract/money.ts'
import { type PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import type { Tx } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import { dayOf, factsOf, NOTHING } from './facts.ts'
import { findTyped } from './queries.ts'

type Typed = NonNullable<Awaited<ReturnType<typeof findTyped>>>

/** A bonus or an adjustment, which a person made; who it was, its affiliate does not read. */
export async function explainTyped(tx: Tx, viewer: Viewer, id: number): Promise<Explanation> {
  const entry = await findTyped(tx, viewer, id)
  if (!entry) throw notFound('Comisión')
  return {
    subject: { kind: 'entry', id, amount: entry.amount, standing: entry.standing as Standing },
    sentence: sentenceOf(entry),
    parts: [],
    nodes: [...compensatedBy(entry), madeBy(viewer, entry), ...paymentOf(entry)],
    gaps:
      entry.author_name === null
        ? ['Es anterior al registro de autores de los ajustes: no consta quién lo capturó.']
        : [],
  }
}

const nameOf = ({ kind }: Typed): string => (kind === 'bonus' ? 'Bono' : 'Ajuste')

function sentenceOf(entry: Typed): string {
  const { amount, issuer_name, affiliate_name, of_payment, note } = entry
  const what =
    of_payment === null
      ? `${nameOf(entry).toLowerCase()} de ${issuer_name} a ${affiliate_name}`
      : `diferencia entre el monto capturado del pago ${of_payment} y sus comisiones`
  const waits = waitsFor(entry as Parameters<typeof waitsFor>[0], dayOf)
  return `${inPesos(amount)}: ${what}. ${note}. ${waits}.`.replaceAll('..', '.')
}

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
    'Se anuló': entry.state === 'reversed' ? entry.reason : null,
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
      title: `El ${nameOf(entry as Typed).toLowerCase()} entra en el pago ${payment_id}`,
      amount: entry.amount,
      facts: factsOf({
        Estado: paymentStatusLabels[payment_status as PaymentStatus],
        'Fecha de pago': payment_date && dayOf(payment_date),
      }),
      link: { kind: 'payment', id: payment_id },
    },
  ]
}

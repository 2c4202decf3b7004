import type { ExplainNode } from '#contract/explain.ts'
import { type HoldReason, holdReasonLabels } from '#contract/holds.ts'
import { inPesos } from '#contract/money.ts'
import { paymentStatusLabels } from '#contract/payments.ts'
import { dayFirst } from '#contract/time.ts'
import { wordName } from '#contract/words.ts'
import type { Tx } from '#db/connect.ts'
import type { listRulings } from '../rulings/queries.ts'
import type { Viewer } from '../viewer.ts'
import { cameFacts, eventOf, type Named, type Report, reportOf } from './event.ts'
import { factsOf, NOTHING } from './facts.ts'
import { type Found, type Link, listHolds, type listRejections } from './queries.ts'

interface Chain {
  chain: Link[]
  /** Of its step, after it was void. */
  reports: Report[]
}

/** Of the commission of one step: its rate, its events and what became of it. */
export async function nodesOf(tx: Tx, viewer: Viewer, found: Named, { chain, reports }: Chain): Promise<ExplainNode[]> {
  const [first] = chain
  if (!first) return []
  return [
    ...rateOf(first),
    eventOf(viewer, found, first),
    ...reports.filter(({ told_by }) => told_by !== first.told_by).map((one) => reportOf(viewer, found, one)),
    ...approvalOf(first),
    ...(await holdsOf(tx, viewer, chain, 'La comisión')),
    ...chain.slice(1).map(answerOf),
    ...chain.flatMap(paymentOf),
  ]
}

export const inOrder = (nodes: ExplainNode[]): ExplainNode[] =>
  nodes.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))

const rateOf = ({ rate_amount, rate_commission, rate_step, valid_from, step_name }: Link): ExplainNode[] => {
  if (valid_from === null) return []
  const what = rate_commission === null ? 'Tarifa general del producto:' : 'Tarifa de'
  const facts = factsOf({ Paso: rate_step === null ? null : step_name })
  return [{ ...NOTHING, kind: 'rate', at: valid_from, title: `${what} ${inPesos(rate_amount ?? '0')} por lead`, facts }]
}

/** What chains of commissions cannot tell. */
export const gapsOf = (chains: Link[][]): string[] =>
  chains.some(([first]) => first?.valid_from === null)
    ? ['Es anterior al registro de tarifas con fecha: no consta desde cuándo valía.']
    : []

type Clicked = Omit<Found, 'id' | 'step_id'>

export const clickOf = ({
  lead_id,
  external_id,
  utm_source,
  utm_campaign,
  clicked_at,
  affiliate_name,
}: Clicked): ExplainNode => ({
  kind: 'click',
  at: clicked_at,
  title: 'Clic en el enlace',
  amount: null,
  facts: factsOf({
    Afiliado: affiliate_name,
    'External ID': external_id,
    'UTM Source': utm_source,
    'UTM Campaign': utm_campaign,
  }),
  link: { kind: 'lead', id: lead_id },
})

/** Of a commission that did not count without it. */
const approvalOf = ({ approved_at, approved_by, validation_ends_on }: Link): ExplainNode[] =>
  approved_at === null
    ? []
    : [
        {
          ...NOTHING,
          kind: 'approval',
          at: approved_at,
          title: 'La comisión se aprobó',
          facts: factsOf({
            Autor: approved_by,
            'Validación hasta': validation_ends_on && dayFirst(validation_ends_on),
          }),
        },
      ]

/** That entries were set apart, and let go of. `what` was: 'La comisión', 'El bono'. */
export const holdsOf = async (tx: Tx, viewer: Viewer, chain: readonly { id: number }[], what: string) =>
  (await listHolds(tx, viewer, chain)).flatMap((one) => holdOf(viewer, one, what))

type Hold = Awaited<ReturnType<typeof listHolds>>[number]

/** What administrators noted is theirs. */
function holdOf({ role }: Viewer, hold: Hold, what: string): ExplainNode[] {
  const noteFor = (note: string | null) => (role === 'admin' ? note : null)
  const held: ExplainNode = {
    ...{ ...NOTHING, kind: 'hold', at: hold.opened_at, title: `${what} se retuvo` },
    facts: factsOf({
      Motivo: holdReasonLabels[hold.reason as HoldReason],
      Autor: hold.opened_by,
      Nota: noteFor(hold.note),
    }),
  }
  if (hold.released_at === null) return [held]
  const facts = factsOf({ Autor: hold.released_by, Nota: noteFor(hold.release_note) })
  return [held, { ...NOTHING, kind: 'release', at: hold.released_at, title: `${what} se liberó`, facts }]
}

type Rejection = Awaited<ReturnType<typeof listRejections>>[number]

export function rejectionOf(
  viewer: Viewer,
  { step_name, source, created_at, label, ...event }: Rejection,
): ExplainNode {
  const facts = factsOf({
    Motivo: label ?? 'Sin motivo informado',
    Fuente: wordName('source', source),
    ...cameFacts(viewer, event),
  })
  return { ...NOTHING, kind: 'rejection', at: created_at, title: `El lead se rechazó: «${step_name}»`, facts }
}

export const restoreOf = ({
  created_at,
  author_name,
  note,
}: Awaited<ReturnType<typeof listRulings>>[number]): ExplainNode => ({
  ...NOTHING,
  kind: 'restore',
  at: created_at,
  title: 'El lead se reactivó',
  facts: factsOf({ Autor: author_name, Nota: note }),
})

/** Of a payment that had it already. */
const answerOf = ({ kind, amount, earned_at, state }: Link): ExplainNode => ({
  ...NOTHING,
  kind: 'entry',
  at: earned_at,
  title: `${kind === 'reversal' ? 'Cargo por cancelación' : 'La comisión se devolvió'}${state === 'reversed' ? ' (ya no cuenta)' : ''}`,
  amount,
})

function paymentOf({
  payment_id,
  payment_status,
  payment_date,
  period_start,
  period_end,
  ...link
}: Link): ExplainNode[] {
  if (payment_id === null || payment_status === null) return []
  const isPaid = link.state === 'paid'
  const [held, paid] = link.kind === 'reversal' ? ['se descuenta en', 'se descontó en'] : ['entra en', 'se pagó en']
  const doing = link.state === 'reversed' ? 'estaba en' : isPaid ? paid : held
  return [
    {
      kind: 'payment',
      at: link.paid_at ?? link.payment_made_at ?? link.earned_at,
      title: `${link.kind === 'reversal' ? 'El cargo' : 'La comisión'} ${doing} el pago ${payment_id}`,
      amount: link.amount,
      facts: factsOf({
        Estado: paymentStatusLabels[payment_status as keyof typeof paymentStatusLabels],
        Periodo: period_start && period_end && `${dayFirst(period_start)} - ${dayFirst(period_end)}`,
        'Fecha de pago': payment_date && dayFirst(payment_date),
      }),
      link: { kind: 'payment', id: payment_id },
    },
  ]
}

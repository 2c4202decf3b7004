import { waitsFor } from '#contract/commission-entries.ts'
import { REJECTED } from '#contract/event-steps.ts'
import type { Explanation } from '#contract/explain.ts'
import { inPesos } from '#contract/money.ts'
import { dayFirst } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import { listRulings } from '../rulings/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'
import { type Report, reportedAgain } from './event.ts'
import { clickOf, gapsOf, inOrder, nodesOf, rejectionOf, restoreOf } from './explain.ts'
import { day, moment } from './facts.ts'
import { importNodesOf } from './imports.ts'
import { type Found, findEntry, type Link, listChain, listRejections, listReports } from './queries.ts'
import { explainTyped } from './typed.ts'

/** What an entry comes from. Senders' ids, networks and fingerprints are for the issuer and the administrator. */
export const explainEntry = (db: Db, viewer: Viewer, id: number): Promise<Explanation> =>
  inSnapshot(db, async (tx) => {
    const found = await findEntry(tx, viewer, id)
    if (!found) return explainTyped(tx, viewer, id)
    const chain = await listChain(tx, viewer, found)
    const [first] = chain
    const entry = chain.find((one) => one.id === id)
    if (!first || !entry) throw notFound('Comisión')
    const rejections = await listRejections(tx, viewer, found.lead_id)
    const reports = await listReports(tx, found.lead_id, found.step_id)
    const nodes = [
      clickOf(found),
      ...rejections.map((one) => rejectionOf(viewer, one)),
      ...(await listRulings(tx, viewer, found.lead_id)).map(restoreOf),
      ...(await importNodesOf(tx, viewer, found.lead_id)),
      ...(await nodesOf(tx, viewer, found, { chain, reports })),
    ]
    return {
      subject: { kind: 'entry', id, amount: entry.amount, standing: entry.standing },
      sentence: sentenceOf(viewer, { found, chain, rejections, reports }, entry),
      parts: [],
      nodes: inOrder(nodes),
      gaps: gapsOf([chain]),
    }
  })

interface Facts {
  found: Found
  chain: Link[]
  rejections: Awaited<ReturnType<typeof listRejections>>
  reports: Report[]
}

const leadOf = ({ tracking_id }: Found): string => `lead ${tracking_id.slice(0, 8)}…`

function sentenceOf(viewer: Viewer, facts: Facts, entry: Link): string {
  const why = {
    commission: earnedBy(viewer, facts, entry),
    reversal: takenBy(facts, entry),
    restoration: givenBackBy(facts, entry),
  }[entry.kind as 'commission' | 'reversal' | 'restoration']
  return `${inPesos(entry.amount)} porque el ${why} ${waitsFor(entry as Parameters<typeof waitsFor>[0], dayFirst)}.`.replace(
    /\.\.$/,
    '.',
  )
}

function earnedBy({ role }: Viewer, { found, chain: [first] }: Facts, entry: Link): string {
  const through = role === 'affiliate' ? 'tu enlace' : `el enlace de ${found.affiliate_name}`
  const rate = first?.valid_from
    ? ` Tarifa ${first.rate_commission === null ? 'general ' : ''}vigente desde el ${day(first.valid_from)}.`
    : ''
  return `${moment(entry.told_at)} ${found.issuer_name} reportó «${entry.step_name}» del ${leadOf(found)}, que llegó por ${through} el ${day(found.clicked_at)}.${rate}`
}

/** As settle_leads() says of an entry whose event was voided. */
const VOIDED = 'Evento anulado'

/** One that counts says why it does; of one that counts no more its event tells why it was made. */
function takenBy({ found, chain }: Facts, entry: Link): string {
  const isVoid = entry.state === 'reversed' ? entry.event_type_name !== REJECTED : entry.reason === VOIDED
  return isVoid
    ? `${moment(entry.earned_at)} se anuló el evento que ganó la comisión del ${leadOf(found)}, que ya se había pagado${paidBefore(chain, entry)}.`
    : `${moment(entry.earned_at)} se rechazó el ${leadOf(found)}, cuya comisión ya se había pagado${paidBefore(chain, entry)}.`
}

/** What gave it back was written with it, so at the same moment. */
function givenBackBy({ found, chain, rejections, reports }: Facts, entry: Link): string {
  const at = moment(entry.earned_at)
  const before = paidBefore(chain, entry)
  const report = reports.find(({ told_at }) => told_at === entry.earned_at)
  if (report)
    return `${at} la comisión del ${leadOf(found)}, que se había descontado${before}, volvió a valer: ${reportedAgain(found, report)}.`
  const what = rejections.some(({ voided_at }) => voided_at === entry.earned_at)
    ? 'anuló el rechazo del'
    : 'reactivó el'
  return `${at} se ${what} ${leadOf(found)}, cuya comisión se había descontado${before}.`
}

function paidBefore(chain: Link[], entry: Link): string {
  const before = chain[chain.indexOf(entry) - 1]
  return before?.payment_id ? ` en el pago ${before.payment_id}` : ''
}

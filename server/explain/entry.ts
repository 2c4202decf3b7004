import { waitsFor } from '#contract/commission-entries.ts'
import type { Explanation } from '#contract/explain.ts'
import { inPesos } from '#contract/money.ts'
import { dayFirst } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import { listRulings } from '../rulings/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'
import { clickOf, gapsOf, inOrder, nodesOf, rejectionOf, restoreOf } from './explain.ts'
import { day, moment } from './facts.ts'
import { importNodesOf } from './imports.ts'
import { type Found, findEntry, type Link, listChain, listRejections } from './queries.ts'
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
    const nodes = [
      clickOf(found),
      ...(await listRejections(tx, found.lead_id)).map((one) => rejectionOf(viewer, one)),
      ...(await listRulings(tx, viewer, found.lead_id)).map(restoreOf),
      ...(await importNodesOf(tx, viewer, found.lead_id)),
      ...(await nodesOf(tx, viewer, found, chain)),
    ]
    return {
      subject: { kind: 'entry', id, amount: entry.amount, standing: entry.standing },
      sentence: sentenceOf(viewer, found, chain, entry),
      parts: [],
      nodes: inOrder(nodes),
      gaps: gapsOf([chain]),
    }
  })

/** As settle_leads() says of an entry whose event was voided. */
const VOIDED = 'Evento anulado'

function sentenceOf(viewer: Viewer, found: Found, chain: Link[], entry: Link): string {
  const amount = inPesos(entry.amount)
  const lead = `del lead ${found.tracking_id.slice(0, 8)}…`
  const [first] = chain
  const before = chain[chain.indexOf(entry) - 1]
  const inPayment = before?.payment_id ? ` en el pago ${before.payment_id}` : ''
  const why = {
    commission: `porque el ${moment(entry.told_at)} ${found.issuer_name} reportó «${entry.step_name}» ${lead}, que llegó por ${
      viewer.role === 'affiliate' ? 'tu enlace' : `el enlace de ${found.affiliate_name}`
    } el ${day(found.clicked_at)}.${first?.valid_from ? ` Tarifa ${first.rate_commission === null ? 'general ' : ''}vigente desde el ${day(first.valid_from)}.` : ''}`,
    reversal: `porque el ${moment(entry.earned_at)} se ${entry.reason === VOIDED ? 'anuló el evento del' : 'rechazó el'} lead ${found.tracking_id.slice(0, 8)}…, cuya comisión ya se había pagado${inPayment}.`,
    restoration: `porque el ${moment(entry.earned_at)} se reactivó el lead ${found.tracking_id.slice(0, 8)}…, cuya comisión se había descontado${inPayment}.`,
  }[entry.kind as 'commission' | 'reversal' | 'restoration']
  return `${amount} ${why} ${waitsFor(entry as Parameters<typeof waitsFor>[0], dayFirst)}.`.replace(/\.\.$/, '.')
}

import type { Explanation } from '#contract/explain.ts'
import { inPesos, sumAmounts } from '#contract/money.ts'
import { counted } from '#contract/numbers.ts'
import type { Db } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import { listRulings, readRejection } from '../rulings/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'
import { clickOf, gapsOf, inOrder, nodesOf, rejectionOf, restoreOf } from './explain.ts'
import { day } from './facts.ts'
import { importNodesOf } from './imports.ts'
import { findLead, type Link, listChains, listRejections, listReports } from './queries.ts'

/** What a lead earned and kept, commission by commission. */
export const explainLead = (db: Db, viewer: Viewer, id: number): Promise<Explanation> =>
  inSnapshot(db, async (tx) => {
    const found = await findLead(tx, viewer, id)
    if (!found) throw notFound('Lead', 'encontrado')
    const byStep = await listChains(tx, viewer, id)
    const chains = [...byStep.values()]
    const nodes = [
      clickOf(found),
      ...(await listRejections(tx, viewer, id)).map((one) => rejectionOf(viewer, one)),
      ...(await listRulings(tx, viewer, id)).map(restoreOf),
      ...(await importNodesOf(tx, viewer, id)),
    ]
    for (const [stepId, chain] of byStep)
      nodes.push(...(await nodesOf(tx, viewer, found, { chain, reports: await listReports(tx, id, stepId) })))
    const parts = chains
      .flat()
      .filter(({ state }) => state !== 'reversed')
      .map(partOf)
    const amount = sumAmounts(parts.map((part) => part.amount))
    const rejection = await readRejection(tx, viewer, id)
    const through = viewer.role === 'affiliate' ? 'tu enlace' : `el enlace de ${found.affiliate_name}`
    const sentence = [
      `${inPesos(amount)} por ${counted(parts.length, 'comisión', 'comisiones')} del lead ${found.tracking_id.slice(0, 8)}…, que llegó por ${through} el ${day(found.clicked_at)}.`,
      rejection && `Está rechazado: ${rejection.label}.`,
    ]
    return {
      subject: { kind: 'lead', id, amount, standing: null },
      sentence: sentence.filter(Boolean).join(' '),
      parts,
      nodes: inOrder(nodes),
      gaps: gapsOf(chains),
    }
  })

const partOf = ({ id, step_name, amount, standing }: Link) => ({ entry: id, title: step_name, amount, standing })

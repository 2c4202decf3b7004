import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Explainable } from '#contract/explain.ts'
import { readNumberId, readTrackingId } from '#contract/outside-ids.ts'
import { dayFirst } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { visibleLeads } from '../leads/filters.ts'
import { ownParties } from '../parties.ts'
import { visiblePayments } from '../payments/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Viewer } from '../viewer.ts'
import { day } from './facts.ts'

/** By whole ids alone: a part of one would mean many. */
export const searchExplainable = (db: Db, viewer: Viewer, text: string): Promise<Explainable[]> =>
  inSnapshot(db, async (tx) => {
    const tracking = readTrackingId(text)
    if (tracking) return findLeads(tx, viewer, sql`lead.tracking_id = ${tracking}::uuid`)
    const id = readNumberId(text)
    if (id === undefined) return []
    return [
      ...(await findEntries(tx, viewer, id)),
      ...(await findPayments(tx, viewer, id)),
      ...(await findLeads(tx, viewer, sql`lead.id = ${id}`)),
    ]
  })

async function findLeads(tx: Tx, viewer: Viewer, condition: RawBuilder<SqlBool>): Promise<Explainable[]> {
  const rows = await visibleLeads(tx, viewer)
    .innerJoin('product', 'product.id', 'lead.product_id')
    .where(condition)
    .select(['lead.id', 'lead.created_at', 'product.name'])
    .orderBy('lead.tracking_id')
    .execute()
  return rows.map(({ id, created_at, name }) => ({
    ...{ kind: 'lead', id, title: `Lead ${id}: ${name}, clic del ${day(created_at)}`, amount: null },
  }))
}

async function findEntries(tx: Tx, viewer: Viewer, id: number): Promise<Explainable[]> {
  let rows = tx.selectFrom('commission_entry').where('commission_entry.id', '=', id)
  for (const [party, own] of ownParties(viewer)) rows = rows.where(`commission_entry.${party}`, '=', own)
  const found = await rows
    // A bonus or an adjustment has neither.
    .leftJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .select(['commission_entry.kind', 'commission_entry.note', 'step_name', 'amount', 'commission_entry.lead_id'])
    .execute()
  return found.map(({ kind, note, step_name, amount, lead_id }) => ({
    ...{ kind: 'entry', id, amount },
    title:
      lead_id === null
        ? `${kind === 'bonus' ? 'Bono' : 'Ajuste'} ${id}: ${note}`
        : `Comisión ${id}: ${step_name}, lead ${lead_id}`,
  }))
}

async function findPayments(tx: Tx, viewer: Viewer, id: number): Promise<Explainable[]> {
  const rows = await visiblePayments(tx, viewer)
    .clearSelect()
    .where('payment.id', '=', id)
    .select(['issuer.company_name as issuer_name', 'affiliate.company_name as affiliate_name'])
    .select(['payment.period_start', 'payment.period_end', 'payment.total_amount'])
    .execute()
  return rows.map(({ issuer_name, affiliate_name, period_start, period_end, total_amount }) => ({
    kind: 'payment',
    id,
    title: `Pago ${id}: ${issuer_name} a ${affiliate_name}, ${dayFirst(period_start)} - ${dayFirst(period_end)}`,
    amount: total_amount,
  }))
}

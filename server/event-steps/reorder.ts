import { sql } from 'kysely'
import { type EventStep, ONE_FLOW, type Reorder, STEPS_REPEATED } from '#contract/event-steps.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { invalid, notFound } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import { inSpanish, listSteps, lockFlow } from './queries.ts'

/** Sets all of the new orders or none; other steps keep theirs (D34, D35). */
export async function reorderSteps(db: Db, viewer: Viewer, { step_orders }: Reorder): Promise<EventStep[]> {
  const orders = new Map(step_orders.map((step) => [step.step_id, step.new_order]))
  if (orders.size < step_orders.length || new Set(orders.values()).size < orders.size)
    throw invalid('step_orders', STEPS_REPEATED)
  const ids = [...orders.keys()]
  return db.transaction().execute(async (tx) => {
    const productId = await onlyProductOf(tx, ids)
    const product = await lockFlow(tx, productId)
    const before = await findSteps(tx, ids)
    if (!product || before.length < ids.length) throw notFound('Paso')
    await inSpanish(moveSteps(tx, orders))
    await audit(tx, viewer, {
      action: 'reorder',
      entity: 'product',
      entityId: productId,
      label: product.name,
      before: Object.fromEntries(before.map((step) => [`step_${step.id}`, step.step_order])),
      after: Object.fromEntries(before.map((step) => [`step_${step.id}`, orders.get(step.id)])),
    })
    return listSteps(tx, viewer, { product_id: productId })
  })
}

const findSteps = (tx: Tx, ids: number[]) =>
  tx
    .selectFrom('event_step')
    .select(['id', 'product_id', 'step_order'])
    .where('id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute()

async function onlyProductOf(tx: Tx, ids: number[]): Promise<number> {
  const steps = await findSteps(tx, ids)
  const [productId, ...others] = new Set(steps.map((step) => step.product_id))
  if (!productId || steps.length < ids.length) throw notFound('Paso')
  if (others.length) throw invalid('step_orders', ONE_FLOW)
  return productId
}

/** One statement: the constraint is checked at its end, so two steps may swap places. */
const moveSteps = (tx: Tx, orders: Map<number, number>) =>
  sql`
    update event_step set step_order = moved.step_order
    from unnest(${[...orders.keys()]}::bigint[], ${[...orders.values()]}::integer[]) as moved (id, step_order)
    where event_step.id = moved.id and event_step.archived_at is null
  `.execute(tx)

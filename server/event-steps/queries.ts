import { type RawBuilder, sql } from 'kysely'
import {
  type EventStep,
  type EventStepCreate,
  type EventStepFilters,
  type EventStepUpdate,
  type EventType,
  ORDER_TAKEN,
} from '#contract/event-steps.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { conflict, invalid, notFound, violates } from '../http/errors.ts'
import { expectUnchanged } from '../http/http.ts'
import { visibleProducts } from '../products/queries.ts'
import type { Reader, Viewer } from '../viewer.ts'

/** Every read of steps starts here: viewers of a product see its flow. */
function visibleSteps(db: Db | Tx, viewer: Reader) {
  return db
    .selectFrom('event_step')
    .innerJoin(visibleProducts(db, viewer).as('product'), 'product.id', 'event_step.product_id')
    .innerJoin('event_type', 'event_type.id', 'event_step.event_type_id')
    .where('event_step.archived_at', 'is', null)
    .select([
      'event_step.id',
      'event_step.product_id',
      'product.name as product_name',
      'product.issuer as issuer_id',
      'product.issuer_name',
      'event_step.event_type_id',
      'event_type.name as event_type_name',
      'event_step.name',
      'event_step.description',
      'event_step.step_order',
      'event_step.is_payout_event',
      'event_step.created_at',
      'event_step.updated_at',
    ])
}

/** The rows of a list of steps, in order; for the whole list or a file. */
export function filteredSteps(db: Db | Tx, viewer: Reader, filters: EventStepFilters) {
  let rows = visibleSteps(db, viewer)
  if (filters.issuer_id) rows = rows.where('product.issuer', '=', filters.issuer_id)
  if (filters.product_id) rows = rows.where('event_step.product_id', '=', filters.product_id)
  return rows.orderBy('event_step.product_id').orderBy('event_step.step_order').orderBy('event_step.id')
}

export const listSteps = (db: Db | Tx, viewer: Viewer, filters: EventStepFilters): Promise<EventStep[]> =>
  filteredSteps(db, viewer, filters).execute()

export async function listStepsOfProduct(db: Db, viewer: Viewer, productId: number): Promise<EventStep[]> {
  const product = await visibleProducts(db, viewer).where('product.id', '=', productId).executeTakeFirst()
  if (!product) throw notFound('Producto')
  return listSteps(db, viewer, { product_id: productId })
}

export async function getStep(db: Db | Tx, viewer: Viewer, id: number): Promise<EventStep> {
  const row = await visibleSteps(db, viewer).where('event_step.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Paso')
  return row
}

/** The new step is the last of the product's flow, unless the caller names a free order (D33). */
export async function createStep(db: Db, viewer: Viewer, form: EventStepCreate): Promise<EventStep> {
  const { issuer_id, step_order, ...columns } = form
  return db.transaction().execute(async (tx) => {
    const product = await lockFlow(tx, form.product_id)
    if (product?.issuer_id !== issuer_id) throw invalid('product_id', 'Debe seleccionar un producto')
    const order = step_order ?? (await nextOrder(tx, form.product_id))
    const { id } = await inSpanish(
      tx
        .insertInto('event_step')
        .values({ ...columns, step_order: order })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const after = { ...columns, step_order: order }
    await audit(tx, viewer, { action: 'create', entity: 'event_step', entityId: id, label: form.name, after })
    return getStep(tx, viewer, id)
  })
}

/**
 * Every change of a flow locks its product's row until the commit, so that changes of one flow are serialized. Undefined
 * when the product is archived.
 */
export const lockFlow = (tx: Tx, productId: number | RawBuilder<number>) =>
  tx
    .selectFrom('product')
    .select(['id', 'name', 'issuer_id'])
    .where('id', '=', productId)
    .where('archived_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

async function nextOrder(tx: Tx, productId: number): Promise<number> {
  const { highest } = await tx
    .selectFrom('event_step')
    .select((eb) => eb.fn.max('live_order').as('highest'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  return (highest ?? 0) + 1
}

/** Translates the constraints of steps into messages. */
export async function inSpanish<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (violates(error, 'event_step_order_key')) throw conflict(ORDER_TAKEN)
    if (violates(error, 'event_step_event_type_id_fkey'))
      throw invalid('event_type_id', 'Debe seleccionar un tipo de evento')
    throw error
  }
}

async function lockStep(tx: Tx, id: number) {
  await lockFlow(tx, sql<number>`(select product_id from event_step where id = ${id})`)
  const row = await tx
    .selectFrom('event_step')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Paso')
  return row
}

export async function updateStep(
  db: Db,
  viewer: Viewer,
  stepId: number,
  { id: _, ...form }: EventStepUpdate,
  ifMatch?: string,
): Promise<EventStep> {
  return db.transaction().execute(async (tx) => {
    const before = await lockStep(tx, stepId)
    expectUnchanged(ifMatch, before.updated_at)
    if (Object.keys(form).length)
      await inSpanish(tx.updateTable('event_step').set(form).where('id', '=', stepId).execute())
    await auditChange(tx, viewer, { entity: 'event_step', label: form.name ?? before.name, before, after: form })
    return getStep(tx, viewer, stepId)
  })
}

/** The others keep their orders; events of the past keep the step's name (D36). */
export async function removeStep(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const step = await lockStep(tx, id)
    await tx.updateTable('event_step').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    await audit(tx, viewer, { action: 'delete', entity: 'event_step', entityId: id, label: step.name })
  })
  return undefined
}

export const listEventTypes = (db: Db): Promise<EventType[]> =>
  db.selectFrom('event_type').select(['id', 'name']).orderBy('id').execute()

export async function getEventType(db: Db, id: number): Promise<EventType> {
  const row = await db.selectFrom('event_type').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Tipo de evento')
  return row
}

import { sql } from 'kysely'
import { PAST_RATE, RATE_EXISTS, type Rate, type RateAsked, type RateCreate } from '#contract/rates.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { type CommissionViewer, lockCommission, relationshipOf } from '../commissions/queries.ts'
import { announceRate } from '../deliveries/occurrences.ts'
import { isPaying } from '../event-steps/paying.ts'
import { type AppError, conflict, forbidden, invalid, notFound } from '../http/errors.ts'
import { maskNote } from '../privacy/mask.ts'
import { compensate, takeBackCompensation } from './compensation.ts'
import { hasDefault, NOW } from './in-force.ts'
import { listedRates } from './queries.ts'
import { beginRate, NOT_YET, type Scope, setRate } from './set.ts'

/** A scope whose owner is locked: nobody else changes what it pays meanwhile. */
export interface Owned extends Scope {
  affiliate_id: number | null
  issuer_id: number
  /** The owner's, in the trail. */
  name: string
}

/** Another amount from a moment to come, or from now on. What was earned before keeps its own. */
export const changeRate = (db: Db, viewer: CommissionViewer, form: RateCreate): Promise<Rate> =>
  db.transaction().execute(async (tx) => {
    const { amount, valid_from } = form
    const compensation = form.compensation && { ...form.compensation, note: maskNote(form.compensation.note) }
    if (compensation) expectAdmin(viewer)
    const owned = await lockScope(tx, viewer, form)
    const before = await findInForce(tx, owned)
    const id = await setRate(tx, owned, amount, valid_from ?? NOT_YET)
    if (valid_from) await trail(tx, viewer, owned, {}, { announced: amount, valid_from })
    else await trail(tx, viewer, owned, { payout: before?.amount ?? null }, { payout: amount })
    if (compensation) {
      await compensate(tx, viewer, owned, id, { ...form, compensation })
      const [entity, entityId] = entityOf(owned)
      await audit(tx, viewer, { action: 'compensate', entity, entityId, label: owned.name, after: compensation })
    }
    if (!valid_from) await beginRate(tx, id)
    return readRate(tx, viewer, owned, id)
  })

/** Who compensates, writes adjustments. */
export function expectAdmin({ role }: CommissionViewer): void {
  if (role !== 'admin') throw forbidden()
}

/** The scope of a form, where its owner is the viewer's and nothing else is set for its moment. */
export async function lockScope(tx: Tx, viewer: CommissionViewer, form: RateAsked): Promise<Owned> {
  const { commission_id = null, product_id = null, event_step_id = null, valid_from } = form
  const missing =
    commission_id === null
      ? invalid('product_id', 'Selecciona un producto')
      : invalid('commission_id', 'Selecciona una comisión')
  const owner = await lockOwner(tx, viewer, { commission_id, product_id }, missing)
  const { affiliate_id, issuer_id } = owner
  if (affiliate_id !== null) await relationshipOf(tx, { affiliate_id, issuer_id }, null)
  const owned = { ...owner, event_step_id }
  if (event_step_id !== null) await expectPayingStep(tx, owned, event_step_id)
  if (valid_from) await expectFree(tx, owned, valid_from)
  return owned
}

type Owner = Omit<Owned, 'event_step_id'>

async function lockOwner(
  tx: Tx,
  viewer: CommissionViewer,
  { commission_id, product_id }: { commission_id: number | null; product_id: number | null },
  missing: AppError,
): Promise<Owner> {
  if (commission_id !== null) {
    const commission = await lockCommission(tx, viewer, commission_id, missing)
    return { ...commission, commission_id }
  }
  let rows = tx.selectFrom('product').select(['id', 'issuer_id', 'name']).where('archived_at', 'is', null)
  if (viewer.role === 'issuer') rows = rows.where('issuer_id', '=', viewer.issuerId)
  const product = await rows.where('id', '=', product_id).forNoKeyUpdate().executeTakeFirst()
  if (!product) throw missing
  const { id, issuer_id, name } = product
  return { product_id: id, affiliate_id: null, commission_id: null, issuer_id, name }
}

/** One that pays; what a step pays stands beside an amount for all steps, and ends with it. */
async function expectPayingStep(tx: Tx, { product_id, commission_id }: Owner, stepId: number): Promise<void> {
  const step = await tx
    .selectFrom('event_step')
    .select(hasDefault(sql`product_id`).as('has_default'))
    .where('id', '=', stepId)
    .where('product_id', '=', product_id)
    .where(isPaying('event_step'))
    .executeTakeFirst()
  if (!step) throw invalid('event_step_id', 'Selecciona un paso que genere comisión')
  if (commission_id === null && !step.has_default)
    throw invalid('event_step_id', 'Primero configura la tarifa general del producto')
}

const rowsOf = (tx: Tx, { product_id, affiliate_id, event_step_id }: Owned) =>
  tx
    .selectFrom('rate')
    .where('product_id', '=', product_id)
    .where('affiliate_id', 'is not distinct from', affiliate_id)
    .where('event_step_id', 'is not distinct from', event_step_id)

async function expectFree(tx: Tx, owned: Owned, moment: string): Promise<void> {
  if (Date.parse(moment) <= Date.now()) throw invalid('valid_from', PAST_RATE)
  const taken = await rowsOf(tx, owned).select('id').where('valid_from', '=', moment).executeTakeFirst()
  if (taken) throw conflict(RATE_EXISTS, 'RATE_EXISTS')
}

const findInForce = (tx: Tx, owned: Owned) =>
  rowsOf(tx, owned)
    .select(['id', 'amount'])
    .where('valid_from', '<=', NOW as never)
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

export async function cancelRate(db: Db, viewer: CommissionViewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const gone = notFound('Cambio programado', 'encontrado')
    const { owned, rate } = await lockRate(tx, viewer, id, gone)
    await takeBackCompensation(tx, viewer, id)
    await announceRate(tx, id, 'cancelled')
    const { rows } = await sql<{ cancelled: boolean }>`select cancel_rate(${id}) as cancelled`.execute(tx)
    if (!rows[0]?.cancelled) throw conflict('El cambio ya empezó, empieza en este momento o se canceló', 'RATE_BEGAN')
    await trail(tx, viewer, owned, { announced: rate.amount, valid_from: rate.valid_from }, {})
  })
}

/** Ends a default, or the amount of a step. A commission ends whole, in its own list. */
export async function endRate(db: Db, viewer: CommissionViewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const { owned, rate } = await lockRate(tx, viewer, id, notFound('Tarifa'))
    const { product_id, commission_id, event_step_id } = owned
    if (commission_id !== null && event_step_id === null)
      throw conflict('Para dejar de pagarla, elimina la comisión', 'RATE_OF_COMMISSION')
    if ((await findInForce(tx, owned))?.id !== id)
      throw conflict('El monto cambió mientras tanto. Vuelve a cargar la lista.', 'RATE_CHANGED')
    await sql`select end_rates(${product_id}, ${commission_id}, ${event_step_id})`.execute(tx)
    await announceRate(tx, id, 'ended')
    await trail(tx, viewer, owned, { payout: rate.amount }, { payout: null })
  })
}

/** One that pays, with its owner locked. */
async function lockRate(tx: Tx, viewer: CommissionViewer, id: number, missing: AppError) {
  const rate = await tx.selectFrom('rate').selectAll().where('id', '=', id).executeTakeFirst()
  if (!rate?.amount) throw missing
  const owner = await lockOwner(tx, viewer, rate, missing)
  return { rate, owned: { ...owner, event_step_id: rate.event_step_id } }
}

interface Said {
  payout?: string | null
  announced?: string | null
  valid_from?: string | null
}

const entityOf = ({ commission_id, product_id }: Owned) =>
  commission_id === null ? (['product', product_id] as const) : (['commission', commission_id] as const)

/** Of a product in other words, since it has amounts of its own: 'Tarifa general'. */
function trail(tx: Tx, viewer: CommissionViewer, owned: Owned, before: Said, after: Said) {
  const { commission_id, event_step_id, name: label } = owned
  const [entity, id] = entityOf(owned)
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Said)[])
  const said = (values: Said) =>
    Object.fromEntries(
      [...fields].map((field) => [
        commission_id === null && field !== 'valid_from' ? `default_${field}` : field,
        values[field] ?? null,
      ]),
    )
  return auditChange(tx, viewer, {
    entity,
    label,
    before: { ...said(before), id },
    after: { ...said(after), ...(event_step_id !== null && { event_step_id }) },
  })
}

async function readRate(tx: Tx, viewer: CommissionViewer, { product_id }: Owned, id: number): Promise<Rate> {
  const { commission_id: _, ...row } = await listedRates(tx, viewer, { product_id })
    .selectAll()
    .where('version.id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

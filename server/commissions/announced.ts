import { sql } from 'kysely'
import { PAST_RATE, RATE_EXISTS, type Rate, type RateCreate, type RatePreview } from '#contract/rates.ts'
import type { Db, Tx } from '#db/connect.ts'
import { auditChange } from '../audit.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { listedRates } from '../rates/queries.ts'
import { setRate } from '../rates/set.ts'
import { type CommissionViewer, lockCommission } from './queries.ts'

type Commission = Awaited<ReturnType<typeof lockCommission>>

/** Another amount from a moment to come. What the pair earned before keeps its own. */
export const announceRate = (db: Db, viewer: CommissionViewer, form: RateCreate): Promise<Rate> =>
  db.transaction().execute(async (tx) => {
    const { commission_id, amount, valid_from } = form
    const commission = await lockCommission(tx, viewer, commission_id, unknown())
    await expectFree(tx, commission, valid_from)
    const id = await setRate(tx, commission_id, amount, valid_from)
    await trail(tx, viewer, commission, {}, { announced: amount, valid_from })
    return readRate(tx, viewer, commission, id)
  })

async function expectFree(tx: Tx, { product_id, affiliate_id }: Commission, moment: string): Promise<void> {
  if (Date.parse(moment) <= Date.now()) throw invalid('valid_from', PAST_RATE)
  const taken = await tx
    .selectFrom('rate')
    .select('id')
    .where('product_id', '=', product_id)
    .where('affiliate_id', '=', affiliate_id)
    .where('valid_from', '=', moment)
    .executeTakeFirst()
  if (taken) throw conflict(RATE_EXISTS, 'RATE_EXISTS')
}

export async function cancelRate(db: Db, viewer: CommissionViewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const rate = await tx.selectFrom('rate').selectAll().where('id', '=', id).executeTakeFirst()
    if (!rate?.amount) throw gone()
    const commission = await lockCommission(tx, viewer, rate.commission_id, gone())
    const { rows } = await sql<{ cancelled: boolean }>`select cancel_rate(${id}) as cancelled`.execute(tx)
    if (!rows[0]?.cancelled) throw conflict('El cambio ya empezó o se canceló', 'RATE_BEGAN')
    await trail(tx, viewer, commission, { announced: rate.amount, valid_from: rate.valid_from }, {})
  })
}

const unknown = () => invalid('commission_id', 'Selecciona una comisión')
const gone = () => notFound('Cambio programado', 'encontrado')

const NONE = { announced: null, valid_from: null }
const trail = (tx: Tx, viewer: CommissionViewer, { id, name }: Commission, before: object, after: object) =>
  auditChange(tx, viewer, {
    ...{ entity: 'commission', label: name },
    ...{ before: { ...NONE, ...before, id }, after: { ...NONE, ...after } },
  })

async function readRate(tx: Tx, viewer: CommissionViewer, { product_id, affiliate_id }: Commission, id: number) {
  const { commission_id: _, ...row } = await listedRates(tx, viewer, { product_id, affiliate_id })
    .selectAll()
    .where('version.id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

/** With the leads of the last thirty days, each at the amount that would hold before the change and after it. */
export const previewRate = (db: Db, viewer: CommissionViewer, form: RateCreate): Promise<RatePreview> =>
  db.transaction().execute(async (tx) => {
    const { commission_id, amount, valid_from } = form
    const commission = await lockCommission(tx, viewer, commission_id, unknown())
    await expectFree(tx, commission, valid_from)
    const { product_id, affiliate_id, issuer_id } = commission
    const { rows } = await sql<Omit<RatePreview, 'to'>>`
      select past.amount as "from", earned, (earned * (${amount}::numeric - coalesce(past.amount, 0)))::numeric(14, 2) as difference,
        kept, kept_amount
      from (
        select count(*) filter (where kind and earned_at >= now() - interval '30 days') as earned,
          count(*) filter (where state = 'accrued') as kept,
          coalesce(sum(amount) filter (where state = 'accrued'), 0)::numeric(14, 2) as kept_amount
        from (
          select amount, state, earned_at, reversal_of is null and state <> 'reversed' as kind from commission_entry
          where affiliate_id = ${affiliate_id} and issuer_id = ${issuer_id} and product_id = ${product_id}
            and (state = 'accrued' or earned_at >= now() - interval '30 days')
        ) as entry
      ) as entries left join lateral (
        select amount from rate where product_id = ${product_id} and affiliate_id = ${affiliate_id}
          and valid_from <= ${valid_from} order by valid_from desc, id desc limit 1
      ) as past on true`.execute(tx)
    return { ...(rows[0] as Omit<RatePreview, 'to'>), to: amount }
  })

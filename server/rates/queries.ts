import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Rate, RateFilters, RateInForce, RateInForceFilters } from '#contract/rates.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import type { Viewer } from '../viewer.ts'
import { ANNOUNCED, NOW } from './in-force.ts'

type Version = Rate & { commission_id: number | null }

const described = sql`
  scope.product_id as product, product.name as product_name, product.issuer_id as issuer, issuer.company_name as issuer_name,
  affiliate.id as affiliate, affiliate.company_name as affiliate_name, step.id as step, step.name as step_name`

const withNames = (affiliateId: RawBuilder<unknown>) => sql`
  join product on product.id = scope.product_id
  join issuer on issuer.id = product.issuer_id
  left join affiliate on affiliate.id = ${affiliateId}
  left join event_step as step on step.id = scope.event_step_id`

const ofProduct = (id: number | undefined) => (id ? sql<SqlBool>`scope.product_id = ${id}` : sql<SqlBool>`true`)

/** Whose amounts: of an affiliate, or where it is null of the product itself; of one step, or of all. */
export interface RateOwner {
  product_id?: number | undefined
  affiliate_id?: number | null | undefined
  step_id?: number
}

const only = (column: string, id: number | null | undefined) =>
  id === undefined ? sql`true` : sql`scope.${sql.ref(column)} is not distinct from ${id}`

/** With what held before in the same scope. */
const writtenVersions = ({ product_id, affiliate_id, step_id }: RateOwner) => sql<Version>`
  select scope.id, commission_id, valid_from, amount as "to", ${described},
    lag(amount) over (partition by scope.product_id, affiliate_id, event_step_id order by valid_from, scope.id) as "from"
  from rate as scope ${withNames(sql`scope.affiliate_id`)}
  where ${ofProduct(product_id)} and ${only('affiliate_id', affiliate_id)} and ${only('event_step_id', step_id)}`

/**
 * What an affiliate itself was paid: never what others are while it has its own. By a step, while that has an amount of
 * its own.
 */
const paidVersions = (affiliateId: number, { product_id }: RateOwner) => sql<Version>`
  with mine as materialized (
    select scope.* from rate as scope
    where ${ofProduct(product_id)} and (affiliate_id = ${affiliateId} or affiliate_id is null and exists (
      select from relationship join product using (issuer_id)
      where product.id = scope.product_id and relationship.affiliate_id = ${affiliateId} and relationship.archived_at is null
    ))
  ), scope as (
    select product_id, event_step_id from mine union select product_id, null from mine
  ), version as (
    select mine.id, mine.valid_from, scope.*, paid.id as paid_id, paid.commission_id, paid.event_step_id as paid_step, paid.amount,
      lag(paid.id) over before as before_id, lag(paid.event_step_id) over before as before_step,
      lag(paid.amount) over before as before
    from scope join mine on mine.product_id = scope.product_id
      and (mine.event_step_id is null or mine.event_step_id = scope.event_step_id)
    left join lateral rate_at(scope.product_id, ${affiliateId}, scope.event_step_id, mine.valid_from) as paid on true
    window before as (partition by scope.product_id, scope.event_step_id order by mine.valid_from, mine.id)
  )
  select scope.id, commission_id, valid_from, amount as "to", ${described}, before as "from"
  from version as scope ${withNames(sql`${affiliateId}`)}
  where paid_id is distinct from before_id
    and (event_step_id is null or paid_step is not null or before_step is not null)`

/** The latest first. */
export function listedRates(db: Db | Tx, viewer: Viewer, filters: RateOwner) {
  const versions = viewer.role === 'affiliate' ? paidVersions(viewer.affiliateId, filters) : writtenVersions(filters)
  const rows = db
    .selectFrom(sql<Version>`(${versions})`.as('version'))
    .orderBy('version.valid_from', 'desc')
    .orderBy('version.id', 'desc')
    .orderBy('version.step')
  if (viewer.role === 'issuer') return rows.where('version.issuer', '=', viewer.issuerId)
  if (viewer.role === 'affiliate' && filters.affiliate_id)
    return rows.where('version.affiliate', '=', filters.affiliate_id)
  return rows
}

export const listRates = (db: Db, viewer: Viewer, filters: RateFilters): Promise<Rate[] | Answer<Rate[]>> =>
  answerList(listedRates(db, viewer, filters).selectAll(), filters, ({ commission_id: _, ...row }): Rate => row)

/** Each scope that a commission's one amount does not say, with what it pays and what it will. */
const scopesInForce = ({ product_id }: RateInForceFilters) => sql<RateInForce & { step_order: number | null }>`
  select coalesce(paid.id, (next.change ->> 'id')::bigint) as id, ${described}, step.step_order,
    coalesce(paid.commission_id, next.commission_id) as commission, paid.amount as payout, paid.valid_from as since,
    next.change as next
  from (
    select distinct product_id, affiliate_id, event_step_id from rate as scope
    where (affiliate_id is null or event_step_id is not null) and ${ofProduct(product_id)}
  ) as scope ${withNames(sql`scope.affiliate_id`)}
  left join lateral (
    select * from (
      select id, commission_id, amount, valid_from from rate where ${sameScope} and valid_from <= ${NOW}
      order by valid_from desc, id desc limit 1
    ) as last where amount is not null
  ) as paid on true
  left join lateral (
    select commission_id, ${ANNOUNCED} as change from rate where ${sameScope} and valid_from > ${NOW}
    order by valid_from, id limit 1
  ) as next on true
  where product.archived_at is null and step.archived_at is null
    and (paid.id is not null or next.change is not null)`

const sameScope = sql`rate.product_id = scope.product_id and rate.affiliate_id is not distinct from scope.affiliate_id
  and rate.event_step_id is not distinct from scope.event_step_id`

/** The defaults of products, and each amount of one step: of products and of commissions. */
export function listInForce(
  db: Db,
  viewer: Extract<Viewer, { role: 'admin' | 'issuer' }>,
  filters: RateInForceFilters,
): Promise<RateInForce[] | Answer<RateInForce[]>> {
  let rows = db.selectFrom(sql<RateInForce & { step_order: number | null }>`(${scopesInForce(filters)})`.as('scope'))
  if (viewer.role === 'issuer') rows = rows.where('issuer', '=', viewer.issuerId)
  if (filters.search) {
    const names = ['product_name', 'affiliate_name', 'step_name'].map((name) => sql.ref<string | null>(name))
    rows = rows.where(everyWord(filters.search, names))
  }
  const ordered = rows
    .orderBy('product')
    .orderBy(sql`affiliate nulls first`)
    .orderBy(sql`step_order nulls first`)
    .orderBy('step')
  return answerList(ordered.selectAll(), filters, ({ step_order: _, ...row }): RateInForce => row)
}

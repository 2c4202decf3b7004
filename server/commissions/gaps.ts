import { sql } from 'kysely'
import type { CommissionGap } from '#contract/commissions.ts'
import type { ListQuery } from '#contract/fields.ts'
import type { Db, Tx } from '#db/connect.ts'
import { isPaying } from '../event-steps/paying.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import { midnight } from '../midnight.ts'
import { hasDefault } from '../rates/in-force.ts'
import type { CommissionViewer } from './queries.ts'

const paysProduct = (id: 'product.id' | 'gap.product') =>
  sql<boolean>`event_step.product_id = ${sql.ref(id)} and ${isPaying('event_step')}`

/** Who promotes what, now, with a step that pays and without a commission; perhaps the product pays them all the same. */
const allUncommissioned = (db: Db | Tx) =>
  db
    .selectFrom('relationship')
    .innerJoin('product', 'product.issuer_id', 'relationship.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'relationship.affiliate_id')
    .innerJoin('issuer', 'issuer.id', 'relationship.issuer_id')
    .where('relationship.archived_at', 'is', null)
    .where('relationship.relationship_status', '=', 'active')
    .where('affiliate.user_status', '=', 'active')
    .where('issuer.user_status', '=', 'active')
    .where('product.archived_at', 'is', null)
    .where('product.product_status', '=', 'active')
    .where(sql<boolean>`exists (select from event_step where ${paysProduct('product.id')})`)
    .where(
      sql<boolean>`not exists (select from commission where commission.product_id = product.id
        and commission.affiliate_id = relationship.affiliate_id and commission.archived_at is null)`,
    )

/** Every list starts here, so no caller can forget whose rows these are. */
function visibleUncommissioned(db: Db | Tx, viewer: CommissionViewer) {
  const rows = allUncommissioned(db)
  return viewer.role === 'admin' ? rows : rows.where('relationship.issuer_id', '=', viewer.issuerId)
}

/** Those whom nothing pays. */
const visibleGaps = (db: Db | Tx, viewer: CommissionViewer) =>
  visibleUncommissioned(db, viewer).where((eb) => eb.not(hasDefault(sql.ref('product.id'))))

/** Which of these affiliates promote the product and have no commission for it. */
export async function withoutCommission(tx: Tx, viewer: CommissionViewer, productId: number, affiliateIds: number[]) {
  const rows = await visibleUncommissioned(tx, viewer)
    .select('relationship.affiliate_id')
    .where('product.id', '=', productId)
    .where('relationship.affiliate_id', 'in', affiliateIds)
    .execute()
  return rows.map(({ affiliate_id }) => affiliate_id)
}

export async function countGaps(db: Db | Tx, viewer: CommissionViewer): Promise<number> {
  const { count } = await visibleGaps(db, viewer)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Days on which more leads reached a paying step than earned by one. Counted since a commission of the pair for the
 * product, or the product's default, last ended; from the beginning where there never was one. From the totals: an event
 * itself says neither affiliate nor product.
 */
const unpaid = sql<{ unpaid_events: number; unpaid_since: string | null }>`(
  select coalesce(sum(count), 0)::int8 as unpaid_events, min(day) as unpaid_since from (
    select day, sum(count) as count from (
      select first_day as day, events as count from total join event_step on event_step.id = step_id and ${paysProduct('gap.product')}
      where grain = 'day' and total.affiliate_id = gap.affiliate and total.issuer_id = gap.issuer
        and total.product_id = gap.product
      union all
      select day, events from recent join event_step on event_step.id = step_id and ${paysProduct('gap.product')}
      where recent.affiliate_id = gap.affiliate and recent.product_id = gap.product
      union all
      select mexico_day(earned_at), -1
      from commission_entry as entry join event_step on event_step.id = entry.step_id and ${paysProduct('gap.product')}
      where entry.affiliate_id = gap.affiliate and entry.issuer_id = gap.issuer
        and entry.product_id = gap.product and kind = 'commission'
        -- Nothing is due before it is earned.
        and due_on >= ended_on and earned_at >= ${midnight(sql`ended_on`)}
    ) as change where ended_on is null or day >= ended_on
    group by day having sum(count) > 0
  ) as unpaid_day
)`

const endedOn = sql<{ ended_on: string | null }>`(
  select mexico_day(max(moment)) as ended_on from (
    select archived_at as moment from commission as ended
    where ended.affiliate_id = gap.affiliate and ended.product_id = gap.product
    union all
    select valid_from from rate
    where product_id = gap.product and affiliate_id is null and event_step_id is null and amount is null
  ) as ended
)`

/** With the search of a list. */
function findGaps(db: Db, viewer: CommissionViewer, search: string | undefined) {
  const gaps = visibleGaps(db, viewer).select([
    'relationship.id as relationship_id',
    'product.id as product',
    'affiliate.id as affiliate',
    'issuer.id as issuer',
    'product.name as product_name',
    'affiliate.company_name as affiliate_name',
    'issuer.company_name as issuer_name',
  ])
  if (!search) return gaps
  return gaps.where(
    everyWord(
      search,
      ['product.name', 'affiliate.company_name', 'issuer.company_name'].map((field) => sql.ref(field)),
    ),
  )
}

export function listGaps(
  db: Db,
  viewer: CommissionViewer,
  filters: ListQuery,
): Promise<CommissionGap[] | Answer<CommissionGap[]>> {
  const rows = db
    // Materialized: what they were not paid is read only of those found, and the changes not folded yet only once.
    .with(
      (cte) => cte('gap').materialized(),
      () => findGaps(db, viewer, filters.search),
    )
    .with(
      (cte) => cte('recent').materialized(),
      (query) =>
        query
          .selectFrom('total_delta')
          .select(['day', 'affiliate_id', 'product_id', 'step_id'])
          .select((eb) => eb.fn.sum<number>('events').as('events'))
          .where('step_id', '<>', 0)
          .groupBy(['day', 'affiliate_id', 'product_id', 'step_id']),
    )
    .selectFrom('gap')
    .innerJoinLateral(endedOn.as('last_commission'), (join) => join.onTrue())
    .innerJoinLateral(unpaid.as('unpaid'), (join) => join.onTrue())
    .selectAll('gap')
    .select([sql<string>`relationship_id || '-' || product`.as('id'), 'unpaid.unpaid_events', 'unpaid.unpaid_since'])
    .orderBy('relationship_id')
    .orderBy('product')
  return answerList(rows, filters, (row): CommissionGap => row)
}

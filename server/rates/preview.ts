import { sql } from 'kysely'
import { sumAmounts } from '#contract/money.ts'
import type { RateAsked, RateMeaning, RatePreview } from '#contract/rates.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { CommissionViewer } from '../commissions/queries.ts'
import { expectAdmin, lockScope, type Owned } from './changes.ts'
import { previewCompensation } from './compensation.ts'
import { momentOf } from './in-force.ts'
import { width, widthOf } from './set.ts'

/** So many by name; the sums are of all. */
const NAMED = 200

interface Row extends RateMeaning {
  kept: number
  kept_amount: string
}

/** With the leads of the last thirty days, each at the amount that would hold before the change and after it. */
export const previewRate = (db: Db, viewer: CommissionViewer, form: RateAsked): Promise<RatePreview> =>
  db.transaction().execute(async (tx) => {
    const owned = await lockScope(tx, viewer, form)
    const { compensation } = form
    if (compensation) expectAdmin(viewer)
    const rows = await listMeanings(tx, owned, form)
    const { from } = await readBefore(tx, owned, form)
    const byWeight = rows.toSorted((a, b) => Math.abs(Number(b.difference)) - Math.abs(Number(a.difference)))
    return {
      from,
      to: form.amount,
      earned: rows.reduce((sum, row) => sum + row.earned, 0),
      difference: sumAmounts(rows.map(({ difference }) => difference)),
      compensation: compensation ? await previewCompensation(tx, owned, form, compensation.since) : null,
      kept: rows.reduce((sum, row) => sum + row.kept, 0),
      kept_amount: sumAmounts(rows.map(({ kept_amount }) => kept_amount)),
      affiliate_count: rows.length,
      affiliates: byWeight.slice(0, NAMED).map(({ kept: _, kept_amount: _amount, ...row }): RateMeaning => row),
    }
  })

async function readBefore(tx: Tx, { product_id, affiliate_id, event_step_id }: Owned, form: RateAsked) {
  const { rows } = await sql<{ from: string | null }>`
    select (
      select amount from rate where product_id = ${product_id} and affiliate_id is not distinct from ${affiliate_id}
        and event_step_id is not distinct from ${event_step_id} and valid_from <= ${momentOf(form)}
      order by valid_from desc, id desc limit 1
    ) as "from"`.execute(tx)
  return rows[0] as { from: string | null }
}

/** Those whom it will pay, in the order of their ids: the pair of a commission, or who has no narrower rate. */
async function listMeanings(tx: Tx, owned: Owned, form: RateAsked): Promise<Row[]> {
  const { product_id, affiliate_id, event_step_id, issuer_id } = owned
  const own = widthOf(owned)
  const { rows } = await sql<Row>`
    with earned as (
      select affiliate_id, step_id, count(*) filter (where counts and earned_at >= now() - interval '30 days') as earned,
        count(*) filter (where keeps) as kept, coalesce(sum(amount) filter (where keeps), 0.00) as kept_amount
      from (
        select *, kind in ('commission', 'restoration') and state <> 'reversed' and not exists (
            select from commission_entry as answer where answer.reversal_of = commission_entry.id and answer.state <> 'reversed'
          ) as counts,
          kind in ('commission', 'restoration') and state = 'accrued' as keeps
        from commission_entry
        where issuer_id = ${issuer_id} and product_id = ${product_id} and step_id is not null
          and ${affiliate_id === null ? sql`true` : sql`affiliate_id = ${affiliate_id}`}
          and ${event_step_id === null ? sql`true` : sql`step_id = ${event_step_id}`}
          and (state = 'accrued' or earned_at >= now() - interval '30 days')
      ) as entry group by 1, 2
    ), replaced as (
      select affiliate_id, sum(earned) as earned, sum(kept) as kept, sum(kept_amount) as kept_amount,
        sum(earned * (${form.amount}::numeric - coalesce(past.amount, 0.00))) as difference
      from earned left join lateral rate_at(${product_id}, affiliate_id, step_id, ${momentOf(form)}) as past on true
      where past.id is null or ${width('past.commission_id', 'past.event_step_id')} <= ${own}
      group by 1
    )
    select affiliate.id as affiliate, company_name as affiliate_name, past.amount as "from",
      coalesce(earned, 0)::int8 as earned, coalesce(difference, 0.00) as difference,
      coalesce(kept, 0)::int8 as kept, coalesce(kept_amount, 0.00) as kept_amount
    from affiliate left join replaced on affiliate_id = affiliate.id
    left join lateral rate_at(${product_id}, affiliate.id, ${event_step_id}, ${momentOf(form)}) as past on true
    where affiliate.id ${affiliate_id === null ? promoters(issuer_id) : sql`= ${affiliate_id}`}
      and (past.id is null or ${width('past.commission_id', 'past.event_step_id')} <= ${own})
    order by affiliate.id`.execute(tx)
  return rows
}

const promoters = (issuerId: number) => sql`in (
  select affiliate_id from relationship
  where issuer_id = ${issuerId} and relationship_status = 'active' and archived_at is null
)`

import { type RawBuilder, sql } from 'kysely'
import { sumAmounts } from '#contract/money.ts'
import type { BalanceFilters, OpenBalance } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'

/**
 * What every pair earned and has not been paid. The relationship is the one that works, or the last one that did: each
 * pair that earned has one (server/relationships/update.ts).
 */
export async function listBalances(db: Db | Tx, filters: BalanceFilters): Promise<OpenBalance[]> {
  const isWanted = wantedBy(filters)
  const { rows } = await sql<OpenBalance>`
    with accrued as (
      select affiliate_id, issuer_id, sum(amount) as accrued,
        coalesce(sum(amount) filter (where due_on > mexico_day(now()) or is_held), 0.00) as validating,
        min(due_on) filter (where due_on <= mexico_day(now()) and not is_held) as since
      from commission_entry where state = 'accrued' and ${isWanted} group by 1, 2
    ), held as (
      select payment.affiliate_id, payment.issuer_id, sum(amount) as in_payment
      from (
        select * from payment where payment_status in ('pending', 'processing') and archived_at is null and ${isWanted}
      ) as payment
      join commission_entry on payment_id = payment.id and state = 'in_payment' group by 1, 2
    )
    select latest.id as relationship, affiliate_id as affiliate, issuer_id as issuer,
      affiliate.company_name as affiliate_name, issuer.company_name as issuer_name, latest.state,
      coalesce(accrued, 0.00) as accrued, coalesce(validating, 0.00) as validating,
      coalesce(in_payment, 0.00) as in_payment, since
    from accrued full join held using (affiliate_id, issuer_id)
    join affiliate on affiliate.id = affiliate_id
    join issuer on issuer.id = issuer_id
    cross join lateral (
      select relationship.id,
        case when relationship.archived_at is null then relationship_status else 'archived' end as state
      from relationship
      where relationship.affiliate_id = affiliate.id and relationship.issuer_id = issuer.id
      order by relationship.archived_at desc nulls first, relationship.id desc limit 1
    ) as latest
    order by affiliate.company_name, issuer.company_name, latest.id`.execute(db)
  return rows
}

/** Also of rows that are gone: their pair is what counts. */
function wantedBy({ affiliate, issuer, relationship }: BalanceFilters): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (affiliate) conditions.push(sql`affiliate_id = ${affiliate}`)
  if (issuer) conditions.push(sql`issuer_id = ${issuer}`)
  if (relationship)
    conditions.push(
      sql`(affiliate_id, issuer_id) = (select affiliate_id, issuer_id from relationship where id = ${relationship})`,
    )
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** Of all pairs of a company together. */
export async function openBalanceOf(
  db: Db | Tx,
  company: Pick<BalanceFilters, 'affiliate' | 'issuer'>,
): Promise<string> {
  const balances = await listBalances(db, company)
  return sumAmounts(balances.flatMap(({ accrued, in_payment }) => [accrued, in_payment]))
}

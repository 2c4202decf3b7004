import { sql } from 'kysely'
import { LINK_FAULT_DAYS, type LinkFault } from '#contract/link-faults.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { announce } from '../deliveries/occurrences.ts'

/** What clicks of the affiliate's links lost in the last days, the most clicks first. */
export async function listLinkFaults(db: Db, affiliateId: number, today = dateInMexico()): Promise<LinkFault[]> {
  const { rows } = await sql<LinkFault>`
    select fault.relationship_id, issuer.id as issuer, issuer.company_name as issuer_name, fault.product_id,
      product.name as product_name, reason, (array_agg(sample order by day desc))[1] as sample,
      sum(count)::int as clicks, max(day)::text as last_day
    from link_fault as fault join relationship on relationship.id = fault.relationship_id
    join issuer on issuer.id = relationship.issuer_id left join product on product.id = fault.product_id
    where fault.affiliate_id = ${affiliateId} and day > ${addDays(today, -LINK_FAULT_DAYS)}::date
      and relationship.archived_at is null
    group by fault.relationship_id, issuer.id, fault.product_id, product.id, reason
    order by clicks desc, fault.relationship_id, fault.product_id nulls last, reason limit 100`.execute(db)
  return rows
}

const REST_MS = 60_000

/** Tells affiliates once a day and link, whichever copy of the server sees it first; returns the pause before the next call. */
export async function announceLinkFaults(db: Db, today: string = dateInMexico()): Promise<number> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ affiliate_id: number; issuer_id: number; product_id: number | null; detail: string }>`
      with told as (
        update link_fault set told_at = now()
        where day = ${today} and told_at is null
        returning affiliate_id, relationship_id, product_id, reason, sample
      )
      select told.affiliate_id, relationship.issuer_id, told.product_id, told.reason || ' ' || told.sample as detail
      from told join relationship on relationship.id = told.relationship_id
      order by told.relationship_id, told.product_id nulls last, told.reason`.execute(tx)
    const [first, ...more] = rows
    if (first) await announce(tx, 'link.faulty', first, ...more)
  })
  return REST_MS
}

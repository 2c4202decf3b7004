import { type RawBuilder, sql } from 'kysely'
import { NOTICES_SHOWN, type Notice, type Notices, type NoticesRead } from '#contract/notices.ts'
import type { Db } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'
import { type Bundle, bundled, sentenceOf } from './sentences.ts'

/** Newest rows that are looked at: of a day with more, what came before them is not summed up. */
const WINDOW = 1_000

interface Row extends Bundle {
  id: number
  payment_id: number | null
  issuer_id: number | null
  lead_id: number | null
  created_at: string
  is_read: boolean
}

/** Every read of notices starts here: a person's own, as long as they are of the company that they were told of. */
const isOwn = (viewer: Viewer): RawBuilder<boolean> => {
  const { userId, role } = viewer
  const company = role === 'affiliate' ? viewer.affiliateId : role === 'issuer' ? viewer.issuerId : null
  return sql`user_id = ${userId} and role = ${role} and company_id is not distinct from ${company} and in_product`
}

/** With the lead that they are of, where it is one. */
const shown = sql`max(notice.id) as id, max(notice.created_at) as created_at, is_read, notice.issuer_id,
  case when count(lead_id) = count(*) and min(lead_id) = max(lead_id) then max(lead_id) end as lead_id`

/** What is of one kind, of one day and either read or not is one row. */
export async function listNotices(db: Db, viewer: Viewer): Promise<Notices> {
  const { rows } = await sql<Row>`
    with latest as (
      -- No lead of what is earned: there is much of it.
      select *, mexico_day(created_at) as day, read_at is not null as is_read, (
        select entry.lead_id from occurrence join commission_entry as entry on entry.id = occurrence.entry_id
        where occurrence.id = notice.occurrence_id and notice.type <> 'commission.accrued') as lead_id
      from notice where ${isOwn(viewer)} order by id desc limit ${WINDOW}
    )
    ${bundled(sql`latest`, shown, sql`day, is_read`)}
    order by id desc limit ${NOTICES_SHOWN}`.execute(db)
  const results = rows.map(
    (row): Notice => ({
      ...{ id: row.id, type: row.type, text: sentenceOf(row, viewer.role) },
      ...{ payment: row.payment_id, lead: row.lead_id, issuer: row.issuer_id },
      ...{ created_at: row.created_at, is_read: row.is_read },
    }),
  )
  return { results, unread: results.filter(({ is_read }) => !is_read).length }
}

/** Nothing where it is nobody's or another's: who asks learns no difference. */
export async function readNotices(db: Db, viewer: Viewer, { through, only }: NoticesRead): Promise<undefined> {
  const same = sql`exists (
    select from notice as one where one.id = ${through} and one.user_id = notice.user_id and one.type = notice.type
      and notice_bundle(one.type, one.id) is not distinct from notice_bundle(notice.type, notice.id)
      and one.product_id is not distinct from notice.product_id and one.receiver_id is not distinct from notice.receiver_id
      and one.params - 'amount' = notice.params - 'amount' and mexico_day(one.created_at) = mexico_day(notice.created_at))`
  await sql`update notice set read_at = now() where ${isOwn(viewer)} and read_at is null
    and id <= ${through} and (${!only} or ${same})`.execute(db)
}

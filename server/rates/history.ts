import { sql } from 'kysely'
import type { ListQuery } from '#contract/fields.ts'
import type { RateChange } from '#contract/rates.ts'
import type { Db } from '#db/connect.ts'
import type { CommissionViewer } from '../commissions/queries.ts'
import { notFound } from '../http/errors.ts'
import type { Answer } from '../http/http.ts'
import { answerList } from '../http/lists.ts'
import { listedRates, type RateOwner } from './queries.ts'

type Paging = Pick<ListQuery, 'page' | 'page_size'>

/** The trail's fields, which are others for the default of a product. */
const said = (field: string) =>
  sql`audit_entry.changes -> case when version.commission_id is null then 'default_' || ${field} else ${field} end`

/** Every amount of a commission's pair, or of a product's default, with who set it as the trail says. */
export function listChangesOf(
  db: Db,
  viewer: CommissionViewer,
  owner: RateOwner,
  paging: Paging,
): Promise<RateChange[] | Answer<RateChange[]>> {
  const rows = listedRates(db, viewer, owner)
    .leftJoinLateral(
      // Written in the same transaction, whose beginning the trail names. What ended with a product, a relationship or a
      // company is in the trail as that.
      sql<{ actor_name: string; actor_role: string }>`(
        select actor_name, actor_role from audit_entry
        where entity = case when version.commission_id is null then 'product' else 'commission' end
          and entity_id = coalesce(version.commission_id, version.product) and audit_entry.created_at <= version.valid_from
          and (action = 'delete' or (changes -> 'event_step_id' ->> 1)::bigint is not distinct from version.step)
          and case when version.to is null then action = 'delete' or ${said('payout')} is not null and ${said('payout')} ->> 1 is null
            else (coalesce(${said('payout')}, ${said('announced')}) ->> 1)::numeric = version.to end
        order by id desc limit 1
      )`.as('author'),
      (join) => join.onTrue(),
    )
    .select([
      'version.id',
      'version.valid_from as changed_at',
      'version.from',
      'version.to',
      'version.step_name',
      actorName(viewer).as('actor_name'),
      sql<string>`coalesce(actor_role, 'system')`.as('actor_role'),
    ])
  return answerList(rows, paging, (row): RateChange => row)
}

/** Only administrators and the issuer's own people set amounts; the issuer does not see administrators' names. */
const actorName = ({ role }: CommissionViewer) =>
  role === 'admin'
    ? sql<string>`coalesce(actor_name, '')`
    : sql<string>`case when actor_role = 'issuer' then actor_name else '' end`

/** Of the default of a product with its steps, or of one step. */
export async function listRateHistory(db: Db, viewer: CommissionViewer, id: number, paging: Paging) {
  const rate = await listedRates(db, viewer, {})
    .select(['version.product', 'version.affiliate', 'version.step'])
    .where('version.id', '=', id)
    .executeTakeFirst()
  if (!rate) throw notFound('Tarifa')
  const { product: product_id, affiliate: affiliate_id, step } = rate
  return listChangesOf(db, viewer, { product_id, affiliate_id, ...(step !== null && { step_id: step }) }, paging)
}

import { sql } from 'kysely'
import type { CommissionChange } from '#contract/commissions.ts'
import type { ListQuery } from '#contract/fields.ts'
import type { Db } from '#db/connect.ts'
import type { Answer } from '../http/http.ts'
import { answerList } from '../http/lists.ts'
import { listedRates } from '../rates/queries.ts'
import { type CommissionViewer, getCommission } from './queries.ts'

/** Every amount of the commission's pair, with who changed it as the trail says. */
export async function listChanges(
  db: Db,
  viewer: CommissionViewer,
  id: number,
  paging: Pick<ListQuery, 'page' | 'page_size'>,
): Promise<CommissionChange[] | Answer<CommissionChange[]>> {
  const { product, affiliate } = await getCommission(db, viewer, id)
  const rows = listedRates(db, viewer, { product_id: product, affiliate_id: affiliate })
    .leftJoinLateral(
      // Written in the same transaction, whose beginning the trail names. What ended with a product, a relationship or a
      // company is in the trail as that.
      sql<{ actor_name: string; actor_role: string }>`(
        select actor_name, actor_role from audit_entry
        where entity = 'commission' and entity_id = version.commission_id and audit_entry.created_at <= version.valid_from
          and (action = 'delete' or (changes -> 'event_step_id' ->> 1)::bigint is not distinct from version.step)
          and case when version.to is null then action = 'delete' or changes ? 'payout' and changes -> 'payout' ->> 1 is null
            else (coalesce(changes -> 'payout', changes -> 'announced') ->> 1)::numeric = version.to end
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
  return answerList(rows, paging, (row): CommissionChange => row)
}

/** Only administrators and the issuer's own people write commissions; the issuer does not see administrators' names. */
const actorName = ({ role }: CommissionViewer) =>
  role === 'admin'
    ? sql<string>`coalesce(actor_name, '')`
    : sql<string>`case when actor_role = 'issuer' then actor_name else '' end`

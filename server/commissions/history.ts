import { sql } from 'kysely'
import type { CommissionChange } from '#contract/commissions.ts'
import type { ListQuery } from '#contract/fields.ts'
import type { Db } from '#db/connect.ts'
import type { Answer } from '../http/http.ts'
import { answerList } from '../http/lists.ts'
import { type CommissionViewer, getCommission } from './queries.ts'

/**
 * Every amount of a commission from its creation on. The trail is written with the commission in one transaction and
 * nobody can change it, so it needs no second table.
 */
export async function listChanges(
  db: Db,
  viewer: CommissionViewer,
  id: number,
  paging: Pick<ListQuery, 'page' | 'page_size'>,
): Promise<CommissionChange[] | Answer<CommissionChange[]>> {
  // A commission never changes its issuer, so its viewers may see all of its history.
  const commission = await getCommission(db, viewer, id)
  const rows = db
    .selectFrom('audit_entry')
    .select([
      'id',
      'created_at as changed_at',
      sql<string | null>`changes -> 'payout' ->> 0`.as('from'),
      sql<string>`changes -> 'payout' ->> 1`.as('to'),
      actorName(viewer).as('actor_name'),
      'actor_role',
    ])
    .where('entity', '=', 'commission')
    .where('entity_id', '=', commission.id)
    .where(sql<boolean>`changes ? 'payout'`)
    .orderBy('id', 'desc')
  return answerList(rows, paging, (row): CommissionChange => row)
}

/** Only administrators and the issuer's own people write commissions; the issuer does not see administrators' names. */
const actorName = ({ role }: CommissionViewer) =>
  role === 'admin' ? sql<string>`actor_name` : sql<string>`case when actor_role = 'issuer' then actor_name else '' end`

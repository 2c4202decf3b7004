import { sql } from 'kysely'
import { type AuditFilters, type AuditPage, type AuditRecord, COUNTED_ENTRIES } from '#contract/audit-log.ts'
import type { AuditEntry } from '#contract/metrics.ts'
import type { Db, Tx } from '#db/connect.ts'
import { Answer } from '../http/http.ts'
import { paginationOf } from '../http/lists.ts'
import { midnight } from '../midnight.ts'

function filteredEntries(db: Db | Tx, filters: AuditFilters) {
  let rows = db.selectFrom('audit_entry')
  if (filters.actor_id) rows = rows.where('actor_id', '=', filters.actor_id)
  if (filters.action) rows = rows.where('action', '=', filters.action)
  if (filters.entity) rows = rows.where('entity', '=', filters.entity)
  if (filters.from) rows = rows.where('created_at', '>=', midnight(sql`${filters.from}::date`))
  if (filters.to) rows = rows.where('created_at', '<', midnight(sql`${filters.to}::date + 1`))
  return rows
}

/** The latest first; what happened in the same millisecond by id. */
export async function listEntries(db: Db, filters: AuditFilters): Promise<AuditPage | Answer<AuditPage>> {
  const { page, page_size } = filters
  const some = filteredEntries(db, filters)
    .select('id')
    .limit(COUNTED_ENTRIES + 1)
  const [{ found }, results] = await Promise.all([
    db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .executeTakeFirstOrThrow(),
    filteredEntries(db, filters)
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('user')
          .select(sql<string>`concat_ws(' ', first_name, last_name)`.as('name'))
          .whereRef('user.id', '=', 'audit_entry.on_behalf_of')
          .as('on_behalf_of_name'),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute(),
  ])
  const count = Math.min(found, COUNTED_ENTRIES)
  const pagination = paginationOf(count, filters)
  const data = { results: results as AuditRecord[], pagination }
  return found > COUNTED_ENTRIES ? new Answer(data, { meta: { count_is_estimate: true } }) : data
}

const ACTIVITY = 5
/** Who comes and goes says nothing of what happened. */
const SIGN_INS = ['login', 'login_failed', 'logout', 'end_session', 'end_view']

export const listActivity = (db: Db): Promise<AuditEntry[]> =>
  db
    .selectFrom('audit_entry')
    .select(['id', 'created_at', 'actor_id', 'actor_name', 'actor_role', 'action', 'entity', 'entity_id', 'label'])
    .where('action', 'not in', SIGN_INS)
    .orderBy('id', 'desc')
    .limit(ACTIVITY)
    .execute()

import { sql } from 'kysely'
import {
  type ListedReason,
  NO_REASON,
  REASON_EXISTS,
  type ReasonArchive,
  type ReasonCreate,
} from '#contract/rulings.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { conflict, invalid } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'

const allReasons = (db: Db | Tx) =>
  db
    .selectFrom('reject_reason')
    .select(['code', 'label', 'group_label', 'advice', 'is_financial', 'archived_at'])
    .orderBy('place')

export const listAllReasons = (db: Db): Promise<ListedReason[]> => allReasons(db).execute()

const getReason = (tx: Tx, code: string) => allReasons(tx).where('code', '=', code).executeTakeFirstOrThrow()

/** At the end of the list. */
export const createReason = (db: Db, viewer: Viewer, form: ReasonCreate): Promise<ListedReason> =>
  db.transaction().execute(async (tx) => {
    // One after another: each takes the next place.
    await sql`select pg_advisory_xact_lock(hashtextextended('reject_reason', 0))`.execute(tx)
    const made = await tx
      .insertInto('reject_reason')
      .values({ ...form, place: sql<number>`(select max(place) + 10 from reject_reason)` })
      .onConflict((conflicting) => conflicting.column('code').doNothing())
      .returning('code')
      .executeTakeFirst()
    if (!made) throw conflict(REASON_EXISTS, 'REASON_EXISTS')
    await audit(tx, viewer, {
      ...{ action: 'create', entity: 'reject_reason', entityId: null, label: form.label },
      after: { ...form },
    })
    return getReason(tx, form.code)
  })

/** The one for what nobody told is needed always. */
export const archiveReason = (db: Db, viewer: Viewer, { code, archived }: ReasonArchive): Promise<ListedReason> =>
  db.transaction().execute(async (tx) => {
    const reason = await allReasons(tx).where('code', '=', code).executeTakeFirst()
    if (!reason) throw invalid('code', 'El motivo no existe')
    if (code === NO_REASON) throw conflict('Este motivo no se puede archivar', 'REASON_NEEDED')
    if ((reason.archived_at !== null) === archived) return reason
    await tx
      .updateTable('reject_reason')
      .set({ archived_at: archived ? sql`now()` : null })
      .where('code', '=', code)
      .execute()
    await audit(tx, viewer, {
      ...{ action: 'update', entity: 'reject_reason', entityId: null, label: reason.label },
      before: { archived: !archived },
      after: { archived },
    })
    return getReason(tx, code)
  })

import { sql } from 'kysely'
import type { BulkOutcome, StatusForm } from '#contract/bulk.ts'
import { PAIR_CHANGED, type Relationship, type RelationshipUpdate } from '#contract/relationships.ts'
import type { Db, Tx } from '#db/connect.ts'
import { auditChange } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { expectElevated } from '../http/access.ts'
import { eachAlone } from '../http/bulk.ts'
import { conflict } from '../http/errors.ts'
import { expectUnchanged } from '../http/http.ts'
import { moveTerms } from '../terms/queries.ts'
import type { Viewer } from '../viewer.ts'
import {
  getRelationship,
  labelOf,
  lockNames,
  lockRelationship,
  noRelationship,
  type Pair,
  refusingTakenPair,
} from './queries.ts'

export async function updateRelationship(
  db: Db,
  viewer: Viewer,
  relationshipId: number,
  { id: _, ...form }: RelationshipUpdate,
  ifMatch?: string,
): Promise<Relationship> {
  return db.transaction().execute(async (tx) => {
    const wanted = pairIn(form)
    const pair = { ...(await pairOf(tx, relationshipId)), ...wanted }
    // Companies before the relationship, as where a company is archived: the same order cannot deadlock.
    const names = await lockNames(tx, pair)
    const before = await lockRelationship(tx, relationshipId)
    expectUnchanged(ifMatch, before.updated_at)
    expectSamePair({ ...before, ...wanted }, pair)
    const moves = Object.entries(wanted).some(([side, id]) => before[side as keyof Pair] !== id)
    if (moves) expectElevated(viewer)
    if (moves) await leave(tx, viewer, before)
    if (Object.keys(form).length)
      await refusingTakenPair(names, () =>
        tx.updateTable('relationship').set(form).where('id', '=', relationshipId).execute(),
      )
    const [was, is] = [before, { ...before, ...form }].map((row) => row.relationship_status === 'active')
    if (was && (moves || !is))
      await announce(tx, 'relationship.ended', { affiliate_id: before.affiliate_id, issuer_id: before.issuer_id })
    if (is && (moves || !was)) await announce(tx, 'relationship.started', pair)
    await auditChange(tx, viewer, {
      entity: 'relationship',
      label: labelOf(names.affiliate, names.issuer),
      before,
      after: form,
    })
    return getRelationship(tx, viewer, relationshipId)
  })
}

export const setRelationshipStatus = (db: Db, viewer: Viewer, { ids, status }: StatusForm): Promise<BulkOutcome[]> =>
  eachAlone(ids, async (id) => {
    if ((await getRelationship(db, viewer, id)).relationship_status === status) return 'already'
    await updateRelationship(db, viewer, id, { relationship_status: status })
    return 'updated'
  })

const pairIn = ({ affiliate_id, issuer_id }: RelationshipUpdate): Partial<Pair> => ({
  ...(affiliate_id && { affiliate_id }),
  ...(issuer_id && { issuer_id }),
})

/** Another moved it between the look at its companies and its lock: what was locked and named is not its pair. */
function expectSamePair(is: Pair, locked: Pair): void {
  if (is.affiliate_id !== locked.affiliate_id || is.issuer_id !== locked.issuer_id)
    throw conflict(PAIR_CHANGED, 'PAIR_CHANGED')
}

async function pairOf(tx: Tx, id: number): Promise<Pair> {
  const pair = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id'])
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!pair) throw noRelationship()
  return pair
}

/**
 * The old pair ends: an archived row of its own keeps payable what it earned or was given (D79) or will yet earn by leads
 * that are not stored, keeps its terms, and comes back if the two work together again (D23).
 */
async function leave(tx: Tx, viewer: Viewer, { id, affiliate_id, issuer_id }: Pair & { id: number }): Promise<void> {
  await endCommissions(tx, id)
  await sql`
    insert into relationship (affiliate_id, issuer_id, relationship_status, archived_at)
    select ${affiliate_id}, ${issuer_id}, 'inactive', now()
    where not exists (
      select from relationship
      where affiliate_id = ${affiliate_id} and issuer_id = ${issuer_id} and archived_at is not null)`.execute(tx)
  const left = await tx
    .selectFrom('relationship')
    .select('id')
    .where('affiliate_id', '=', affiliate_id)
    .where('issuer_id', '=', issuer_id)
    .where('archived_at', 'is not', null)
    .orderBy('archived_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await moveTerms(tx, viewer, id, left.id)
}

/** Commissions of the old pair end; the new pair needs new ones (D24). */
async function endCommissions(tx: Tx, relationshipId: number): Promise<void> {
  await tx
    .updateTable('commission')
    .set({ relationship_id: null, archived_at: sql<string>`coalesce(archived_at, now())` })
    .where('relationship_id', '=', relationshipId)
    .execute()
}

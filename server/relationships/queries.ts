import { sql } from 'kysely'
import type { Status } from '#contract/fields.ts'
import {
  AFFILIATE_REQUIRED,
  duplicateRelationship,
  ISSUER_REQUIRED,
  type Relationship,
  type RelationshipCreate,
  type RelationshipFilters,
} from '#contract/relationships.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { type Company, tableOf } from '../companies/companies.ts'
import { announce } from '../deliveries/occurrences.ts'
import { AppError, conflict, invalid, violates } from '../http/errors.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import { resumeRates } from '../rates/set.ts'
import type { Reader, Viewer } from '../viewer.ts'

/** Every read of relationships starts here, so no caller can forget whose rows these are. */
export function visibleRelationships(db: Db | Tx, viewer: Reader) {
  const rows = db
    .selectFrom('relationship')
    .innerJoin('affiliate', 'affiliate.id', 'relationship.affiliate_id')
    .innerJoin('issuer', 'issuer.id', 'relationship.issuer_id')
    .where('relationship.archived_at', 'is', null)
    .select([
      'relationship.id',
      'relationship.affiliate_id as affiliate',
      'relationship.issuer_id as issuer',
      'affiliate.company_name as affiliate_name',
      'issuer.company_name as issuer_name',
      'relationship.notes',
      'relationship.relationship_status',
      'relationship.created_at',
      'relationship.updated_at',
    ])
  switch (viewer.role) {
    case 'admin':
      return rows
    case 'issuer':
      return rows.where('relationship.issuer_id', '=', viewer.issuerId)
    case 'affiliate':
      return rows.where('relationship.affiliate_id', '=', viewer.affiliateId)
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof visibleRelationships>['execute']>>[number]
const toRelationship = (row: Row): Relationship => ({ ...row, relationship_status: row.relationship_status as Status })

const searched = ['affiliate.company_name', 'issuer.company_name', 'relationship.notes'] as const

/** The rows of a list of relationships, in order; for a page, the whole list or a file. */
export function filteredRelationships(db: Db | Tx, viewer: Reader, filters: RelationshipFilters) {
  let rows = visibleRelationships(db, viewer)
  if (filters.affiliate_id) rows = rows.where('relationship.affiliate_id', '=', filters.affiliate_id)
  if (filters.issuer_id) rows = rows.where('relationship.issuer_id', '=', filters.issuer_id)
  if (filters.relationship_status)
    rows = rows.where('relationship.relationship_status', '=', filters.relationship_status)
  if (filters.search)
    rows = rows.where(
      everyWord(
        filters.search,
        searched.map((field) => sql.ref(field)),
      ),
    )
  return rows.orderBy('relationship.id')
}

export const listRelationships = (
  db: Db,
  viewer: Viewer,
  filters: RelationshipFilters,
): Promise<Relationship[] | Answer<Relationship[]>> =>
  answerList(filteredRelationships(db, viewer, filters), filters, toRelationship)

export const noRelationship = () => new AppError(404, 'NOT_FOUND', 'Relación no encontrada')

export async function getRelationship(db: Db | Tx, viewer: Viewer, id: number): Promise<Relationship> {
  const row = await visibleRelationships(db, viewer).where('relationship.id', '=', id).executeTakeFirst()
  if (!row) throw noRelationship()
  return toRelationship(row)
}

export interface Pair {
  affiliate_id: number
  issuer_id: number
}

/** Locks the companies until the end of the transaction, so that neither is archived meanwhile. */
export async function lockNames(tx: Tx, pair: Pair): Promise<{ affiliate: string; issuer: string }> {
  return {
    affiliate: await lockName(tx, 'affiliate', pair.affiliate_id, AFFILIATE_REQUIRED),
    issuer: await lockName(tx, 'issuer', pair.issuer_id, ISSUER_REQUIRED),
  }
}

async function lockName(tx: Tx, noun: Company, id: number, message: string): Promise<string> {
  const row = await tx
    .selectFrom(tableOf(noun))
    .select('company_name')
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!row) throw invalid(`${noun}_id`, message)
  return row.company_name
}

export async function refusingTakenPair<T>(
  names: { affiliate: string; issuer: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!violates(error, 'relationship_pair_key')) throw error
    throw conflict(duplicateRelationship(names.affiliate, names.issuer), 'DUPLICATE_RELATIONSHIP')
  }
}

export async function createRelationship(db: Db, viewer: Viewer, form: RelationshipCreate): Promise<Relationship> {
  return db.transaction().execute(async (tx) => {
    const names = await lockNames(tx, form)
    const { id } = await refusingTakenPair(names, async () => {
      const revived = await revive(tx, viewer, form)
      return revived ?? tx.insertInto('relationship').values(form).returning('id').executeTakeFirstOrThrow()
    })
    const label = labelOf(names.affiliate, names.issuer)
    const { affiliate_id, issuer_id } = form
    await announce(tx, 'relationship.started', { affiliate_id, issuer_id })
    await audit(tx, viewer, { action: 'create', entity: 'relationship', entityId: id, label, after: form })
    return getRelationship(tx, viewer, id)
  })
}

/** The pair's archived row comes back under its old id, so that published links and its commissions work again (D23). */
async function revive(tx: Tx, viewer: Viewer, { affiliate_id, issuer_id, notes }: RelationshipCreate) {
  const archived = await tx
    .selectFrom('relationship')
    .select(['id', 'archived_at'])
    .where('affiliate_id', '=', affiliate_id)
    .where('issuer_id', '=', issuer_id)
    .where('archived_at', 'is not', null)
    .orderBy('archived_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!archived) return undefined
  const { id } = archived
  await tx
    .updateTable('relationship')
    .set({ archived_at: null, notes, relationship_status: 'active' })
    .where('id', '=', id)
    .execute()
  await reviveCommissions(tx, viewer, archived)
  return { id }
}

/** Those that ended with the relationship, of products that are still there. */
async function reviveCommissions(tx: Tx, viewer: Viewer, archived: { id: number; archived_at: string | null }) {
  // Locked, so that none of them is archived meanwhile and leaves a commission behind.
  const products = await tx
    .selectFrom('product')
    .select('id')
    .where('archived_at', 'is', null)
    .where('id', 'in', (eb) =>
      eb.selectFrom('commission').select('product_id').where('relationship_id', '=', archived.id),
    )
    .orderBy('id')
    .forShare()
    .execute()
  const commissions = await tx
    .updateTable('commission')
    .set({ archived_at: null })
    .where('relationship_id', '=', archived.id)
    .where('archived_at', '=', archived.archived_at)
    .where('product_id', '=', sql<number>`any(${products.map(({ id }) => id)}::bigint[])`)
    .returning(['id', 'name'])
    .execute()
  for (const commission of commissions) await resumeRates(tx, viewer, commission)
}

export const labelOf = (affiliate: string, issuer: string): string => `${affiliate} – ${issuer}`

export async function lockRelationship(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('relationship')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw noRelationship()
  return row
}

/** Rows of history still refer to it; its links stop and its commissions are archived, too. */
export async function removeRelationship(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    await lockRelationship(tx, id)
    const { affiliate_name, issuer_name } = await getRelationship(tx, viewer, id)
    await archiveRelationships(tx, { id })
    const label = labelOf(affiliate_name, issuer_name)
    await audit(tx, viewer, { action: 'delete', entity: 'relationship', entityId: id, label })
  })
  return undefined
}

/**
 * Also called when a company is archived; tells the affiliates. Both rows get the same moment, by which a restore finds the
 * commissions.
 */
export async function archiveRelationships(
  tx: Tx,
  which: { id: number } | Pick<Pair, 'affiliate_id'> | Pick<Pair, 'issuer_id'>,
): Promise<void> {
  const archived = { archived_at: sql<string>`now()` }
  const rows = await tx
    .updateTable('relationship')
    .set(archived)
    .where((eb) => eb.and(which))
    .where('archived_at', 'is', null)
    .returning(['id', 'affiliate_id', 'issuer_id', 'relationship_status'])
    .execute()
  if (!rows.length) return
  await tx
    .updateTable('commission')
    .set(archived)
    .where(
      'relationship_id',
      'in',
      rows.map((row) => row.id),
    )
    .where('archived_at', 'is', null)
    .execute()
  // Who has an inactive one was told when it became so.
  const [first, ...others] = rows
    .filter((row) => row.relationship_status === 'active')
    .map(({ affiliate_id, issuer_id }) => ({ affiliate_id, issuer_id }))
  if (first) await announce(tx, 'relationship.ended', first, ...others)
}

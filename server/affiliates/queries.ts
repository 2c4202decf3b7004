import type { Affiliate, AffiliateCreate, AffiliateUpdate } from '#contract/affiliates.ts'
import type { CompanyAccess, CompanyFilters, Dependents, KeyChange, KeyKind } from '#contract/companies.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { readAccess } from '../companies/access.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import { answerSaved, archiveCompany, changeCompany, hashOf, insertCompany, lockCompany } from '../companies/changes.ts'
import { countDependents, filterCompanies, noCompany, readCompanies, toCompany } from '../companies/companies.ts'
import { revokeOldKeys, rotateCompanyKey } from '../companies/key-changes.ts'
import { announce } from '../deliveries/occurrences.ts'
import type { Answer } from '../http/http.ts'
import { answerList } from '../http/lists.ts'
import { archiveRelationships, visibleRelationships } from '../relationships/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import { lockOwners } from '../users/rules.ts'
import { readsKeys, type Viewer } from '../viewer.ts'

/** Every read of affiliates starts here, so no caller can forget whose rows these are. */
export function visibleAffiliates(db: Db | Tx, viewer: Viewer) {
  const rows = readCompanies(db, viewer, 'affiliate')
  switch (viewer.role) {
    case 'admin':
      return rows
    case 'issuer':
      return rows.where('link.id', 'is not', null)
    case 'affiliate':
      return rows.where('company.id', '=', viewer.affiliateId)
  }
}

/** The rows of a list of affiliates, in order; for a page, the whole list or a file. */
export function filteredAffiliates(db: Db | Tx, viewer: Viewer, filters: CompanyFilters) {
  let rows = filterCompanies(visibleAffiliates(db, viewer), filters)
  if (filters.relationship_id)
    rows = rows.where(
      'company.id',
      'in',
      visibleRelationships(db, viewer)
        .clearSelect()
        .select('relationship.affiliate_id')
        .where('relationship.id', '=', filters.relationship_id),
    )
  return rows.orderBy('company.id')
}

export const listAffiliates = (
  db: Db,
  viewer: Viewer,
  filters: CompanyFilters,
): Promise<Affiliate[] | Answer<Affiliate[]>> => answerList(filteredAffiliates(db, viewer, filters), filters, toCompany)

export const getAffiliate = (db: Db, viewer: Viewer, keys: ApiKeys, id: number): Promise<Affiliate> =>
  db.transaction().execute((tx) => readAffiliate(tx, viewer, keys, id))

/** Its own people see its key, and the trail says that they did (security 2.10). */
async function readAffiliate(tx: Tx, viewer: Viewer, keys: ApiKeys, id: number): Promise<Affiliate> {
  const affiliate = await findVisible(tx, viewer, id)
  if (viewer.role !== 'affiliate' || !readsKeys(viewer)) return affiliate
  const apiKey = await keys.reveal(tx, { affiliateId: id }, 'api')
  if (!apiKey) return affiliate
  await announce(tx, 'key.shown', { affiliate_id: id, actor_id: viewer.userId, detail: viewer.name })
  await audit(tx, viewer, { action: 'reveal_key', entity: 'affiliate', entityId: id, label: affiliate.company_name })
  return { ...affiliate, api_key: apiKey }
}

async function findVisible(tx: Tx, viewer: Viewer, id: number): Promise<Affiliate> {
  const row = await visibleAffiliates(tx, viewer).where('company.id', '=', id).executeTakeFirst()
  if (!row) throw noCompany('affiliate')
  return toCompany(row)
}

export async function createAffiliate(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  form: AffiliateCreate,
): Promise<Answer<Affiliate>> {
  const passwordHash = await hashOf(viewer, form.user)
  return db.transaction().execute(async (tx) => {
    const id = await insertCompany(tx, viewer, keys, 'affiliate', form, passwordHash)
    return answerSaved(await readAffiliate(tx, viewer, keys, id), form.rfc)
  })
}

export async function updateAffiliate(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  affiliateId: number,
  { id: _, ...form }: AffiliateUpdate,
  ifMatch?: string,
): Promise<Answer<Affiliate>> {
  return db.transaction().execute(async (tx) => {
    await changeCompany(tx, viewer, 'affiliate', affiliateId, form, ifMatch)
    return answerSaved(await readAffiliate(tx, viewer, keys, affiliateId), form.rfc)
  })
}

/** Takes its people's access, its keys and its relationships along (D20). */
export async function removeAffiliate(db: Db, viewer: Viewer, keys: ApiKeys, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    await lockOwners(tx)
    const affiliate = await lockCompany(tx, 'affiliate', id)
    await archiveRelationships(tx, { affiliate_id: id })
    await archiveCompany(tx, viewer, keys, 'affiliate', id, affiliate.company_name)
  })
  return undefined
}

export const affiliateDependents = (db: Db, id: number): Promise<Dependents> => countDependents(db, 'affiliate', id)

export async function rotateAffiliateKey(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  id: number,
  { revoke_old }: KeyChange,
): Promise<Affiliate> {
  return db.transaction().execute(async (tx) => {
    await findVisible(tx, viewer, id)
    await rotateCompanyKey(tx, viewer, keys, 'affiliate', id, 'api', { revokeOld: revoke_old })
    return readAffiliate(tx, viewer, keys, id)
  })
}

export async function revokeOldAffiliateKeys(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  id: number,
  kind: KeyKind | undefined,
): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    await findVisible(tx, viewer, id)
    await revokeOldKeys(tx, viewer, keys, 'affiliate', id, kind)
  })
  return undefined
}

export const affiliateAccess = (db: Db, viewer: Viewer, id: number): Promise<CompanyAccess> =>
  inSnapshot(db, async (tx) => {
    await findVisible(tx, viewer, id)
    return readAccess(tx, viewer, 'affiliate', id)
  })

import type { CompanyAccess, CompanyFilters, Dependents, KeyChange, KeyKind } from '#contract/companies.ts'
import type { Status } from '#contract/fields.ts'
import type { Issuer, IssuerCreate, IssuerUpdate } from '#contract/issuers.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { readAccess } from '../companies/access.ts'
import type { ApiKeys } from '../companies/api-keys.ts'
import { answerSaved, archiveCompany, changeCompany, hashOf, insertCompany, lockCompany } from '../companies/changes.ts'
import { countDependents, filterCompanies, noCompany, readCompanies, toCompany } from '../companies/companies.ts'
import { requireSignature, revokeOldKeys, rotateCompanyKey } from '../companies/key-changes.ts'
import type { Config } from '../config.ts'
import { announce } from '../deliveries/occurrences.ts'
import type { Answer } from '../http/http.ts'
import { answerList } from '../http/lists.ts'
import { archiveProducts } from '../products/queries.ts'
import { archiveRelationships, visibleRelationships } from '../relationships/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import { lockOwners } from '../users/rules.ts'
import { readsKeys, type Viewer } from '../viewer.ts'

type Directory = Config['issuerDirectory']

/** Every read of issuers starts here, so no caller can forget whose rows these are. */
export function visibleIssuers(db: Db | Tx, viewer: Viewer, directory: Directory) {
  const rows = readCompanies(db, viewer, 'issuer')
  switch (viewer.role) {
    case 'admin':
      return rows
    case 'issuer':
      return rows.where('company.id', '=', viewer.issuerId)
    case 'affiliate':
      if (directory === 'related') return rows.where('link.id', 'is not', null)
      return rows.where((eb) => eb.or([eb('link.id', 'is not', null), eb('company.user_status', '=', 'active')]))
  }
}

type Row = Parameters<typeof toCompany>[0]
const toIssuer = (row: Row): Issuer => ({ ...toCompany(row), redirect_url: row.url })

/** The rows of a list of issuers, in order; for a page, the whole list or a file. */
export function filteredIssuers(db: Db | Tx, viewer: Viewer, directory: Directory, filters: CompanyFilters) {
  let rows = filterCompanies(visibleIssuers(db, viewer, directory), filters)
  if (filters.relationship_id)
    rows = rows.where(
      'company.id',
      'in',
      visibleRelationships(db, viewer)
        .clearSelect()
        .select('relationship.issuer_id')
        .where('relationship.id', '=', filters.relationship_id),
    )
  return rows.orderBy('company.id')
}

export const listIssuers = (
  db: Db,
  viewer: Viewer,
  directory: Directory,
  filters: CompanyFilters,
): Promise<Issuer[] | Answer<Issuer[]>> =>
  answerList(filteredIssuers(db, viewer, directory, filters), filters, toIssuer)

export const getIssuer = (db: Db, viewer: Viewer, keys: ApiKeys, directory: Directory, id: number): Promise<Issuer> =>
  db.transaction().execute((tx) => readIssuer(tx, viewer, keys, directory, id))

/** Its own people see its keys, and the trail says that they did (security 2.10). */
async function readIssuer(tx: Tx, viewer: Viewer, keys: ApiKeys, directory: Directory, id: number): Promise<Issuer> {
  const issuer = await findVisible(tx, viewer, directory, id)
  if (viewer.role !== 'issuer' || !readsKeys(viewer)) return issuer
  const own = {
    api_key: await keys.reveal(tx, { issuerId: id }, 'api'),
    postback_token: await keys.reveal(tx, { issuerId: id }, 'postback'),
    signing_secret: await keys.reveal(tx, { issuerId: id }, 'signing'),
  }
  if (!Object.values(own).some(Boolean)) return issuer
  await announce(tx, 'key.shown', { issuer_id: id, actor_id: viewer.userId, detail: viewer.name })
  await audit(tx, viewer, { action: 'reveal_key', entity: 'issuer', entityId: id, label: issuer.company_name })
  return { ...issuer, ...own }
}

async function findVisible(tx: Tx, viewer: Viewer, directory: Directory, id: number): Promise<Issuer> {
  const row = await visibleIssuers(tx, viewer, directory).where('company.id', '=', id).executeTakeFirst()
  if (!row) throw noCompany('issuer')
  return toIssuer(row)
}

export async function createIssuer(db: Db, viewer: Viewer, keys: ApiKeys, form: IssuerCreate): Promise<Answer<Issuer>> {
  const passwordHash = await hashOf(viewer, form.user)
  return db.transaction().execute(async (tx) => {
    const id = await insertCompany(tx, viewer, keys, 'issuer', form, passwordHash)
    return answerSaved(await readIssuer(tx, viewer, keys, 'related', id), form.rfc)
  })
}

export async function updateIssuer(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  issuerId: number,
  { id: _, ...form }: IssuerUpdate,
  ifMatch?: string,
): Promise<Answer<Issuer>> {
  return db.transaction().execute(async (tx) => {
    const before = await changeCompany(tx, viewer, 'issuer', issuerId, form, ifMatch)
    if (form.user_status && form.user_status !== before.user_status) await announceLinks(tx, issuerId, form.user_status)
    return answerSaved(await readIssuer(tx, viewer, keys, 'related', issuerId), form.rfc)
  })
}

/** All links of an issuer stop or work again (D8). One notice says it of all products, of which there may be hundreds. */
async function announceLinks(tx: Tx, issuer_id: number, status: Status): Promise<void> {
  const product = await tx
    .selectFrom('product')
    .select('id')
    .where('issuer_id', '=', issuer_id)
    .where('product_status', '=', 'active')
    .where('archived_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (product) await announce(tx, status === 'active' ? 'product.resumed' : 'product.paused', { issuer_id })
}

/** Takes its people's access, its keys, its relationships and its products along (D20). */
export async function removeIssuer(db: Db, viewer: Viewer, keys: ApiKeys, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    await lockOwners(tx)
    const issuer = await lockCompany(tx, 'issuer', id)
    // Before the relationships, as where a commission is made: the same order cannot deadlock.
    const products = await tx
      .selectFrom('product')
      .select('id')
      .where('issuer_id', '=', id)
      .where('archived_at', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    await archiveRelationships(tx, { issuer_id: id })
    await archiveProducts(
      tx,
      products.map((product) => product.id),
    )
    await archiveCompany(tx, viewer, keys, 'issuer', id, issuer.company_name)
  })
  return undefined
}

export const issuerDependents = (db: Db, id: number): Promise<Dependents> => countDependents(db, 'issuer', id)

export async function rotateIssuerKey(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  id: number,
  kind: KeyKind,
  { revoke_old }: KeyChange,
): Promise<Issuer> {
  return db.transaction().execute(async (tx) => {
    await findVisible(tx, viewer, 'related', id)
    await rotateCompanyKey(tx, viewer, keys, 'issuer', id, kind, { revokeOld: revoke_old })
    return readIssuer(tx, viewer, keys, 'related', id)
  })
}

export async function revokeOldIssuerKeys(
  db: Db,
  viewer: Viewer,
  keys: ApiKeys,
  id: number,
  kind: KeyKind | undefined,
): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    await findVisible(tx, viewer, 'related', id)
    await revokeOldKeys(tx, viewer, keys, 'issuer', id, kind)
  })
  return undefined
}

export async function requireIssuerSignature(db: Db, viewer: Viewer, id: number, required: boolean) {
  await db.transaction().execute(async (tx) => {
    await findVisible(tx, viewer, 'related', id)
    await requireSignature(tx, viewer, id, required)
  })
  return undefined
}

export const issuerAccess = (db: Db, viewer: Viewer, id: number): Promise<CompanyAccess> =>
  inSnapshot(db, async (tx) => {
    await findVisible(tx, viewer, 'related', id)
    return readAccess(tx, viewer, 'issuer', id)
  })

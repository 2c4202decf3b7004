import { sql } from 'kysely'
import type {
  ExternalDashboard,
  ExternalDashboardCreate,
  ExternalDashboardFilters,
  ExternalDashboardUpdate,
} from '#contract/dashboards.ts'
import type { Dashboard } from '#contract/metrics.ts'
import type { Role } from '#contract/roles.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { type Company, columnOf } from '../companies/companies.ts'
import { invalid, notFound } from '../http/errors.ts'
import { type Answer, expectUnchanged } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import type { Viewer } from '../viewer.ts'
import { expectFramable, isFramable, OWN } from './framing.ts'

/**
 * The boards of the viewer's role: those for everybody in it and those for its company alone. One that our own policy
 * would refuse to frame is left out rather than shown empty.
 */
export async function listDashboards(db: Db, viewer: Viewer, origins: string[]): Promise<Dashboard[]> {
  let rows = db
    .selectFrom('dashboard')
    .select(['id', 'name', 'description', 'iframe_url'])
    .where('archived_at', 'is', null)
  if (viewer.role === 'issuer')
    rows = rows
      .where('role', '=', 'issuer')
      .where((eb) => eb.or([eb('issuer_id', 'is', null), eb('issuer_id', '=', viewer.issuerId)]))
  if (viewer.role === 'affiliate')
    rows = rows
      .where('role', '=', 'affiliate')
      .where((eb) => eb.or([eb('affiliate_id', 'is', null), eb('affiliate_id', '=', viewer.affiliateId)]))
  const boards = await rows.orderBy('id').execute()
  return boards.filter(({ iframe_url }) => isFramable(iframe_url, origins))
}

/** Every read starts here, which leaves out the boards that ship with the product: nobody may change them. */
const externalDashboards = (db: Db | Tx) =>
  db
    .selectFrom('dashboard')
    .leftJoin('issuer', 'issuer.id', 'dashboard.issuer_id')
    .leftJoin('affiliate', 'affiliate.id', 'dashboard.affiliate_id')
    .where('dashboard.archived_at', 'is', null)
    .where('dashboard.iframe_url', 'not like', `${OWN}%`)
    .select((eb) => [
      'dashboard.id',
      'dashboard.name',
      'dashboard.description',
      'dashboard.iframe_url',
      'dashboard.role',
      'dashboard.issuer_id',
      'dashboard.affiliate_id',
      eb.fn.coalesce('issuer.company_name', 'affiliate.company_name').as('owner_name'),
      'dashboard.created_at',
      'dashboard.updated_at',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof externalDashboards>['execute']>>[number]

const toDashboard = (row: Row, origins: string[]): ExternalDashboard => ({
  ...row,
  role: row.role as Role,
  allowed: isFramable(row.iframe_url, origins),
})

export function listExternalDashboards(
  db: Db,
  origins: string[],
  filters: ExternalDashboardFilters,
): Promise<ExternalDashboard[] | Answer<ExternalDashboard[]>> {
  let rows = externalDashboards(db)
  if (filters.role) rows = rows.where('dashboard.role', '=', filters.role)
  if (filters.search)
    rows = rows.where((eb) =>
      everyWord(filters.search ?? '', [
        eb.ref('dashboard.name'),
        eb.ref('dashboard.description'),
        eb.ref('issuer.company_name'),
        eb.ref('affiliate.company_name'),
      ]),
    )
  return answerList(rows.orderBy('dashboard.id'), filters, (row) => toDashboard(row, origins))
}

export async function getExternalDashboard(db: Db | Tx, origins: string[], id: number): Promise<ExternalDashboard> {
  const row = await externalDashboards(db).where('dashboard.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Dashboard')
  return toDashboard(row, origins)
}

interface Owner {
  role: Role
  issuer_id: number | null
  affiliate_id: number | null
}

/** An issuer's board belongs to an issuer or to all of them; one that was named before may since be inactive. */
async function ownerOf(tx: Tx, role: Role, form: Partial<Omit<Owner, 'role'>>): Promise<Owner> {
  const owner: Owner = { role, issuer_id: null, affiliate_id: null }
  if (role === 'admin') return owner
  const column = `${role}_id` as const
  const id = form[column]
  if (!id) return owner
  const company = await tx
    .selectFrom(role)
    .select('id')
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!company) throw invalid(column, `Selecciona un ${role === 'issuer' ? 'emisor' : 'afiliado'} válido`)
  return { ...owner, [column]: id }
}

export async function createExternalDashboard(
  db: Db,
  viewer: Viewer,
  origins: string[],
  form: ExternalDashboardCreate,
): Promise<ExternalDashboard> {
  const { name, description = '', iframe_url } = form
  expectFramable(iframe_url, origins)
  return db.transaction().execute(async (tx) => {
    const row = { name, description, iframe_url, ...(await ownerOf(tx, form.role, known(form))) }
    const { id } = await tx.insertInto('dashboard').values(row).returning('id').executeTakeFirstOrThrow()
    await audit(tx, viewer, { action: 'create', entity: 'dashboard', entityId: id, label: name, after: row })
    return getExternalDashboard(tx, origins, id)
  })
}

const known = ({ issuer_id, affiliate_id }: Pick<ExternalDashboardCreate, 'issuer_id' | 'affiliate_id'>) => ({
  ...(issuer_id !== undefined && { issuer_id }),
  ...(affiliate_id !== undefined && { affiliate_id }),
})

export async function updateExternalDashboard(
  db: Db,
  viewer: Viewer,
  origins: string[],
  dashboardId: number,
  { id: _, role, issuer_id, affiliate_id, ...texts }: ExternalDashboardUpdate,
  ifMatch?: string,
): Promise<ExternalDashboard> {
  return db.transaction().execute(async (tx) => {
    const before = await lockDashboard(tx, dashboardId)
    expectUnchanged(ifMatch, before.updated_at)
    // An unchanged address may be saved again, even if the operator no longer allows it.
    if (texts.iframe_url !== undefined && texts.iframe_url !== before.iframe_url)
      expectFramable(texts.iframe_url, origins)
    const merged = { ...before, ...known({ issuer_id, affiliate_id }) }
    const after = { ...texts, ...(await ownerOf(tx, role ?? (before.role as Role), merged)) }
    await tx.updateTable('dashboard').set(after).where('id', '=', dashboardId).execute()
    await auditChange(tx, viewer, { entity: 'dashboard', label: texts.name ?? before.name, before, after })
    return getExternalDashboard(tx, origins, dashboardId)
  })
}

async function lockDashboard(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('dashboard')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .where('iframe_url', 'not like', `${OWN}%`)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Dashboard')
  return row
}

export async function removeExternalDashboard(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const dashboard = await lockDashboard(tx, id)
    await tx.updateTable('dashboard').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    await audit(tx, viewer, { action: 'delete', entity: 'dashboard', entityId: id, label: dashboard.name })
  })
  return undefined
}

/** Called when a company is archived: its boards have no viewers left. */
export async function archiveDashboardsOf(tx: Tx, noun: Company, id: number): Promise<void> {
  await tx
    .updateTable('dashboard')
    .set({ archived_at: sql<string>`now()` })
    .where(columnOf(noun), '=', id)
    .where('archived_at', 'is', null)
    .execute()
}

import { sql } from 'kysely'
import {
  type Commission,
  type CommissionCreate,
  type CommissionFilters,
  type CommissionUpdate,
  DUPLICATE_COMMISSION,
  PAIR_FIXED,
  PAIR_MISMATCH,
} from '#contract/commissions.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { conflict, invalid, notFound, violates } from '../http/errors.ts'
import { type Answer, expectUnchanged } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import { inForce, nextRate } from '../rates/in-force.ts'
import { beginRate, NOT_YET, setRate } from '../rates/set.ts'
import type { Reader, Viewer } from '../viewer.ts'

export type CommissionViewer = Extract<Viewer, { role: 'admin' | 'issuer' }>
export type CommissionReader = Extract<Reader, { role: 'admin' | 'issuer' }>

const PAIR = { product: sql.ref('commission.product_id'), affiliate: sql.ref('commission.affiliate_id') }

/** Every read of commissions starts here, so no caller can forget whose rows these are. */
function visibleCommissions(db: Db | Tx, viewer: CommissionReader) {
  const rows = db
    .selectFrom('commission')
    .innerJoin('product', 'product.id', 'commission.product_id')
    .innerJoin('affiliate', 'affiliate.id', 'commission.affiliate_id')
    .innerJoin('issuer', 'issuer.id', 'commission.issuer_id')
    .where('commission.archived_at', 'is', null)
    .select([
      'commission.id',
      'commission.name',
      'commission.description',
      'commission.product_id as product',
      'commission.affiliate_id as affiliate',
      'commission.issuer_id as issuer',
      sql<number>`commission.relationship_id`.as('relationship_id'),
      sql<boolean>`exists (select from relationship
        where relationship.affiliate_id = commission.affiliate_id and relationship.issuer_id = commission.issuer_id
          and relationship.relationship_status = 'active' and relationship.archived_at is null)`.as(
        'relationship_active',
      ),
      inForce(PAIR).as('payout'),
      nextRate(PAIR).as('next'),
      'product.name as product_name',
      'affiliate.company_name as affiliate_name',
      'issuer.company_name as issuer_name',
      'commission.created_at',
      'commission.updated_at',
    ])
  return viewer.role === 'admin' ? rows : rows.where('commission.issuer_id', '=', viewer.issuerId)
}

/** The rows of a list of commissions, in order; for a page, the whole list or a file. */
export function filteredCommissions(db: Db | Tx, viewer: CommissionReader, filters: CommissionFilters) {
  let rows = visibleCommissions(db, viewer)
  if (filters.product_id) rows = rows.where('commission.product_id', '=', filters.product_id)
  if (filters.affiliate_id) rows = rows.where('commission.affiliate_id', '=', filters.affiliate_id)
  if (filters.issuer_id) rows = rows.where('commission.issuer_id', '=', filters.issuer_id)
  if (filters.search)
    rows = rows.where(
      everyWord(
        filters.search,
        ['commission.name', 'product.name', 'affiliate.company_name'].map((f) => sql.ref(f)),
      ),
    )
  return rows.orderBy('commission.id')
}

export const listCommissions = (
  db: Db,
  viewer: CommissionViewer,
  filters: CommissionFilters,
): Promise<Commission[] | Answer<Commission[]>> =>
  answerList(filteredCommissions(db, viewer, filters), filters, (row): Commission => row)

export async function getCommission(db: Db | Tx, viewer: CommissionViewer, id: number): Promise<Commission> {
  const row = await visibleCommissions(db, viewer).where('commission.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Comisión', 'encontrada')
  return row
}

export async function createCommission(db: Db, viewer: CommissionViewer, form: CommissionCreate): Promise<Commission> {
  const { product_id, affiliate_id, name, payout } = form
  return db.transaction().execute(async (tx) => {
    const issuer_id = await lockOwnProduct(tx, viewer, product_id)
    const relationship_id = await relationshipOf(tx, { affiliate_id, issuer_id }, form.relationship_id)
    const row = { issuer_id, affiliate_id, product_id, relationship_id, name, description: form.description ?? '' }
    const id = await insertCommission(tx, viewer, row, payout)
    return getCommission(tx, viewer, id)
  })
}

/** The issuer of a product that the viewer may pay for, locked so that it cannot be archived meanwhile. */
export async function lockOwnProduct(tx: Tx, viewer: CommissionViewer, productId: number): Promise<number> {
  let rows = tx.selectFrom('product').select('issuer_id').where('id', '=', productId).where('archived_at', 'is', null)
  if (viewer.role === 'issuer') rows = rows.where('issuer_id', '=', viewer.issuerId)
  const product = await rows.forShare().executeTakeFirst()
  if (!product) throw invalid('product_id', 'Selecciona un producto')
  return product.issuer_id
}

/** Commissions are for present partners alone (D40); a relationship sent by the caller must be theirs. */
export async function relationshipOf(
  tx: Tx,
  pair: { affiliate_id: number; issuer_id: number },
  claimed: number | null | undefined,
): Promise<number> {
  const relationship = await tx
    .selectFrom('relationship')
    .select('id')
    .where('affiliate_id', '=', pair.affiliate_id)
    .where('issuer_id', '=', pair.issuer_id)
    .where('relationship_status', '=', 'active')
    .where('archived_at', 'is', null)
    .forShare() // or it could end meanwhile and leave this commission behind
    .executeTakeFirst()
  if (!relationship) throw invalid('affiliate_id', 'Selecciona un afiliado válido')
  if (claimed && claimed !== relationship.id) throw invalid('relationship_id', PAIR_MISMATCH)
  return relationship.id
}

type Row = Pick<CommissionCreate, 'affiliate_id' | 'product_id' | 'name'> & {
  issuer_id: number
  relationship_id: number
  description: string
}

export async function insertCommission(tx: Tx, viewer: CommissionViewer, row: Row, payout: string): Promise<number> {
  try {
    const { id } = await tx.insertInto('commission').values(row).returning('id').executeTakeFirstOrThrow()
    await setRate(tx, { product_id: row.product_id, commission_id: id, event_step_id: null }, payout)
    const after = { ...row, payout }
    await audit(tx, viewer, { action: 'create', entity: 'commission', entityId: id, label: row.name, after })
    return id
  } catch (error) {
    if (violates(error, 'commission_pair_key')) throw conflict(DUPLICATE_COMMISSION, 'DUPLICATE_COMMISSION')
    throw error
  }
}

/** The amount holds for the events that follow; entries keep the one of their own time (D41). */
export async function updateCommission(
  db: Db,
  viewer: CommissionViewer,
  id: number,
  form: CommissionUpdate,
  ifMatch?: string,
): Promise<Commission> {
  return db.transaction().execute(async (tx) => {
    const before = await lockCommission(tx, viewer, id)
    expectUnchanged(ifMatch, before.updated_at)
    if ((form.product_id ?? before.product_id) !== before.product_id) throw invalid('product_id', PAIR_FIXED)
    if ((form.affiliate_id ?? before.affiliate_id) !== before.affiliate_id) throw invalid('affiliate_id', PAIR_FIXED)
    await relationshipOf(tx, before, form.relationship_id)
    const { payout, ...changes } = changesOf(form)
    // Also where the amount alone changes: whoever looks at the old one is told.
    await tx
      .updateTable('commission')
      .set({ name: before.name, ...changes })
      .where('id', '=', id)
      .execute()
    const scope = { product_id: before.product_id, commission_id: id, event_step_id: null }
    const isOther = payout !== undefined && payout !== before.payout
    const rate = isOther ? await setRate(tx, scope, payout, NOT_YET) : undefined
    const after = { ...changes, ...(payout !== undefined && { payout }) }
    await auditChange(tx, viewer, { entity: 'commission', label: form.name ?? before.name, before, after })
    if (rate !== undefined) await beginRate(tx, rate)
    return getCommission(tx, viewer, id)
  })
}

const changesOf = ({ name, description, payout }: CommissionUpdate) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description: description ?? '' }),
  ...(payout !== undefined && { payout }),
})

/** With the amount in force, read once nobody else can change it; `missing` is thrown where there is none. */
export async function lockCommission(
  tx: Tx,
  viewer: CommissionViewer,
  id: number,
  missing = notFound('Comisión', 'encontrada'),
) {
  let own = tx.selectFrom('commission').where('commission.id', '=', id).where('commission.archived_at', 'is', null)
  if (viewer.role === 'issuer') own = own.where('commission.issuer_id', '=', viewer.issuerId)
  // The relationship first, as where it ends or moves and takes its commissions along: the same order cannot deadlock.
  await tx.selectFrom('relationship').select('id').where('id', '=', own.select('relationship_id')).forShare().execute()
  const row = await own.selectAll().forUpdate().executeTakeFirst()
  if (!row) throw missing
  const { payout } = await tx
    .selectFrom('commission')
    .select(inForce(PAIR).as('payout'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, payout }
}

export async function removeCommission(db: Db, viewer: CommissionViewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const commission = await lockCommission(tx, viewer, id)
    await tx.updateTable('commission').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    const { affiliate_id, issuer_id, product_id } = commission
    await announce(tx, 'commission.changed', { affiliate_id, issuer_id, product_id, detail: 'ended' })
    await audit(tx, viewer, { action: 'delete', entity: 'commission', entityId: id, label: commission.name })
  })
  return undefined
}

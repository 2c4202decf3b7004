import { type SqlBool, sql } from 'kysely'
import type { Product, ProductCreate, ProductFilters, ProductUpdate } from '#contract/products.ts'
import type { Validation } from '#contract/validation.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import type { Links } from '../clicks/links.ts'
import { announce } from '../deliveries/occurrences.ts'
import { isPaying } from '../event-steps/paying.ts'
import { expectElevated } from '../http/access.ts'
import { invalid, notFound } from '../http/errors.ts'
import { type Answer, expectUnchanged } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import { asMoment, NOW, nextPaid, type Pair } from '../rates/in-force.ts'
import type { Reader, Viewer } from '../viewer.ts'

/** Of the relationship that the rows are joined with. */
const isAffiliateActive = sql<SqlBool>`
  exists (select from affiliate where affiliate.id = relationship.affiliate_id and affiliate.user_status = 'active')`

/** Every read of products starts here, so no caller can forget whose rows these are. */
export function visibleProducts(db: Db | Tx, viewer: Reader) {
  const rows = db
    .selectFrom('product')
    .innerJoin('issuer', 'issuer.id', 'product.issuer_id')
    .leftJoin('relationship', (join) =>
      join
        .onRef('relationship.issuer_id', '=', 'product.issuer_id')
        .on('relationship.affiliate_id', '=', viewer.role === 'affiliate' ? viewer.affiliateId : null)
        .on('relationship.archived_at', 'is', null)
        .on('relationship.relationship_status', '=', 'active'),
    )
    .where('product.archived_at', 'is', null)
    .select([
      'product.id',
      'product.name',
      'product.description',
      'product.redirect_url',
      'product.issuer_id as issuer',
      'issuer.company_name as issuer_name',
      'product.product_status',
      'relationship.id as relationship_id',
      'product.created_at',
      'product.updated_at',
    ])
  switch (viewer.role) {
    case 'admin':
      return rows
    case 'issuer':
      return rows.where('product.issuer_id', '=', viewer.issuerId)
    case 'affiliate':
      // Those whose links lead on: the others answer 410.
      return rows
        .where('relationship.id', 'is not', null)
        .where('issuer.user_status', '=', 'active')
        .where('product.product_status', '=', 'active')
        .where(isAffiliateActive)
  }
}

/** Of what an affiliate earns today; nobody else is asked for. */
const ownTerm = sql<{
  validation: Validation
  validation_days: number
} | null>`case when relationship.id is not null then (
  select to_jsonb(term) from term_of(product.issuer_id, product.id, relationship.id, mexico_day(now())) as term) end`

type Commission = NonNullable<Product['commission']>
type OwnPay = Pick<Commission, 'payout' | 'since' | 'next' | 'steps'>

/** What an affiliate earns now (D76): never another's, and nothing for who has no relationship. */
const ownPay = ({ affiliateId }: Extract<Reader, { role: 'affiliate' }>) => {
  const pair = { product: sql.ref('product.id'), affiliate: sql`${affiliateId}::bigint` }
  return sql<OwnPay | null>`case when relationship.id is not null then (
    select jsonb_build_object('payout', paid.amount::text, 'since', ${asMoment(sql`greatest(paid.valid_from, own.ended_at)`)},
      'next', ${nextPaid(pair, sql`null::bigint`)}, 'steps', ${ownSteps(pair)})
    from rate_at(product.id, ${affiliateId}, null, ${NOW}) as paid
    -- Since its own ended, it is paid the default, which may be older.
    cross join lateral (
      select max(valid_from) as ended_at from rate where rate.product_id = product.id and affiliate_id = ${affiliateId}
        and event_step_id is null and amount is null and valid_from <= ${NOW}
    ) as own
  ) end`
}

const ownSteps = (pair: Pair) => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', step.id, 'name', step.name, 'payout', by_step.amount::text,
    'since', ${asMoment(sql`greatest(by_step.valid_from, own.ended_at)`)},
    'next', ${nextPaid(pair, sql`step.id`)}) order by step_order, step.id), '[]')
  from event_step as step cross join lateral rate_at(${pair.product}, ${pair.affiliate}, step.id, ${NOW}) as by_step
  where step.product_id = product.id and ${isPaying('step')}
)`

const productRows = (db: Db | Tx, viewer: Reader) => {
  const pay = viewer.role === 'affiliate' ? ownPay(viewer) : sql<OwnPay | null>`null::jsonb`
  return visibleProducts(db, viewer).select([pay.as('pay'), ownTerm.as('term')])
}

type Row = Awaited<ReturnType<ReturnType<typeof productRows>['execute']>>[number]

/** Affiliates get the link instead of the target, with which they could bypass the link. */
export function toProduct({ redirect_url, pay, term, ...row }: Row, links: Links): Product {
  const product = { ...row, product_status: row.product_status as Product['product_status'] }
  if (row.relationship_id === null) return { ...product, redirect_url }
  const commission = pay === null || term === null ? null : { ...pay, ...term }
  return { ...product, commission, tracking_url: links.trackingUrl(row.relationship_id, row.id) }
}

/** The rows of a list of products, in order; for a page, the whole list or a file. */
export function filteredProducts(db: Db | Tx, viewer: Reader, filters: ProductFilters) {
  let rows = productRows(db, viewer)
  if (filters.issuer_id) rows = rows.where('product.issuer_id', '=', filters.issuer_id)
  if (filters.status) rows = rows.where('product.product_status', '=', filters.status)
  if (filters.name) rows = rows.where(everyWord(filters.name, [sql.ref('product.name')]))
  if (filters.search)
    rows = rows.where(
      everyWord(
        filters.search,
        ['product.name', 'product.description', 'issuer.company_name'].map((f) => sql.ref(f)),
      ),
    )
  return rows.orderBy('product.id')
}

export const listProducts = (
  db: Db,
  viewer: Viewer,
  links: Links,
  filters: ProductFilters,
): Promise<Product[] | Answer<Product[]>> =>
  answerList(filteredProducts(db, viewer, filters), filters, (row) => toProduct(row, links))

export async function getProduct(db: Db | Tx, viewer: Viewer, links: Links, id: number): Promise<Product> {
  const row = await productRows(db, viewer).where('product.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Producto')
  return toProduct(row, links)
}

function expectForeignHost(links: Links, redirectUrl: string | undefined): void {
  if (redirectUrl && links.isOwnHost(redirectUrl)) throw invalid('redirect_url', 'Debe ser una URL válida')
}

export async function createProduct(db: Db, viewer: Viewer, links: Links, form: ProductCreate): Promise<Product> {
  expectForeignHost(links, form.redirect_url)
  return db.transaction().execute(async (tx) => {
    const issuer = await tx
      .selectFrom('issuer')
      .select('id')
      .where('id', '=', form.issuer_id)
      .where('archived_at', 'is', null)
      .forShare()
      .executeTakeFirst()
    if (!issuer) throw invalid('issuer_id', 'Debe seleccionar un emisor')
    const { id } = await tx.insertInto('product').values(form).returning('id').executeTakeFirstOrThrow()
    await audit(tx, viewer, { action: 'create', entity: 'product', entityId: id, label: form.name, after: form })
    return getProduct(tx, viewer, links, id)
  })
}

export async function updateProduct(
  db: Db,
  viewer: Viewer,
  links: Links,
  productId: number,
  { id: _, ...form }: ProductUpdate,
  ifMatch?: string,
): Promise<Product> {
  expectForeignHost(links, form.redirect_url)
  return db.transaction().execute(async (tx) => {
    const before = await lockProduct(tx, productId)
    expectUnchanged(ifMatch, before.updated_at)
    if (form.redirect_url !== undefined && form.redirect_url !== before.redirect_url) expectElevated(viewer)
    if (Object.keys(form).length) await tx.updateTable('product').set(form).where('id', '=', productId).execute()
    const { issuer_id, product_status } = { ...before, ...form }
    if (product_status !== before.product_status) {
      const type = product_status === 'active' ? 'product.resumed' : 'product.paused'
      await announce(tx, type, { issuer_id, product_id: productId })
    }
    await auditChange(tx, viewer, { entity: 'product', label: form.name ?? before.name, before, after: form })
    return getProduct(tx, viewer, links, productId)
  })
}

async function lockProduct(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('product')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forNoKeyUpdate() // what refers to it, as the end of an amount, need not wait
    .executeTakeFirst()
  if (!row) throw notFound('Producto')
  return row
}

/** Takes its steps and commissions along (D20); leads, entries and payments keep what they refer to. */
export async function removeProduct(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const product = await lockProduct(tx, id)
    await archiveProducts(tx, [id])
    await announce(tx, 'product.paused', { issuer_id: product.issuer_id, product_id: id, detail: 'removed' })
    await audit(tx, viewer, { action: 'delete', entity: 'product', entityId: id, label: product.name })
  })
  return undefined
}

/** Also called when an issuer is archived. */
export async function archiveProducts(tx: Tx, ids: number[]): Promise<void> {
  if (!ids.length) return
  const archived = { archived_at: sql<string>`now()` }
  await tx
    .updateTable('commission')
    .set(archived)
    .where('product_id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute()
  await tx
    .updateTable('event_step')
    .set(archived)
    .where('product_id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute()
  await tx.updateTable('product').set(archived).where('id', 'in', ids).where('archived_at', 'is', null).execute()
}

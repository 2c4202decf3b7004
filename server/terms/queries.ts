import { sql } from 'kysely'
import type { ListQuery } from '#contract/fields.ts'
import { TERM_BEGAN, TERM_EXISTS, TERM_STRANGERS, type Term, type TermCreate, type TermScope } from '#contract/terms.ts'
import type { Validation } from '#contract/validation.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord } from '../http/lists.ts'
import { lockPair } from '../relationships/pair.ts'
import type { Viewer } from '../viewer.ts'

/** Every list starts here: the network's terms are everybody's, the others of whom they concern. */
function visibleTerms(db: Db | Tx, viewer: Viewer) {
  const rows = db
    .selectFrom('term')
    .leftJoin('relationship', 'relationship.id', 'term.relationship_id')
    .leftJoin('product', 'product.id', 'term.product_id')
    .leftJoin('issuer', (join) =>
      join.on(sql<boolean>`issuer.id = coalesce(term.issuer_id, product.issuer_id, relationship.issuer_id)`),
    )
    .leftJoin('affiliate', 'affiliate.id', 'relationship.affiliate_id')
    .innerJoin('user', 'user.id', 'term.author_id')
  if (viewer.role === 'admin') return rows
  if (viewer.role === 'issuer') return rows.where(sql<boolean>`(issuer.id is null or issuer.id = ${viewer.issuerId})`)
  return rows.where(
    sql<boolean>`case when relationship.id is not null then relationship.affiliate_id = ${viewer.affiliateId}
      else issuer.id is null or exists (
        select from relationship as own
        where own.affiliate_id = ${viewer.affiliateId} and own.issuer_id = issuer.id and own.archived_at is null
      ) end`,
  )
}

const scope = sql<TermScope>`case
  when term.relationship_id is not null and term.product_id is not null then 'pair_product'
  when term.relationship_id is not null then 'pair' when term.product_id is not null then 'product'
  when term.issuer_id is not null then 'issuer' else 'network' end`

const state = sql<Term['state']>`case
  when term.cancelled_at is not null then 'cancelled' when term.valid_from > mexico_day(now()) then 'future'
  when exists (
    select from term as later
    where (later.issuer_id, later.product_id, later.relationship_id)
        is not distinct from (term.issuer_id, term.product_id, term.relationship_id)
      and later.cancelled_at is null and later.valid_from <= mexico_day(now()) and later.valid_from > term.valid_from
  ) then 'past' else 'in_force' end`

function describedTerms(db: Db | Tx, viewer: Viewer) {
  return visibleTerms(db, viewer)
    .select([
      'term.id',
      scope.as('scope'),
      'issuer.id as issuer',
      'issuer.company_name as issuer_name',
      'product.id as product',
      'product.name as product_name',
      'relationship.id as relationship',
      'affiliate.id as affiliate',
      'affiliate.company_name as affiliate_name',
      'term.valid_from',
      sql<Validation | null>`validation`.as('validation'),
      'term.validation_days',
      state.as('state'),
      'term.created_at',
      'term.note',
      'first_name',
      'last_name',
    ])
    .orderBy('term.valid_from', 'desc')
    .orderBy('term.id', 'desc')
}

type Row = Awaited<ReturnType<ReturnType<typeof describedTerms>['execute']>>[number]

const termOf =
  ({ role }: Viewer) =>
  ({ first_name, last_name, note, affiliate: _, ...row }: Row): Term => ({
    ...row,
    author_name: role === 'admin' ? `${first_name} ${last_name}` : null,
    note: role === 'admin' ? note : null,
  })

/** The latest first. */
export function listTerms(db: Db, viewer: Viewer, query: ListQuery): Promise<Term[] | Answer<Term[]>> {
  let rows = describedTerms(db, viewer)
  const names = ['issuer.company_name', 'product.name', 'affiliate.company_name'] as const
  if (query.search)
    rows = rows.where(
      everyWord(
        query.search,
        names.map((name) => sql.ref(name)),
      ),
    )
  return answerList(rows, query, termOf(viewer))
}

export const createTerm = (db: Db, viewer: Viewer, form: TermCreate): Promise<Term> =>
  db.transaction().execute(async (tx) => {
    await expectKnown(tx, form)
    const { note, valid_from } = form
    const told = {
      issuer_id: form.issuer_id ?? null,
      product_id: form.product_id ?? null,
      relationship_id: form.relationship_id ?? null,
      validation: form.validation ?? null,
      validation_days: form.validation_days ?? null,
    }
    const made = await tx
      .insertInto('term')
      .values({ ...told, valid_from, note, author_id: viewer.userId })
      .onConflict((conflicting) => conflicting.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) throw conflict(TERM_EXISTS, 'TERM_EXISTS')
    const row = await describedTerms(tx, viewer).where('term.id', '=', made.id).executeTakeFirstOrThrow()
    await announceTerm(tx, row)
    const after = { ...told, valid_from, note }
    await audit(tx, viewer, { action: 'create', entity: 'term', entityId: made.id, label: labelOf(row), after })
    return termOf(viewer)(row)
  })

/** To the affiliate of its relationship, else to all who promote its product or its issuer, else to everybody. */
const announceTerm = (tx: Tx, { id, affiliate, issuer, product }: Row, detail?: 'cancelled') =>
  announce(tx, 'term.changed', {
    ...{ affiliate_id: affiliate, issuer_id: issuer, product_id: product, term_id: id },
    ...(detail && { detail }),
  })

const labelOf = ({ issuer_name, product_name, affiliate_name }: Row): string =>
  [issuer_name, product_name, affiliate_name].filter(Boolean).join(' · ') || 'Toda la red'

async function expectKnown(tx: Tx, { issuer_id, product_id, relationship_id, pair }: TermCreate): Promise<void> {
  if (issuer_id) {
    const issuers = tx.selectFrom('issuer').select('id').where('archived_at', 'is', null)
    if (!(await issuers.where('id', '=', issuer_id).executeTakeFirst()))
      throw invalid('issuer_id', 'Selecciona un emisor')
  }
  const products = tx.selectFrom('product').select('issuer_id').where('archived_at', 'is', null)
  const product = product_id ? await products.where('id', '=', product_id).executeTakeFirst() : undefined
  if (product_id && !product) throw invalid('product_id', 'Selecciona un producto')
  if (!relationship_id) return
  const relationship = await lockPair(tx, relationship_id, pair, 'relationship_id')
  if (!relationship || relationship.archived_at) throw invalid('relationship_id', 'Selecciona una relación')
  if (product && product.issuer_id !== relationship.issuer_id) throw invalid('product_id', TERM_STRANGERS)
}

export async function cancelTerm(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const row = await describedTerms(tx, viewer).where('term.id', '=', id).executeTakeFirst()
    if (!row) throw notFound('Condición')
    const gone = await tx
      .updateTable('term')
      .set({ cancelled_at: sql`now()` })
      .where('id', '=', id)
      .where('cancelled_at', 'is', null)
      .where(sql<boolean>`valid_from > mexico_day(now())`)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw conflict(TERM_BEGAN, 'TERM_BEGAN')
    await tellCancelled(tx, viewer, row)
  })
}

async function tellCancelled(tx: Tx, viewer: Viewer, row: Row): Promise<void> {
  await announceTerm(tx, row, 'cancelled')
  await audit(tx, viewer, {
    ...{ action: 'cancel', entity: 'term', entityId: row.id, label: labelOf(row) },
    before: { valid_from: row.valid_from },
    after: { valid_from: null },
  })
}

/** What a pair agreed ends with it and stays its own: its relationship goes to another pair, its terms to another row. */
export async function moveTerms(tx: Tx, viewer: Viewer, from: number, to: number): Promise<void> {
  const rows = await describedTerms(tx, viewer).where('term.relationship_id', '=', from).execute()
  for (const row of rows.toReversed())
    if (row.state === 'in_force' || row.state === 'future') await tellCancelled(tx, viewer, row)
  await tx
    .updateTable('term')
    .set({ relationship_id: to, cancelled_at: sql`coalesce(cancelled_at, now())` })
    .where('relationship_id', '=', from)
    .execute()
}

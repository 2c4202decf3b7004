// Longer than other files: the rows of every test stand beside each other.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { idAt } from './lead-ids.ts'

export type Actor =
  | { role: 'admin' }
  | { role: 'issuer'; issuerId: number }
  | { role: 'affiliate'; affiliateId: number }

// Workers of one run may share a database, and runs the server of e2e/serve.ts; each has a range of numbers of its own.
let count = Number(process.env.UNIQUE_FROM ?? 0) + Number(process.env.TEST_WORKER_INDEX ?? 0) * 2000

/** A number that no other row of this run has. */
export const unique = (): number => ++count

export type Ids = { relationship_id: number; affiliate_id: number; issuer_id: number; product_id: number }

type Columns = Record<string, unknown>

export const makeUser = (db: Db, actor: Actor, columns: Columns = {}) =>
  db
    .insertInto('user')
    .values({
      email: `persona${unique()}@pruebas.mx`,
      first_name: 'Ana',
      last_name: 'Prueba',
      password_hash: '!',
      role: actor.role,
      issuer_id: actor.role === 'issuer' ? actor.issuerId : null,
      affiliate_id: actor.role === 'affiliate' ? actor.affiliateId : null,
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

const company = (name: string, letters: string) => {
  const number = String(unique())
  return {
    company_name: `${name} ${number.padStart(5, '0')}`, // none is the beginning of another
    rfc: `${letters}010101${Number(number).toString(36).toUpperCase().padStart(3, '0')}`,
    address: 'Av. Reforma 1, Ciudad de México',
    contact_name: 'Luz Contacto',
    contact_phone: '+525512345678',
    contact_email: `contacto${number}@pruebas.mx`,
    url: 'https://empresa.example.mx',
  }
}

export const makeIssuer = (db: Db, columns: Columns = {}) =>
  db
    .insertInto('issuer')
    .values({ ...company('Banco', 'BAN'), ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()

export const makeAffiliate = (db: Db, columns: Columns = {}) =>
  db
    .insertInto('affiliate')
    .values({ ...company('Portal', 'POR'), ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()

export const makeRelationship = (db: Db, columns: { affiliate_id: number; issuer_id: number } & Columns) =>
  db.insertInto('relationship').values(columns).returningAll().executeTakeFirstOrThrow()

export const makeProduct = (db: Db, columns: { issuer_id: number } & Columns) =>
  db
    .insertInto('product')
    .values({
      name: `Tarjeta ${String(unique()).padStart(5, '0')}`,
      description: 'Tarjeta de crédito sin anualidad',
      redirect_url: 'https://banco.example.mx/alta?ref={tracking_id}',
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const makeStep = (db: Db, columns: { product_id: number } & Columns) =>
  db
    .insertInto('event_step')
    .values({ event_type_id: 1, name: `Paso ${unique()}`, step_order: unique(), ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()

/** What earns a commission: an approval. */
export const makePayingStep = (db: Db, columns: { product_id: number } & Columns) =>
  makeStep(db, { event_type_id: 3, is_payout_event: true, ...columns })

type Terms = { id: number; product_id: number; affiliate_id: number }
const makeRate = (db: Db, { id, ...pair }: Terms, amount: string, valid_from: string | RawBuilder<string>) =>
  db
    .insertInto('rate')
    .values({ commission_id: id, product_id: pair.product_id, affiliate_id: pair.affiliate_id, amount, valid_from })
    .returningAll()
    .executeTakeFirstOrThrow()

/** With its amount, in force since it was made. */
export async function makeCommission(db: Db, { payout = '500.00', ...columns }: Ids & Columns & { payout?: string }) {
  const values = { name: `Comisión ${unique()}`, ...columns }
  const commission = await db.insertInto('commission').values(values).returningAll().executeTakeFirstOrThrow()
  const now = sql<string>`date_trunc('milliseconds', clock_timestamp())`
  await makeRate(db, commission, payout, columns.created_at ? commission.created_at : now)
  return { ...commission, payout }
}

/** An amount that begins in some years. */
export const makeAnnounced = (db: Db, commission: Terms, amount = '700.00') =>
  makeRate(db, commission, amount, '2100-01-01T06:00:00Z')

/** What a product pays each affiliate without a commission, by one step or by all; in force from now on. */
export const makeDefault = (
  db: Db,
  { product_id, event_step_id = null }: { product_id: number; event_step_id?: number | null },
  amount: string | null = '300.00',
) =>
  db
    .insertInto('rate')
    .values({ product_id, event_step_id, amount, valid_from: sql`date_trunc('milliseconds', clock_timestamp())` })
    .returningAll()
    .executeTakeFirstOrThrow()

let last = 0
/** Now, or a millisecond after the last one: rows of one millisecond have no order. */
function nextMoment(): number {
  const now = Date.now()
  last = now <= last && last - now < 1000 ? last + 1 : now
  return last
}

/** Its id contains its moment: now, or `created_at`. */
export const makeLead = (
  db: Db,
  { created_at = nextMoment(), ...columns }: Ids & { created_at?: string | number } & Columns,
) =>
  db
    .insertInto('lead')
    .values({ tracking_id: idAt(created_at), ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()

/** An issuer and an affiliate that work together on one product. */
export async function makePair(db: Db) {
  const [issuer, affiliate] = [await makeIssuer(db), await makeAffiliate(db)]
  const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const product = await makeProduct(db, { issuer_id: issuer.id })
  const ids = {
    relationship_id: relationship.id,
    affiliate_id: affiliate.id,
    issuer_id: issuer.id,
    product_id: product.id,
  }
  return { issuer, affiliate, relationship, product, ids }
}

async function commissionOf(db: Db, ids: Ids): Promise<number> {
  const found = await db
    .selectFrom('commission')
    .select('id')
    .where('product_id', '=', ids.product_id)
    .executeTakeFirst()
  return (found ?? (await makeCommission(db, ids))).id
}

/** `converts` of a lead's entry: the first converts; its negative undoes that. */
async function conversionOf(db: Db, leadId: number, reversalOf: number | undefined): Promise<number> {
  const entries = db.selectFrom('commission_entry').select('converts')
  if (reversalOf !== undefined) return -(await entries.where('id', '=', reversalOf).executeTakeFirstOrThrow()).converts
  return (await entries.where('lead_id', '=', leadId).executeTakeFirst()) ? 0 : 1
}

/** An accrued entry with the lead, the step and the event that it came from. */
export async function makeEntry(
  db: Db,
  ids: Ids,
  {
    earned_at = new Date().toISOString(),
    lead_id,
    ...columns
  }: { amount?: string; earned_at?: string; due_on?: string; lead_id?: number; reversal_of?: number },
) {
  const lead = lead_id
    ? await db.selectFrom('lead').select(['id', 'tracking_id']).where('id', '=', lead_id).executeTakeFirstOrThrow()
    : await makeLead(db, { ...ids, created_at: earned_at })
  const { step, event } = await (columns.reversal_of === undefined
    ? makePaidStep(db, ids, lead, earned_at)
    : makeRejection(db, ids, lead, { earned_at, reversal_of: columns.reversal_of }))
  const entry = await db
    .insertInto('commission_entry')
    .values({
      ...ids,
      lead_id: lead.id,
      tracking_id: lead.tracking_id,
      converts: await conversionOf(db, lead.id, columns.reversal_of),
      step_id: step.id,
      lead_event_id: event.id,
      commission_id: await commissionOf(db, ids),
      amount: '500.00',
      state: 'accrued',
      kind: columns.reversal_of === undefined ? 'commission' : 'reversal',
      earned_at,
      due_on: sql`mexico_day(${earned_at})`,
      ...columns,
    })
    .returning(['id', 'amount'])
    .executeTakeFirstOrThrow()
  return { ...entry, lead_id: lead.id }
}

type LeadKey = { id: number; tracking_id: string }

async function makePaidStep(db: Db, { product_id, issuer_id }: Ids, lead: LeadKey, created_at: string) {
  const step = await makeStep(db, { product_id, is_payout_event: true })
  const type = { event_type_id: 3, event_type_name: 'aprobado' }
  return { step, event: await makeEvent(db, { ...lead, issuer_id }, step, { ...type, created_at }) }
}

/** The step of what is taken back, with the event that takes it back. */
async function makeRejection(
  db: Db,
  { product_id, issuer_id }: Ids,
  lead: LeadKey,
  { earned_at, reversal_of }: { earned_at: string; reversal_of: number },
) {
  const taken = db.selectFrom('commission_entry').select('step_id as id').where('id', '=', reversal_of)
  const refusal = await makeStep(db, { product_id, event_type_id: 4 })
  const type = { event_type_id: 4, event_type_name: 'rechazado' }
  const event = await makeEvent(db, { ...lead, issuer_id }, refusal, { ...type, created_at: earned_at })
  return { step: await taken.executeTakeFirstOrThrow(), event }
}

/** A rejection of a lead that was not paid yet. */
export async function reverseEntry(db: Db, ids: Ids, { id, lead_id }: { id: number; lead_id: number }): Promise<void> {
  const lead = db.selectFrom('lead').select(['id', 'tracking_id']).where('id', '=', lead_id)
  const earned_at = new Date().toISOString()
  await makeRejection(db, ids, await lead.executeTakeFirstOrThrow(), { earned_at, reversal_of: id })
  await db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()
}

/** What happened to a lead at one of its product's steps, earning nothing. */
export const makeEvent = (
  db: Db,
  lead: { id: number; tracking_id: string; issuer_id: number },
  step: { id: number; name: string },
  columns: Columns = {},
) =>
  db
    .insertInto('lead_event')
    .values({
      lead_id: lead.id,
      tracking_id: lead.tracking_id,
      issuer_id: lead.issuer_id,
      step_id: step.id,
      step_name: step.name,
      event_type_id: 1,
      event_type_name: 'step_1',
      source: 'api',
      idempotency_key: `prueba ${unique()}`,
      fingerprint: sql`''::bytea`,
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Of March 2025 by default. */
/** With its difference, as all that it pays was typed. */
export const makePayment = (
  db: Db,
  { relationship_id, affiliate_id, issuer_id }: Omit<Ids, 'product_id'>,
  columns: Columns = {},
) =>
  db.transaction().execute(async (tx) => {
    const payment = await tx
      .insertInto('payment')
      .values({
        relationship_id,
        affiliate_id,
        issuer_id,
        period_start: '2025-03-01',
        period_end: '2025-03-31',
        total_leads: 10,
        total_conversions: 3,
        total_amount: '1500.00',
        payment_date: '2025-04-04',
        paid_at: columns.payment_status === 'paid' ? new Date().toISOString() : null,
        ...columns,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await sql`insert into commission_entry (relationship_id, affiliate_id, issuer_id, amount, kind, state, payment_id,
        of_payment, note, converts, due_on)
      select relationship_id, affiliate_id, issuer_id, total_amount - calculated_amount, 'adjustment',
        case payment_status when 'paid' then 'paid' else 'in_payment' end, id, id, 'Capturado a mano', 0, period_end
      from payment
      where id = ${payment.id} and total_amount <> calculated_amount and payment_status <> 'cancelled'
        and archived_at is null`.execute(tx)
    return payment
  })

/** A bonus, unless told otherwise. */
export async function makeAdjustment(db: Db, { product_id: _, ...ids }: Ids, columns: Columns = {}) {
  const { id: author_id } = await makeUser(db, { role: 'admin' })
  return db
    .insertInto('commission_entry')
    .values({
      ...{ ...ids, author_id, kind: 'bonus', amount: '250.00', state: 'accrued', converts: 0 },
      note: 'Bono por meta de volumen',
      ...columns,
    })
    .returning(['id', 'amount'])
    .executeTakeFirstOrThrow()
}

/** A board of another tool; by default every issuer sees it. */
export const makeDashboard = (db: Db, columns: Columns = {}) =>
  db
    .insertInto('dashboard')
    .values({
      name: `Tablero ${unique()}`,
      description: 'De otra herramienta',
      iframe_url: 'https://tableros.example.mx/publico/1',
      role: 'issuer',
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** From today on for the whole network, unless told otherwise. */
export async function makeTerm(db: Db, columns: Columns) {
  const { id: author_id } = await makeUser(db, { role: 'admin' })
  return db
    .insertInto('term')
    .values({ valid_from: sql`mexico_day(now())`, author_id, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** A file of an issuer with a row of its own, which nobody has simulated yet. */
export async function makeImport(db: Db, issuer_id: number, { cell = 'a', ...columns }: Columns = {}) {
  const { id: created_by } = await makeUser(db, { role: 'issuer', issuerId: issuer_id })
  const file = {
    status: 'received',
    format: 'csv',
    rows: 1,
    last_row: 2,
    sha256: sql<Buffer>`sha256(${`archivo ${unique()}`})`,
  }
  const made = await db
    .insertInto('import')
    .values({
      ...file,
      issuer_id,
      created_by,
      file_name: 'marzo.csv',
      header: JSON.stringify(['folio', 'estado']),
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cells = JSON.stringify([cell, 'APROBADA'])
  await db.insertInto('import_row').values({ import_id: made.id, row_no: 2, cells }).execute()
  return made
}

/** Of the network unless it names a company. */
export async function makeReceiver(db: Db, columns: Columns = {}) {
  const created_by = columns.created_by ?? (await makeUser(db, { role: 'admin' })).id
  return db
    .insertInto('receiver')
    .values({
      name: `Sistema ${unique()}`,
      url: 'https://sistema.example.mx/aviso',
      method: 'POST',
      types: ['lead.event'],
      skip_without_external_id: false,
      per_second: 10,
      secret: Buffer.from(''),
      kek_id: '',
      ...columns,
      created_by: created_by as number,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One that its receiver has taken. */
export const makeDelivery = (db: Db, receiver_id: number, columns: Columns = {}) =>
  db
    .insertInto('delivery')
    .values({
      receiver_id,
      occurrence_id: unique(),
      type: 'lead.event',
      state: 'delivered',
      settled_at: new Date().toISOString(),
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

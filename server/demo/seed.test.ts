import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProductCreate } from '#contract/products.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { connect, type Db } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { createTestDatabase, isWhole, type TestDatabase } from '#db/testing.ts'
import { ApiKeys } from '../companies/api-keys.ts'
import { rfcWarnings } from '../companies/rfc.ts'
import { storeEvents } from '../events/events.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'
import { matches } from '../users/passwords.ts'
import { affiliates, issuers } from './companies.ts'
import { type DemoAccounts, isEmpty, seedDemo } from './seed.ts'

const config = { secret: 'a-secret-of-the-tests-that-is-long-enough-0123456789' }

async function seeded(now?: number) {
  const database: TestDatabase = await createTestDatabase()
  const db = connect(database.url, { max: 2 })
  const wasEmpty = await isEmpty(db)
  const accounts = await seedDemo(db, config, now)
  const stop = async () => {
    await db.destroy()
    await database.drop()
  }
  return { db, accounts, wasEmpty, stop }
}

const countOf = async (db: Db, table: keyof DB): Promise<number> =>
  Number((await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db)).rows[0]?.count)

async function valuesOf<T>(db: Db, query: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await query.execute(db)).rows
}

describe('the demonstration', () => {
  let demo: Awaited<ReturnType<typeof seeded>>
  let db: Db
  beforeAll(async () => {
    demo = await seeded()
    db = demo.db
  })
  afterAll(() => demo.stop())

  test('fills an empty database once', async () => {
    expect(demo.wasEmpty).toBe(true)
    expect(await isEmpty(db)).toBe(false)
    const leads = await countOf(db, 'lead')
    expect(await seedDemo(db, config)).toEqual([])
    expect(await countOf(db, 'lead')).toBe(leads)
  })

  test('has a network of the promised size', async () => {
    expect(await countOf(db, 'issuer')).toBe(4)
    expect(await countOf(db, 'affiliate')).toBe(8)
    expect(await countOf(db, 'product')).toBe(12)
    expect(await countOf(db, 'relationship')).toBe(21)
    const leads = await countOf(db, 'lead')
    expect(leads).toBeGreaterThan(5800)
    expect(leads).toBeLessThan(6200)
    expect(await countOf(db, 'commission_entry')).toBeGreaterThan(400)
    expect(await countOf(db, 'preview_count')).toBeGreaterThan(100)
    await expectNoDrift(db)
    await expectConserved(db)
  })

  test.each(['admin', 'emisor', 'afiliado'])('lets %s@demo.afluente.mx in', async (name) => {
    const account = demo.accounts.find(({ email }) => email === `${name}@demo.afluente.mx`) as DemoAccounts[number]
    const user = await db.selectFrom('user').selectAll().where('email', '=', account.email).executeTakeFirstOrThrow()
    expect(user).toMatchObject({ role: account.role, user_status: 'active' })
    expect(account.password).toBe('Afluente2026')
    expect(await matches('Afluente2026', user.password_hash)).toBe(true)
  })

  test('gives every company its keys', async () => {
    const keys = new ApiKeys(db, config.secret)
    for (const { id } of await db.selectFrom('issuer').select('id').execute()) {
      expect(await keys.reveal(db, { issuerId: id }, 'api')).toMatch(/^iss_/)
      expect(await keys.reveal(db, { issuerId: id }, 'postback')).toMatch(/^pbt_/)
    }
    for (const { id } of await db.selectFrom('affiliate').select('id').execute())
      expect(await keys.reveal(db, { affiliateId: id }, 'api')).toMatch(/^aff_/)
  })

  test('knows no moment of the future', async () => {
    const columns = await valuesOf<{ table_name: string; column_name: string }>(
      db,
      sql`select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type = 'timestamp with time zone' and table_name <> 'migration'`,
    )
    expect(columns.length).toBeGreaterThan(20)
    for (const { table_name, column_name } of columns) {
      const late = await valuesOf<{ count: number }>(
        db,
        sql`select count(*) from ${sql.table(table_name)} where ${sql.ref(column_name)} > now()`,
      )
      expect([table_name, column_name, late[0]?.count]).toEqual([table_name, column_name, 0])
    }
    const future = await db.selectFrom('payment').select('id').where('period_end', '>', dateInMexico()).execute()
    expect(future).toEqual([])
  })

  test('spans ninety days that end today', async () => {
    const [first] = await valuesOf<{ day: string }>(
      db,
      sql`select min((created_at at time zone 'America/Mexico_City')::date) as day from lead`,
    )
    expect(first?.day).toBe(addDays(dateInMexico(), -89))
  })

  test('shows every state of payments, entries, users, relationships and products', async () => {
    const distinct = async (column: string, table: keyof DB) =>
      (await valuesOf<{ value: string }>(db, sql`select distinct ${sql.ref(column)} as value from ${sql.table(table)}`))
        .map(({ value }) => value)
        .sort()
    expect(await distinct('payment_status', 'payment')).toEqual(['cancelled', 'paid', 'pending', 'processing'])
    expect(await distinct('state', 'commission_entry')).toEqual(['accrued', 'in_payment', 'paid', 'reversed'])
    expect(await distinct('user_status', 'user')).toEqual(['active', 'inactive', 'suspended'])
    expect(await distinct('role', 'user')).toEqual(['admin', 'affiliate', 'issuer'])
    expect(await distinct('relationship_status', 'relationship')).toEqual(['active', 'inactive'])
    expect(await distinct('product_status', 'product')).toEqual(['active', 'inactive'])
    expect(await distinct('event_type_name', 'lead_event')).toHaveLength(5)
  })

  test('pays exactly what the entries of a payment say, but for one bonus', async () => {
    const payments = await valuesOf<{ status: string; missing: string; adjustment: string; off: number }>(
      db,
      sql`select payment_status as status, total_amount - coalesce(sum(amount), 0) as missing,
          coalesce(sum(amount) filter (where of_payment is not null), 0.00) as adjustment,
          count(*) filter (where (payment_status = 'paid') <> (state = 'paid')
            or (of_payment is null
              and (earned_at at time zone 'America/Mexico_City')::date not between period_start and period_end)
            or commission_entry.relationship_id <> payment.relationship_id) as off
        from payment left join commission_entry on payment_id = payment.id
        group by payment.id`,
    )
    const live = payments.filter(({ status }) => status !== 'cancelled')
    expect(live.length).toBeGreaterThan(30)
    expect(live.every(({ missing }) => missing === '0.00')).toBe(true)
    expect(live.map(({ adjustment }) => adjustment).filter((text) => text !== '0.00')).toEqual(['250.00'])
    expect(live.every(({ off }) => off === 0)).toBe(true)
    expect(payments.filter(({ status }) => status === 'cancelled')).toHaveLength(1)
  })

  test('counts the leads and conversions of a payment as its preview does', async () => {
    const wrong = await valuesOf(
      db,
      sql`select id from payment where payment_status <> 'cancelled' and (
        total_leads <> greatest(total_conversions,
          (select count(*) from lead where lead.relationship_id = payment.relationship_id
            and (created_at at time zone 'America/Mexico_City')::date between period_start and period_end))
        or total_conversions <> (select greatest(sum(converts), 0) from commission_entry
          where payment_id = payment.id and state <> 'reversed'))`,
    )
    expect(wrong).toEqual([])
  })

  test('earns the commission in force at the event, once for each lead and step', async () => {
    const amounts = await valuesOf<{ commission_id: number; amounts: string[] }>(
      db,
      sql`select commission_id, array_agg(distinct amount) as amounts from commission_entry
        where reversal_of is null group by commission_id having count(distinct amount) > 1`,
    )
    expect(amounts.length).toBeGreaterThan(0)
    const unnamed = await valuesOf(
      db,
      sql`select entry.id from commission_entry entry left join rate on rate.id = rate_id
        where kind = 'commission' and (rate.amount is distinct from entry.amount or rate.valid_from > earned_at)`,
    )
    expect(unnamed).toEqual([])
    const strays = await valuesOf(
      db,
      sql`select entry.id from commission_entry entry
        join lead on lead.id = entry.lead_id join lead_event event on event.id = entry.lead_event_id
        join commission on commission.id = entry.commission_id join event_step step on step.id = entry.step_id
        where event.lead_id <> lead.id or lead.product_id <> entry.product_id or lead.affiliate_id <> entry.affiliate_id
          or commission.product_id <> lead.product_id or commission.affiliate_id <> lead.affiliate_id
          or entry.earned_at <> event.created_at or not step.is_payout_event
          or (entry.reversal_of is null and event.step_id <> step.id)`,
    )
    expect(strays).toEqual([])
    const payouts = await db.selectFrom('rate').select('amount as payout').where('amount', 'is not', null).execute()
    for (const { payout } of payouts) {
      expect(Number(payout)).toBeGreaterThanOrEqual(80)
      expect(Number(payout)).toBeLessThanOrEqual(1800)
    }
  })

  test('records every amount of a commission from its creation to today', async () => {
    const rows = await valuesOf<{ history: string[]; from: (string | null)[]; rates: string[]; earned: string[] }>(
      db,
      sql`select array_agg(changes -> 'payout' ->> 1 order by audit_entry.id) as history,
          array_agg(changes -> 'payout' ->> 0 order by audit_entry.id) as from,
          array(select amount from rate where commission_id = commission.id order by valid_from) as rates,
          array(select distinct amount from commission_entry entry
            where entry.commission_id = commission.id and reversal_of is null) as earned
        from commission left join audit_entry on entity = 'commission' and entity_id = commission.id and changes ? 'payout'
        group by commission.id`,
    )
    expect(rows.some(({ history }) => history.length > 1)).toBe(true)
    for (const { history, from, rates, earned } of rows) {
      expect(from).toEqual([null, ...history.slice(0, -1)])
      expect(history).toEqual(rates)
      for (const amount of earned) expect(history).toContain(amount)
    }
  })

  test('takes a paid commission back with a negative entry and names why', async () => {
    const reversals = await valuesOf<{ amount: string; original: string; state: string; reason: string }>(
      db,
      sql`select back.amount, entry.amount as original, entry.state, back.reason from commission_entry back
        join commission_entry entry on entry.id = back.reversal_of`,
    )
    expect(reversals.length).toBeGreaterThan(0)
    for (const { amount, original, state, reason } of reversals) {
      expect(amount).toBe(`-${original}`)
      expect(state).toBe('paid')
      expect(reason).not.toBe('')
    }
    const reversed = await db
      .selectFrom('commission_entry')
      .select(['reason'])
      .where('state', '=', 'reversed')
      .execute()
    expect(reversed.every(({ reason }) => reason)).toBe(true)
  })

  test('lets every lead happen before its events, on a link that stood then', async () => {
    const wrong = await valuesOf(
      db,
      sql`select lead.id from lead
        join relationship on relationship.id = lead.relationship_id
        join product on product.id = lead.product_id
        left join lead_event event on event.lead_id = lead.id
        where event.created_at < lead.created_at or event.issuer_id <> lead.issuer_id
          or product.issuer_id <> lead.issuer_id or relationship.affiliate_id <> lead.affiliate_id
          or lead.created_at < greatest(relationship.created_at, product.created_at)
          or (relationship_status = 'inactive' and lead.created_at > relationship.updated_at)`,
    )
    expect(wrong).toEqual([])
  })

  test.each(['api', 'postback'])('knows an event that a system sends once more by %s', async (source) => {
    const event = await db
      .selectFrom('lead_event')
      .innerJoin('lead', 'lead.id', 'lead_event.lead_id')
      .select(['lead_event.id', 'lead_event.issuer_id', 'lead_event.tracking_id', 'step_id', 'event_id', 'event_data'])
      .where('source', '=', source)
      .where('event_data', 'is not', null)
      .executeTakeFirstOrThrow()
    const sent = {
      tracking_id: event.tracking_id,
      step_id: event.step_id,
      event_id: event.event_id ?? '',
      source,
      event_data: event.event_data as Record<string, unknown>,
    }
    const [verdict] = await storeEvents(db, event.issuer_id, [sent])
    expect(verdict).toMatchObject({ stored: { id: event.id, duplicate: true } })
  })

  test('offers products that the forms would take', async () => {
    const rows = await db.selectFrom('product').selectAll().execute()
    for (const row of rows) expect(ProductCreate.safeParse(row).error).toBeUndefined()
  })

  test('tells people what happened of late, and mails none of it', async () => {
    const told = await valuesOf<{ email: string; types: string[]; mails: string[]; late: number; unread: number }>(
      db,
      sql`select email, array_agg(distinct type order by type) as types, array_agg(distinct mail) as mails,
          count(*) filter (where read_at is null) as unread,
          count(*) filter (where notice.created_at <> (select created_at from occurrence where id = occurrence_id)) as late
        from notice join "user" on "user".id = user_id where email like '%@demo.afluente.mx' group by email order by email`,
    )
    expect(told.map(({ email }) => email)).toEqual(['afiliado@demo.afluente.mx', 'emisor@demo.afluente.mx'])
    expect(told[0]?.types).toContain('commission.accrued')
    expect(told[1]?.types).toEqual(expect.arrayContaining(['payment.created', 'payment.paid']))
    for (const { mails, late } of told) expect([mails, late]).toEqual([['off'], 0])
    expect(told[0]?.unread).toBeGreaterThan(0)
  })

  test('has a trail of actions whose actors exist', async () => {
    const trail = await db.selectFrom('audit_entry').select(['actor_id', 'created_at']).orderBy('id').execute()
    expect(trail.length).toBeGreaterThan(100)
    const moments = trail.map(({ created_at }) => created_at)
    expect(moments).toEqual(moments.toSorted())
  })
})

test('every company has an RFC whose check digit is right', () => {
  const wrong = [...issuers, ...affiliates].filter(({ rfc }) => rfcWarnings(rfc).length > 0)
  expect(wrong).toEqual([])
})

const story = (db: Db) =>
  valuesOf(
    db,
    sql`select lead.id, lead.tracking_id, external_id, utm_campaign, lead.created_at, step_name, event.created_at as reached, amount, state
      from lead left join lead_event event on event.lead_id = lead.id
      left join commission_entry entry on entry.lead_event_id = event.id order by lead.id, event.id`,
  )

/** The first and the last days of months and years, in Mexico City. */
const MOMENTS = ['2027-01-02T05:59:00Z', '2028-02-29T23:00:00Z', '2026-03-01T06:00:30Z', '2026-05-31T12:00:00Z']

test.each(isWhole ? MOMENTS : MOMENTS.slice(0, 1))(
  'the data of %s fit every constraint and are always the same',
  async (moment) => {
    const [one, two] = [await seeded(Date.parse(moment)), await seeded(Date.parse(moment))]
    for (const { db } of [one, two])
      expect(await db.selectFrom('payment').select('payment_status').distinct().execute()).toHaveLength(4)
    expect(await story(one.db)).toEqual(await story(two.db))
    await Promise.all([one.stop(), two.stop()])
  },
)

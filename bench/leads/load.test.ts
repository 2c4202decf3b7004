import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makeEntry, makeLead, makePair, makeUser } from '#db/factories.ts'
import { createTestDatabase, isWhole, type TestDatabase } from '#db/testing.ts'
import { demoEmails } from '#server/auth/demo-accounts.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { expectNoDrift } from '#server/totals/testing.ts'
import { type Loading, loadLeads } from './load.ts'

const SECRET = '1f0c7e5b9a3d48629be4c0d7f63a58217c94e6ab0d352f81'
const LEADS = isWhole ? 4_000 : 1_000

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = connect(database.url, { applicationName: 'test' })
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
})

const load = (leads: number, watch: Partial<Pick<Loading, 'expectWanted' | 'onProgress'>> = {}) =>
  loadLeads(database.url, {
    ...{ leads, seed: 1, secret: SECRET, onProgress: () => undefined, expectWanted: () => undefined },
    ...watch,
  })

const drift = () => expectNoDrift(db)

/** Leads are in other partitions afterwards. */
const PARTITION = /^(lead_(0|[0-9a-f]{12})|id_follows$)/

/** Constraints, triggers and indexes. */
const rules = async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace
    union
    select indexname, indexdef from pg_indexes where schemaname = 'public'
    union
    select tgrelid::regclass || ' ' || tgname, tgenabled::text from pg_trigger where not tgisinternal
    order by 1, 2`.execute(db)
  return rows.filter(({ name }) => !PARTITION.test(name))
}

const countLeads = async () => {
  const { count } = await db
    .selectFrom('lead')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** What the next click and event need of a demonstration: somebody of it, and leads of other months. */
async function makeDemonstration(): Promise<void> {
  if (isWhole) return void (await seedDemo(db, { secret: SECRET }))
  await makeUser(db, { role: 'admin' }, { email: demoEmails[0] })
  const { ids } = await makePair(db)
  for (const days of [0, 40, 200]) await makeLead(db, { ...ids, created_at: Date.now() - days * 86_400_000 })
  for (let time = 0; time < 2; time += 1) await makeEntry(db, ids, {})
}

test('beside a demonstration, as many leads as asked for, with totals that are right and a ledger that adds up', async () => {
  await makeDemonstration()
  const [others, before, strange] = [await countLeads(), await rules(), await listStrange()]
  const parts: number[] = []
  const loaded = await load(LEADS, { onProgress: ({ part }) => parts.push(part) })
  expect(parts).toEqual(parts.toSorted((a, b) => a - b))
  expect(parts.at(-1)).toBe(1)
  expect(await rules()).toEqual(before)
  expect(loaded.leads).toBe(LEADS)
  expect(await countLeads()).toBe(others + LEADS)
  expect(loaded.events).toBeGreaterThan(LEADS / 2)
  expect(loaded.entries).toBeGreaterThan(LEADS / 20)
  expect(loaded.payments).toBeGreaterThan(LEADS / 200)
  await drift()
  expect(await listStrange()).toEqual(strange)

  // The next click and event find their place, a second load does not.
  const { rows } = await sql<{ free: boolean }>`
    select nextval(pg_get_serial_sequence('lead', 'id')) > max(lead.id) as free from lead
    union all select nextval(pg_get_serial_sequence('lead_event', 'id')) > max(id) from lead_event
    union all select nextval(pg_get_serial_sequence('commission_entry', 'id')) > max(id) from commission_entry
    union all select nextval(pg_get_serial_sequence('payment', 'id')) > max(id) from payment`.execute(db)
  expect(rows).toEqual([{ free: true }, { free: true }, { free: true }, { free: true }])
  await expect(load(10)).rejects.toThrow('ya tiene los leads de demo:leads')
})

/** What no server would have left, but for payments and reversals as only a demonstration has them. */
async function listStrange(): Promise<unknown[]> {
  const { rows } = await sql`
    select payment.id from payment left join commission_entry on payment_id = payment.id and state in ('in_payment', 'paid')
    group by payment.id having total_amount is distinct from sum(amount)
    union all
    select lead.id from lead where created_at > now()
    union all
    select reversal.id from commission_entry as reversal join commission_entry as paid on paid.id = reversal.reversal_of
    where paid.state <> 'paid' or paid.earned_at >= reversal.earned_at or paid.lead_id <> reversal.lead_id
    union all
    select lead_event.id from lead_event join lead on lead.id = lead_id where lead_event.created_at < lead.created_at
    order by 1`.execute(db)
  return rows
}

test('a database that people use is left alone, and an interruption leaves it as it was', async () => {
  const before = await rules()
  let months = 0
  const expectWanted = () => {
    months += 1
    if (months === 3) throw new Error('enough')
  }
  const interrupted = load(200, { expectWanted })
  await expect(interrupted).rejects.toThrow('enough')
  expect(await countLeads()).toBe(0)
  expect(await rules()).toEqual(before)

  const server = connect(database.url, { max: 1 })
  await sql`select 1`.execute(server)
  await expect(load(10)).rejects.toThrow('Hay un Afluente en marcha')
  await server.destroy()

  await db
    .insertInto('user')
    .values({ email: 'alguien@empresa.mx', first_name: 'A', last_name: 'B', password_hash: 'x', role: 'admin' })
    .execute()
  await expect(load(10)).rejects.toThrow('no es de demostración')
})

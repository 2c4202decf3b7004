import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makeEvent, makePayment } from '#db/factories.ts'
import { createTestDatabase } from '#db/testing.ts'
import { readConfig } from '../config.ts'
import { makeFunnel } from '../events/testing.ts'
import { closeAll } from '../leads/partitions.testing.ts'
import { forgetResults } from '../results/fold.ts'
import { readResultDrift } from '../results/recount.ts'
import { foldAllResults } from '../results/testing.ts'
import {
  asOwner,
  makeAffiliate,
  makeIssuer,
  makeLead,
  makePair,
  makeUser,
  startServer,
  type TestServer,
  untilLockWait,
} from '../testing.ts'
import { expectNoDrift } from '../totals/testing.ts'
import { retainAndRest, retainOnce } from './retention.ts'

const { retention: TERMS } = readConfig({})

let server: TestServer
/** With the rights of the owner, and with those that the service has. */
let db: Db
let app: Db
let appUrl: string
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await startServer({}, { database })
  db = server.db
  appUrl = database.serverUrl
  app = connect(appUrl, { max: 8, role: 'afluente_app' })
})
afterAll(async () => {
  await app.destroy()
  await server.stop()
})

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
const YEAR = 365.25
const utm = { utm_source: 'boletin', utm_campaign: 'verano' }

/** Until nothing is due; small batches, so that each rule needs several. */
async function retainAll(batchRows = 2, terms = TERMS): Promise<void> {
  while ((await retainAndRest(app, terms, { batchRows })) < 1_000);
}

const rejectedAt = (issuer_id: number, created_at: string) => ({
  ...{ issuer_id, created_at, code: 'UNKNOWN_EVENT', message: 'x', source: 'api', body: '{}' },
})
const receiptAt = (issuer_id: number, created_at: string) => ({
  ...{ issuer_id, created_at, code: 'DUPLICATE', verdict: 'duplicate', is_test: false, source: 'api' },
})

test('refused events and receipts go after 90 days, also of an issuer that sends nothing any more', async () => {
  const [quiet, busy] = [await makeIssuer(db), await makeIssuer(db)]
  const moments = [ago(400), ago(200), ago(91), ago(90.5), ago(89), ago(1)]
  const rows = moments.flatMap((moment) => [rejectedAt(quiet.id, moment), rejectedAt(busy.id, moment)])
  await db.insertInto('rejected_postback').values(rows).execute()
  await db
    .insertInto('event_receipt')
    .values(moments.map((moment) => receiptAt(quiet.id, moment)))
    .execute()
  await retainAll()
  const left = async (table: 'rejected_postback' | 'event_receipt', { id }: { id: number }) => {
    const found = await db.selectFrom(table).select('created_at').where('issuer_id', '=', id).orderBy('id').execute()
    return found.map(({ created_at }) => created_at)
  }
  expect(await left('rejected_postback', quiet)).toEqual(moments.slice(4))
  expect(await left('rejected_postback', busy)).toEqual(moments.slice(4))
  expect(await left('event_receipt', quiet)).toEqual(moments.slice(4))
})

test('sessions go 30 days after their end', async () => {
  const user = await makeUser(db, { role: 'admin' })
  const ends = [ago(300), ago(60), ago(31), ago(29), ago(-0.5)]
  const rows = ends.map((expires_at, place) => ({
    ...{ user_id: user.id, expires_at, address: '189.203.45.67', user_agent: 'test' },
    refresh_hash: Buffer.from(`retention ${place}`),
  }))
  await db.insertInto('session').values(rows).execute()
  await retainAll()
  const left = await db.selectFrom('session').select('expires_at').where('user_id', '=', user.id).execute()
  expect(left.map(({ expires_at }) => expires_at).sort()).toEqual(ends.slice(3).sort())
})

test('an address in the audit trail becomes its network after 30 days; nothing else there changes', async () => {
  const addresses = ['189.203.45.67', '2806:2f0:1:2::3', '::ffff:189.203.45.67', '', '189.203.45.0/24', 'otra cosa']
  const rows = [
    ...addresses.map((address) => ({ address, created_at: ago(31) })),
    { address: '189.203.45.67', created_at: ago(29) },
  ]
  const entries = rows.map((row) => ({ ...row, actor_role: 'system', action: 'prueba', entity: 'prueba' }))
  await asOwner(server.databaseUrl, async (owner) => {
    await sql`delete from audit_entry`.execute(owner)
    await owner.insertInto('audit_entry').values(entries).execute()
  })
  const read = () => db.selectFrom('audit_entry').selectAll().where('action', '=', 'prueba').orderBy('id').execute()
  const before = await read()
  await retainAll()
  const networks = ['189.203.45.0/24', '2806:2f0:1::/48', '189.203.45.0/24', '', '189.203.45.0/24', '', '189.203.45.67']
  expect(await read()).toEqual(before.map((entry, place) => ({ ...entry, address: networks[place] })))
})

/** Three leads of each age with an event each, in closed partitions but for the last. */
async function makeHistory() {
  const { ids } = await makePair(db)
  const step = { id: 1, name: 'Paso' }
  const leads = []
  for (const age of [7 * YEAR, 3 * YEAR, 1])
    for (let place = 0; place < 3; place += 1) {
      const columns = {
        ...utm,
        external_id: `visita-${age}-${place}`,
        lead_data: JSON.stringify({ ip_trunc: '1.2.3.0/24' }),
      }
      const lead = await makeLead(db, { ...ids, ...columns, created_at: Date.parse(ago(age)) + place })
      await makeEvent(db, lead, step, {
        created_at: ago(age),
        event_data: JSON.stringify({ nota: 'x' }),
        event_id: `e-${lead.id}`,
      })
      leads.push(lead)
    }
  await closeAll(server)
  return { ids, leads }
}

test('what leads and events say is erased after 24 months, where a lead came from after 5 years; sums stay', async () => {
  const { ids, leads } = await makeHistory()
  await retainAll()
  const read = () =>
    db.selectFrom('lead').selectAll().where('issuer_id', '=', ids.issuer_id).orderBy('tracking_id').execute()
  const nothing = { external_id: '', utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '' }
  expect(await read()).toEqual([
    ...leads.slice(0, 3).map((lead) => ({ ...lead, ...nothing, lead_data: null })),
    ...leads.slice(3, 6).map((lead) => ({ ...lead, lead_data: null })),
    ...leads.slice(6),
  ])
  const events = await db
    .selectFrom('lead_event')
    .selectAll()
    .where('issuer_id', '=', ids.issuer_id)
    .orderBy('id')
    .execute()
  expect(events.map(({ event_data, event_id }) => [event_data, event_id])).toEqual(
    leads.map(({ id }, place) => [place < 6 ? null : { nota: 'x' }, `e-${id}`]),
  )
  await expectNoDrift(db)
  const admin = await server.as({ role: 'admin' })
  const found = async (query: string) =>
    (await admin.get(`/api/v1/leads/?issuer_id=${ids.issuer_id}&${query}`)).json().data.pagination.count
  expect([await found(''), await found('external_id=visita'), await found('utm_source=boletin')]).toEqual([9, 6, 6])
})

test.each(['4 years', '12 months'])('a day of which half is erased, %s ago, is no drift', async (age) => {
  const { ids } = await makePair(db)
  const { rows } = await sql<{ moment: string }>`select now() - ${age}::interval as moment`.execute(db)
  const lead_data = JSON.stringify({ params: { sub1: 'ana' } })
  for (const later of [-1_000, 60_000])
    await makeLead(db, { ...ids, ...utm, lead_data, created_at: Date.parse(rows[0]?.moment ?? '') + later })
  await closeAll(server)
  await foldAllResults(server)
  // Before their time, which the server itself does not erase meanwhile.
  await retainAll(2, { ...TERMS, recordYears: 4, dataMonths: 12 })
  const left = await db.selectFrom('lead').selectAll().where('issuer_id', '=', ids.issuer_id).orderBy('id').execute()
  expect(left.map((lead) => (age === '4 years' ? lead.utm_source : lead.lead_data) || null)).toEqual([
    null,
    age === '4 years' ? utm.utm_source : JSON.parse(lead_data),
  ])
  expect(await readResultDrift(db)).toEqual([])
})

test('an event of an erased lead is stored and pays as ever', async () => {
  const { ids, steps, client } = await makeFunnel(server)
  const lead = await makeLead(db, { ...ids, ...utm, external_id: 'x', created_at: ago(8 * YEAR) })
  await sql`update retention set through = '00000000-0000-0000-0000-000000000000' where task like 'lead.%'`.execute(db)
  await retainAll(1_000)
  const event = { tracking_id: lead.tracking_id, step_id: steps.aprobado.id, event_id: 'tarde' }
  const answer = await client.post('/api/v1/events/lead-events/', event)
  expect([answer.status, answer.json().data.commission?.amount]).toEqual([201, '500.00'])
  await expectNoDrift(db)
})

test('people and contacts of what was deleted go after 5 years, unless it was paid since', async () => {
  const old = { archived_at: ago(6 * YEAR) }
  const [gone, recent, paid] = [
    await makeAffiliate(db, old),
    await makeAffiliate(db, { archived_at: ago(YEAR) }),
    await makeAffiliate(db, old),
  ]
  const pair = await makePair(db)
  await makePayment(db, { ...pair.ids, affiliate_id: paid.id })
  const [user, active] = [await makeUser(db, { role: 'admin' }, old), await makeUser(db, { role: 'admin' })]
  await retainAll()
  const companies = await db
    .selectFrom('affiliate')
    .selectAll()
    .where('id', 'in', [gone.id, recent.id, paid.id])
    .orderBy('id')
    .execute()
  const nobody = { contact_name: '', contact_phone: '', contact_email: '', address: '', updated_at: expect.any(String) }
  expect(companies).toEqual([{ ...gone, ...nobody }, recent, paid])
  const users = await db.selectFrom('user').selectAll().where('id', 'in', [user.id, active.id]).orderBy('id').execute()
  expect(users[0]).toMatchObject({
    email: `eliminado-${user.id}@invalid`,
    first_name: 'Usuario',
    last_name: 'eliminado',
  })
  expect(users[1]).toEqual(active)
})

test('five copies at once do it once; one that is killed half-way loses its batch alone', async () => {
  const { ids } = await makePair(db)
  await sql`update retention set through = '00000000-0000-0000-0000-000000000000' where task like 'lead.%'`.execute(db)
  const columns = { ...ids, ...utm, external_id: 'x' }
  for (let place = 0; place < 6; place += 1)
    await makeLead(db, { ...columns, created_at: Date.parse(ago(9 * YEAR)) + place })
  const left = async () => {
    const rows = await db
      .selectFrom('lead')
      .select('id')
      .where('issuer_id', '=', ids.issuer_id)
      .where('external_id', '=', 'x')
      .execute()
    return rows.length
  }
  await asOwner(server.databaseUrl, async (owner) => {
    // Somebody stores an event of one of them; whoever retains waits for that lead and is killed.
    const events = await owner.startTransaction().execute()
    await sql`select from lead where issuer_id = ${ids.issuer_id} for update`.execute(events)
    const killed = connect(appUrl, {
      max: 1,
      role: 'afluente_app',
      applicationName: 'killed',
      onError: () => undefined,
    })
    const run = retainOnce(killed, TERMS, 4).then(
      () => 'done',
      () => 'killed',
    )
    await untilLockWait(db)
    // Another copy does not wait for it.
    expect((await retainOnce(app, TERMS, 4))['lead.origin']).toBe(0)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed'`.execute(events)
    expect(await run).toBe('killed')
    await events.rollback().execute()
    await killed.destroy()
  })
  expect(await left()).toBe(6)
  const copies = await Promise.all(Array.from({ length: 5 }, () => retainOnce(app, TERMS, 4)))
  expect(copies.map((done) => done['lead.origin']).filter((rows) => rows === 4).length).toBeGreaterThan(0)
  await retainAll(4)
  expect(await left()).toBe(0)
})

test('where no values of results are to be forgotten, their folding is not waited for', async () => {
  await foldAllResults(server)
  await retainAll(500)
  await asOwner(server.databaseUrl, async (owner) => {
    const folding = await owner.startTransaction().execute()
    try {
      await sql`select hold_results()`.execute(folding)
      expect(await forgetResults(app, 500)).toBe(0)
    } finally {
      await folding.rollback().execute()
    }
  })
})

test('a rule that fails is told by its name; the others go on, batch after batch', async () => {
  const issuer = await makeIssuer(db)
  // Those of today that came first would stand before them.
  await db.deleteFrom('event_receipt').execute()
  await db
    .insertInto('event_receipt')
    .values(Array.from({ length: 5 }, () => receiptAt(issuer.id, ago(100))))
    .execute()
  await asOwner(server.databaseUrl, async (owner) => {
    await sql`revoke delete on rejected_postback from afluente_app`.execute(owner)
    await expect(retainOnce(app, TERMS, 2)).rejects.toThrow('rejected_postback')
    const told: unknown[] = []
    const retain = () => retainAndRest(app, TERMS, { batchRows: 2, onFailed: (error) => told.push(error) })
    expect(await retain()).toBe(100)
    while ((await retain()) < 1_000);
    expect(await retain()).toBe(3_600_000) // server/recurring.ts comes sooner after a failure
    expect(told.at(-1)).toMatchObject({ code: 'rejected_postback', message: 'rules that failed: rejected_postback' })
    await sql`grant delete on rejected_postback to afluente_app`.execute(owner)
  })
  expect(await db.selectFrom('event_receipt').select('id').where('issuer_id', '=', issuer.id).execute()).toEqual([])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RECEIVED_LIMIT, type ReceivedPostback, testProductOf, testTrackingId } from '#contract/integration.ts'
import { dateInMexico } from '#contract/time.ts'
import { connect } from '#db/connect.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import {
  makeIssuer,
  makeLead,
  makePayingStep,
  makeProduct,
  startServer,
  type TestClient,
  type TestServer,
  untilLockWait,
} from '../testing.ts'
import { expectNoDrift } from '../totals/testing.ts'

const BASE = '/api/v1/integration/'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://red.example.mx/' })
})
afterAll(() => server.stop())

const asIssuer = ({ id }: { id: number }) => server.as({ role: 'issuer', issuerId: id })
const tryEvent = async (client: TestClient, event: Record<string, unknown>) =>
  (await client.post(`${BASE}test-event/`, { event })).json().data
const received = async (issuer: { id: number }): Promise<ReceivedPostback[]> =>
  (await (await asIssuer(issuer)).get(`${BASE}postbacks/`)).json().data
const postback = (parameters: Record<string, string>) =>
  server.anonymous.get(`/api/v1/events/postback/?${new URLSearchParams(parameters)}`)

/**
 * Every row that anything but the list of receipts could show, by table; keys record their last use, and background
 * work records its progress.
 */
async function everything(): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public'
      and table_name not in ('event_receipt', 'api_key', 'session', 'user', 'throttle', 'spool_notice',
        'total', 'total_delta', 'lead_state', 'lead_state_due', 'lead_partition', 'fan_out_position')
      and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')`.execute(server.db)
  const digests = rows.map(async ({ name }) => {
    const all = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest
      from ${sql.table(name)} as t`.execute(server.db)
    return [name, all.rows[0]?.digest ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}

/** Reads everything that an event could change in what the three roles see. */
async function readerOf({ ids, issuer, affiliate }: Funnel): Promise<() => Promise<string[]>> {
  const admin = await server.as({ role: 'admin' })
  const parties = [admin, await asIssuer(issuer), await server.as({ role: 'affiliate', affiliateId: affiliate.id })]
  const period = `relationship=${ids.relationship_id}&period_start=2020-01-01&period_end=${dateInMexico()}`
  const reports = ['performance/', `funnel/${ids.product_id}/`, 'commissions/', 'tables/rendimiento-dias/']
  const lists = ['leads/', 'exports/leads/', 'payments/', ...reports.map((path) => `figures/reports/${path}`)]
  const read = async (client: TestClient, path: string) => {
    const { status, text } = await client.get(`/api/v1/${path}`)
    expect([path, status]).toEqual([path, 200])
    // The time of day to which today's figures reach may turn meanwhile.
    return text.replace(/"request_id":"[^"]+"/, '').replaceAll(/"until":"[^"]+"/g, '')
  }
  return () =>
    Promise.all([
      ...parties.flatMap((party) => lists.map((path) => read(party, path))),
      ...[`payments/preview/?${period}`, 'figures/overview/'].map((path) => read(admin, path)),
    ])
}

test('a test event is answered as a real one, and leaves nothing behind', async () => {
  const funnel = await makeFunnel(server)
  const { client, product, steps, token } = funnel
  await client.post(EVENTS, { tracking_id: funnel.lead.tracking_id, event_type: 'step_1', event_id: 'real' })
  const session = await asIssuer(funnel.issuer)
  const shown = await readerOf(funnel)
  // The exports among it are audited.
  const shownBefore = await shown()
  const keptBefore = await everything()
  const tracking_id = testTrackingId(product.id)
  const sent = await client.post(EVENTS, { tracking_id, step_id: steps.aprobado.id, event_id: 'pedido-1' })
  expect(sent.status).toBe(201)
  expect(sent.json().data).toEqual({
    id: null,
    event_id: 'pedido-1',
    lead_id: null,
    tracking_id,
    step_id: steps.aprobado.id,
    step_name: steps.aprobado.name,
    duplicate: false,
    test: true,
    commission: { amount: '500.00', currency: 'MXN', status: 'accrued' },
  })
  const byMacro = await postback({ token, click_id: tracking_id.replaceAll('-', ''), event: 'aprobado', txid: 'm-1' })
  expect([byMacro.status, byMacro.json().data.test]).toEqual([200, true])
  const events = ['entregado', 'rechazado', 'inexistente'].map((event_type) => ({ tracking_id, event_type }))
  const batch = await client.post(`${EVENTS}batch/`, { events })
  expect(batch.json().data.results.map(({ code }: { code: string }) => code)).toEqual(['TEST', 'TEST', 'UNKNOWN_EVENT'])
  for (const event of [...events, { tracking_id: funnel.lead.tracking_id, event_type: 'aprobado' }])
    await tryEvent(session, event)
  expect(await everything()).toEqual(keptBefore)
  expect(await shown()).toEqual(shownBefore)
  await expectNoDrift(server.db)
})

test('the same test may be sent again, also ten at once, and takes no event_id away', async () => {
  const { client, product, lead } = await makeFunnel(server)
  const event = { event_type: 'aprobado', event_id: 'pedido-1' }
  const test = { ...event, tracking_id: testTrackingId(product.id) }
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.post(EVENTS, test)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect((await client.post(EVENTS, { ...event, tracking_id: lead.tracking_id })).json().data).toMatchObject({
    duplicate: false,
    commission: { amount: '500.00' },
  })
})

test('no click waits for a test, however long it takes', async () => {
  const { client, product, ids } = await makeFunnel(server)
  const owner = connect(server.databaseUrl, { max: 1 })
  const holder = await owner.startTransaction().execute()
  await sql`lock table lead_event in share mode`.execute(holder)
  const answer = client.post(EVENTS, { tracking_id: testTrackingId(product.id), event_type: 'aprobado' })
  await untilLockWait(server.db)
  const click = server.db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx)
    return makeLead(tx, ids)
  })
  await click.finally(() => holder.rollback().execute())
  expect((await answer).status).toBe(201)
  await owner.destroy()
})

test('a product has its test lead before anybody promotes it; nobody else has it', async () => {
  const issuer = await makeIssuer(server.db)
  const product = await makeProduct(server.db, { issuer_id: issuer.id })
  await makePayingStep(server.db, { product_id: product.id })
  const event = { tracking_id: testTrackingId(product.id), event_type: 'aprobado' }
  const session = await asIssuer(issuer)
  expect(await tryEvent(session, event)).toMatchObject({ status: 201, code: 'TEST', data: { commission: null } })
  const stranger = await makeFunnel(server)
  expect((await stranger.client.post(EVENTS, event)).json().meta.code).toBe('UNKNOWN_TRACKING_ID')
  expect(await tryEvent(await asIssuer(stranger.issuer), event)).toMatchObject({ status: 404 })
  await server.db.updateTable('product').set({ archived_at: new Date() }).where('id', '=', product.id).execute()
  expect(await tryEvent(session, event)).toMatchObject({ status: 404, code: 'UNKNOWN_TRACKING_ID' })
  expect(await tryEvent(session, { ...event, tracking_id: testTrackingId(0) })).toMatchObject({ status: 404 })
})

test('a trial of an event gives the answer that a sender would get', async () => {
  const [mine, other] = [await makeFunnel(server), await makeFunnel(server)]
  const { lead, steps, issuer, client } = mine
  const event = { tracking_id: lead.tracking_id, step_id: steps.aprobado.id, event_id: 'a-1' }
  const { id } = (await client.post(EVENTS, event)).json().data
  const session = await asIssuer(issuer)
  const repeated = { status: 200, code: 'DUPLICATE', data: { id, lead_id: lead.id, duplicate: true, test: true } }
  expect(await tryEvent(session, event)).toMatchObject(repeated)
  const refusals = [
    [{ ...event, event_id: 'a-2', step_id: other.steps.aprobado.id }, 422, 'UNKNOWN_EVENT'],
    [{ ...event, event_type: 'aprobado' }, 422, 'VALIDATION_ERROR'],
    [{ ...event, tracking_id: other.lead.tracking_id }, 404, 'UNKNOWN_TRACKING_ID'],
    [{ ...event, tracking_id: '{tracking_id}' }, 404, 'UNKNOWN_TRACKING_ID'],
    [{}, 422, 'VALIDATION_ERROR'],
  ] as const
  for (const [sent, status, code] of refusals)
    expect(await tryEvent(session, sent)).toMatchObject({ status, code, message: expect.any(String), data: null })
  expect((await session.post(`${BASE}test-event/`, { event: 'x' })).status).toBe(422)
  expect(await received(issuer)).toHaveLength(1)
})

test('the last postbacks say what became of them, the latest first', async () => {
  const [mine, other] = [await makeFunnel(server), await makeFunnel(server)]
  const { client, issuer, product, steps, token } = mine
  const { tracking_id } = mine.lead
  await server.db.updateTable('lead').set({ external_id: 'visita-7' }).where('id', '=', mine.lead.id).execute()
  const event = { tracking_id, event_type: 'step_1', event_id: 'e-1' }
  const unsigned = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
  await client.post(EVENTS, event)
  await client.post(EVENTS, event)
  await client.post(EVENTS, { tracking_id, event_type: 'step_1' }, { headers: { 'idempotency-key': 'k' } })
  const sibling = await makeLead(server.db, mine.ids)
  await client.post(EVENTS, { ...event, tracking_id: sibling.tracking_id })
  await client.post(EVENTS, { tracking_id, event_type: 'inexistente', source: 'crm' })
  await client.post(EVENTS, { tracking_id: 'x'.repeat(400), step_id: 'siete' })
  await client.post(EVENTS, event, { headers: unsigned })
  await client.post(EVENTS, undefined, { rawBody: '{', headers: { 'content-type': 'application/json' } })
  await client.post(`${EVENTS}batch/`, { events: [event, { ...event, tracking_id: other.lead.tracking_id }] })
  await postback({ token, clickid: tracking_id, status: 'nada', txid: 't-1' })
  await client.post(EVENTS, { tracking_id: testTrackingId(product.id), event_type: 'step_2' })
  await client.get(`${EVENTS}?tracking_id=${other.lead.tracking_id}`)
  await client.post(EVENTS, event, { headers: { 'x-api-key': 'iss_desconocida' } })
  const own = { lead: mine.lead.id, external_id: 'visita-7', product_name: product.name, test: false }
  const rows = await received(issuer)
  const expected = [
    {
      verdict: 'accepted',
      code: 'TEST',
      test: true,
      lead: null,
      external_id: null,
      product_name: product.name,
      step: steps.step_2.name,
    },
    { ...own, verdict: 'rejected', code: 'UNKNOWN_EVENT', step: 'nada', event_id: 't-1', source: 'postback' },
    { verdict: 'rejected', code: 'UNKNOWN_TRACKING_ID', lead: null, external_id: null, product_name: null },
    { ...own, verdict: 'duplicate', code: 'DUPLICATE', event_id: 'e-1' },
    { verdict: 'rejected', code: 'MALFORMED_JSON', tracking_id: null, event_id: null, step: null },
    { ...own, verdict: 'rejected', code: 'INVALID_SIGNATURE' },
    { verdict: 'rejected', code: 'VALIDATION_ERROR', tracking_id: 'x'.repeat(255), step: 'siete' },
    { ...own, verdict: 'rejected', code: 'UNKNOWN_EVENT', step: 'inexistente', source: 'crm' },
    {
      verdict: 'rejected',
      code: 'IDEMPOTENCY_MISMATCH',
      lead: sibling.id,
      message: expect.stringContaining('otro lead'),
    },
    { ...own, verdict: 'accepted', code: 'STORED', event_id: 'k', step: steps.step_1.name },
    {
      ...own,
      verdict: 'duplicate',
      code: 'DUPLICATE',
      message: null,
      event_id: 'e-1',
      step: steps.step_1.name,
      source: 'api',
    },
    { ...own, verdict: 'accepted', code: 'STORED', tracking_id, event_id: 'e-1', step: steps.step_1.name },
  ]
  expect(rows).toMatchObject(expected)
  expect(rows.map(({ created_at }) => created_at)).toEqual(
    rows
      .map((row) => row.created_at)
      .sort()
      .reverse(),
  )
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  expect(await received(other.issuer)).toEqual([])
})

test('a hundred are shown and no more are stored', async () => {
  const { client, lead, issuer } = await makeFunnel(server)
  const events = Array.from({ length: RECEIVED_LIMIT + 5 }, (_, index) => ({
    tracking_id: lead.tracking_id,
    event_type: 'nada',
    event_id: String(index),
  }))
  await client.post(`${EVENTS}batch/`, { events })
  await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'step_1' })
  const rows = await received(issuer)
  expect(rows.map(({ event_id }) => event_id)).toEqual([
    null,
    ...events
      .slice(6)
      .map(({ event_id }) => event_id)
      .reverse(),
  ])
  const kept = await server.db.selectFrom('event_receipt').select('id').where('issuer_id', '=', issuer.id).execute()
  expect(kept).toHaveLength(RECEIVED_LIMIT)
})

test('the addresses are on our public host, for issuers alone', async () => {
  const issuer = await makeIssuer(server.db)
  expect((await (await asIssuer(issuer)).get(BASE)).json().data).toEqual({
    events_url: 'https://red.example.mx/api/v1/events/lead-events/',
    postback_url: 'https://red.example.mx/api/v1/events/postback/',
  })
  for (const path of [BASE, `${BASE}postbacks/`]) {
    expect((await server.anonymous.get(path)).status).toBe(401)
    expect((await (await server.as({ role: 'admin' })).get(path)).status).toBe(403)
  }
})

test('a test tracking id names its product, in any spelling, and a real one names none', () => {
  expect(testProductOf(testTrackingId(4_294_967_296))).toBe(4_294_967_296)
  expect(testProductOf(testTrackingId(31).toUpperCase().replaceAll('-', ''))).toBe(31)
  for (const id of [crypto.randomUUID(), '', '{tracking_id}', testTrackingId(1).slice(1)])
    expect(testProductOf(id)).toBeUndefined()
})

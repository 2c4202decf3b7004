import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { makePayment } from '#db/factories.ts'
import { idAt } from '#db/lead-ids.ts'
import {
  FILES,
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeLead,
  makePair,
  makePayingStep,
  makeProduct,
  makeStep,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { readDrift } from '../totals/recount.ts'
import { applied, at, csvOf, makeWorld, mappingOf, simulated, upload, type World, whenDone } from './testing.ts'

let server: TestServer
let world: World
let client: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())
beforeEach(async () => {
  world = await makeWorld(server.db)
  client = await server.as({ role: 'issuer', issuerId: world.ids.issuer_id })
})

type LeadRow = Awaited<ReturnType<World['lead']>>
const told = ({ outcomes }: Pick<Import, 'outcomes'>) =>
  outcomes.map(({ outcome, rows, amount }) => [outcome, rows, amount])
const came = ({ results }: Pick<Import, 'results'>) => results.map(({ result, rows, amount }) => [result, rows, amount])
const approve = (lead: LeadRow) => applyFile([[lead.tracking_id, 'APROBADA', '']])
const reject = (lead: LeadRow) => applyFile([[lead.tracking_id, 'RECHAZADA', 'buró']])
const applyFile = async (rows: string[][], mapping = mappingOf()) =>
  applied(client, await simulated(client, csvOf(rows), mapping))

const entriesOf = (lead: LeadRow) =>
  server.db
    .selectFrom('commission_entry')
    .select(['kind', 'state', 'amount'])
    .where('lead_id', '=', lead.id)
    .orderBy('id')
    .execute()
const eventsOf = (lead: LeadRow) =>
  server.db
    .selectFrom('lead_event')
    .select(['event_type_name', 'source', 'idempotency_key', 'reason_code'])
    .where('lead_id', '=', lead.id)
    .orderBy('id')
    .execute()

/** Everything of the lead is paid. */
async function pay(lead: LeadRow): Promise<void> {
  const payment = await makePayment(server.db, world.ids, { payment_status: 'paid' })
  await server.db
    .updateTable('commission_entry')
    .set({ state: 'paid', payment_id: payment.id })
    .where('lead_id', '=', lead.id)
    .execute()
}

test('what would come of each row, in pesos; nothing is stored', async () => {
  const leads = await Promise.all(Array.from({ length: 8 }, () => world.lead()))
  const [good, asked, bad, paid, done, rejected, twice, disputed] = leads as [LeadRow, ...LeadRow[]] as LeadRow[] & {
    length: 8
  }
  for (const lead of [paid, done]) await approve(lead as LeadRow)
  await pay(paid as LeadRow)
  await reject(rejected as LeadRow)
  const before = await server.db.selectFrom('lead_event').select('id').execute()
  const other = await makeLead(server.db, { ...world.ids, issuer_id: (await makeIssuer(server.db)).id })
  const plain = await makeProduct(server.db, { issuer_id: world.ids.issuer_id })
  const stepless = await makeLead(server.db, { ...world.ids, product_id: plain.id })
  const row = (lead: LeadRow | undefined, state: string) => [lead?.tracking_id ?? '', state, '']
  const file = await simulated(
    client,
    csvOf([
      [good?.tracking_id.toUpperCase().replaceAll('-', '') ?? '', 'APROBADA', ''],
      row(asked, 'SOLICITUD'),
      row(bad, 'RECHAZADA'),
      row(paid, 'RECHAZADA'),
      row(done, 'APROBADA'),
      row(rejected, 'APROBADA'),
      row(twice, 'APROBADA'),
      row(twice, 'APROBADA'),
      row(disputed, 'APROBADA'),
      row(disputed, 'RECHAZADA'),
      row(other, 'APROBADA'),
      row(stepless, 'APROBADA'),
      ['no es un id', 'APROBADA', ''],
      ['', 'APROBADA', ''],
      ['', 'PENDIENTE', ''],
    ]),
  )
  expect(told(file)).toEqual([
    ['approve', 2, '1000.00'],
    ['record', 1, '0.00'],
    ['reject', 1, '0.00'],
    ['reject_paid', 1, '-500.00'],
    ['stays_rejected', 1, '0.00'],
    ['unchanged', 1, '0.00'],
    ['not_found', 1, '0.00'],
    ['conflict', 2, '0.00'],
    ['repeated', 1, '0.00'],
    ['invalid', 2, '0.00'],
    ['no_step', 1, '0.00'],
    ['ignored', 1, '0.00'],
  ])
  expect(await server.db.selectFrom('lead_event').select('id').execute()).toEqual(before)
})

test('applied, each row is an event like any other, with its commission', async () => {
  const [good, bad] = [await world.lead(), await world.lead()]
  await approve(bad)
  const file = await applyFile([
    [good.tracking_id, 'APROBADA', ''],
    [bad.tracking_id, 'RECHAZADA', 'buró'],
  ])
  expect(came(file)).toEqual([['applied', 2, '0.00']])
  expect(await entriesOf(good)).toEqual([{ kind: 'commission', state: 'accrued', amount: '500.00' }])
  expect(await entriesOf(bad)).toEqual([{ kind: 'commission', state: 'reversed', amount: '500.00' }])
  expect(await eventsOf(good)).toEqual([
    { event_type_name: 'aprobado', source: 'conciliacion', idempotency_key: `m:${file.id}:2`, reason_code: null },
  ])
  expect((await eventsOf(bad)).at(-1)).toMatchObject({ event_type_name: 'rechazado', reason_code: 'buro' })
  expect(await readDrift(server.db)).toEqual([])
})

test('of a lead that earned twice and was paid once, only what was paid is to be charged', async () => {
  const lead = await world.lead()
  const step = { product_id: world.ids.product_id, event_type_id: 5, name: 'Entrega', is_payout_event: true }
  await makeStep(server.db, step)
  await approve(lead)
  await pay(lead)
  const mapping = mappingOf({
    values: [
      { value: 'ENTREGADA', action: 'step', event_type_id: 5 },
      { value: 'RECHAZADA', action: 'reject' },
    ],
  })
  await applyFile([[lead.tracking_id, 'ENTREGADA', '']], mapping)
  const file = await simulated(client, csvOf([[lead.tracking_id, 'RECHAZADA', '']]), mapping)
  const rejected = [{ outcome: 'reject_paid', rows: 1, amount: '-1000.00', charge: '500.00' }]
  expect(file.outcomes).toEqual(rejected)
  const again = async (asked: object) => {
    expect((await client.put(at(file.id, 'mapping/'), asked)).status).toBe(200)
    await client.post(at(file.id, 'simulate/'))
    return whenDone(client, file.id)
  }
  const ignoring = mappingOf({ values: [{ value: 'RECHAZADA', action: 'ignore' }] })
  expect((await again(ignoring)).outcomes).toEqual([{ outcome: 'ignored', rows: 1, amount: '0.00', charge: '0.00' }])
  const last = await again(mapping)
  expect(last.outcomes).toEqual(rejected)
  await applied(client, last)
  expect((await entriesOf(lead)).map(({ kind, state, amount }) => [kind, state, amount])).toEqual([
    ['commission', 'paid', '500.00'],
    ['commission', 'reversed', '500.00'],
    ['reversal', 'accrued', '-500.00'],
  ])
})

test('what was paid and is rejected is deducted; what was rejected and is approved counts again if asked', async () => {
  const [paid, rejected] = [await world.lead(), await world.lead()]
  await approve(paid)
  await pay(paid)
  await approve(rejected)
  await reject(rejected)
  const mapping = mappingOf({ restores: true })
  const file = await simulated(
    client,
    csvOf([
      [paid.tracking_id, 'RECHAZADA', ''],
      [rejected.tracking_id, 'APROBADA', ''],
    ]),
    mapping,
  )
  expect(told(file)).toEqual([
    ['reject_paid', 1, '-500.00'],
    ['restore', 1, '500.00'],
  ])
  await applied(client, file)
  expect((await entriesOf(paid)).map(({ kind, state, amount }) => [kind, state, amount])).toEqual([
    ['commission', 'paid', '500.00'],
    ['reversal', 'accrued', '-500.00'],
  ])
  expect(await entriesOf(rejected)).toMatchObject([{ kind: 'commission', state: 'accrued' }])
  expect(await readDrift(server.db)).toEqual([])
})

test('a row that something else would come of by now is left out', async () => {
  const [lead, other] = [await world.lead(), await world.lead()]
  const file = await simulated(client, csvOf([lead, other].map((one) => [one.tracking_id, 'APROBADA', ''])))
  const again = await simulated(client, csvOf([[lead.tracking_id, 'RECHAZADA', '']]))
  await applied(client, again)
  expect(came(await applied(client, file))).toEqual([
    ['applied', 1, '500.00'],
    ['changed', 1, '0.00'],
  ])
  expect(await entriesOf(lead)).toEqual([])
  const sent = (await client.get(`/api/v1/exports/imports/${file.id}/rows/`)).text
  expect(sent).toContain(`,${lead.id},No se aprobó,500.00,Cambió desde la simulación`)
  expect(sent).toContain(`,${other.id},Se aprobó,500.00,Aplicado`)
})

test('rows whose step is archived after the simulation are left out, and the others applied', async () => {
  const [good, asked, bad] = [await world.lead(), await world.lead(), await world.lead()]
  const file = await simulated(
    client,
    csvOf([
      [good.tracking_id, 'APROBADA', ''],
      [asked.tracking_id, 'SOLICITUD', ''],
      [bad.tracking_id, 'RECHAZADA', ''],
    ]),
  )
  const admin = await server.as({ role: 'admin' })
  for (const { id } of [world.approval, world.rejection])
    expect((await admin.delete(`/api/v1/events/product-steps/${id}/`)).status).toBe(204)
  expect(came(await applied(client, file))).toEqual([
    ['applied', 1, '0.00'],
    ['changed', 2, '0.00'],
  ])
  expect([await eventsOf(good), await eventsOf(bad)]).toEqual([[], []])
  expect(told(await simulated(client, csvOf([[good.tracking_id, 'APROBADA', '']])))).toEqual([['no_step', 1, '0.00']])
})

test('a step that stood beside an archived one of its type pays for itself, one made afterwards does not', async () => {
  const [twice, once] = [await world.lead(), await world.lead()]
  const { ids, approval } = world
  const twin = await makePayingStep(server.db, { product_id: ids.product_id })
  for (const lead of [twice, once]) await approve(lead)
  const admin = await server.as({ role: 'admin' })
  const again = (lead: LeadRow) => applyFile([[lead.tracking_id, 'APROBADA', 'otra vez']])
  const remove = (id: number) => admin.delete(`/api/v1/events/product-steps/${id}/`)
  await remove(approval.id)
  expect(told(await again(twice))).toEqual([['approve', 1, '500.00']])
  await remove(twin.id)
  await makePayingStep(server.db, { product_id: ids.product_id })
  expect(told(await again(once))).toEqual([['approve', 1, '0.00']])
  expect([await entriesOf(twice), await entriesOf(once)].map(({ length }) => length)).toEqual([2, 1])
})

test('the sum of many of the highest commissions is told whole', async () => {
  const { ids } = await makePair(server.db)
  await makeCommission(server.db, { ...ids, payout: '9999999999.99' })
  await makePayingStep(server.db, { product_id: ids.product_id })
  const leads = Array.from({ length: 101 }, (_, index) => ({ ...ids, tracking_id: idAt(Date.now() - index) }))
  await server.db.insertInto('lead').values(leads).execute()
  client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const file = await simulated(client, csvOf(leads.map(({ tracking_id }) => [tracking_id, 'APROBADA', ''])))
  expect(told(file)).toEqual([['approve', 101, '1009999999998.99']])
  expect(came(await applied(client, file))).toEqual([['applied', 101, '1009999999998.99']])
})

test('the same file is applied once, and what was shown is what is applied', async () => {
  const lead = await world.lead()
  const file = csvOf([[lead.tracking_id, 'APROBADA', '']])
  const [one, two] = [await simulated(client, file), await simulated(client, file)]
  const stale = await client.post(at(one.id, 'apply/'), { simulated_at: '2025-01-01T00:00:00.000Z' })
  expect([stale.status, stale.json().meta.code]).toEqual([409, 'STALE'])
  const answers = await Promise.all(
    [one, two, one].map(({ id, simulated_at }) => client.post(at(id, 'apply/'), { simulated_at })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  await whenDone(client, one.id)
  await whenDone(client, two.id)
  expect(await eventsOf(lead)).toHaveLength(1)
  const again = await upload(client, file)
  expect([again.status, again.json().meta.code]).toEqual([409, 'DUPLICATE_FILE'])
  expect(again.json().message).toMatch(/^Este archivo ya se aplicó el \d\d\/\d\d\/\d{4} \(conciliación \d+\)$/)
})

test('leads are found by the event ids of the issuer and by external id within a product', async () => {
  const [one, two, three] = [
    await world.lead(),
    await world.lead({ external_id: 'v-2' }),
    await world.lead({ external_id: 'v-3' }),
  ]
  await world.lead({ external_id: 'v-3' })
  await sql`insert into lead_event (lead_id, tracking_id, issuer_id, step_id, step_name, event_type_id, event_type_name, source,
      event_id, idempotency_key, fingerprint)
    values (${one.id}, ${one.tracking_id}, ${world.ids.issuer_id}, ${world.request.id}, 'Solicitud', 1, 'step_1', 'api', 'ev-1',
      'i:ev-1', '')`.execute(server.db)
  const byEvent = await simulated(client, csvOf([['ev-1', 'APROBADA', '']]), mappingOf({ key: 'event_id' }))
  expect(told(byEvent)).toEqual([['approve', 1, '500.00']])
  const rows = [
    ['v-2', 'APROBADA', ''],
    ['v-3', 'APROBADA', ''],
    ['v-4', 'APROBADA', ''],
  ]
  const mapping = mappingOf({ key: 'external_id', product_id: world.ids.product_id })
  expect(told(await simulated(client, csvOf(rows), mapping))).toEqual([
    ['approve', 1, '500.00'],
    ['not_found', 1, '0.00'],
    ['conflict', 1, '0.00'],
  ])
  expect([two, three].length).toBe(2)
})

test('the mapping is remembered for the same header, and must name every value', async () => {
  const lead = await world.lead()
  const first = await simulated(client, csvOf([[lead.tracking_id, 'APROBADA', '']]))
  const next = (
    await upload(
      client,
      csvOf([
        [lead.tracking_id, 'RARO', ''],
        ['x', 'OTRO', ''],
      ]),
    )
  ).json().data
  expect(next.remembered).toEqual((await client.get(at(first.id))).json().data.mapping)
  expect(
    (await upload(client, csvOf([['a', 'b', 'c']], ['otro', 'estado', 'motivo']))).json().data.remembered,
  ).toBeNull()
  expect((await client.get(at(next.id, 'values/?column=1'))).json().data).toEqual([
    { value: 'OTRO', rows: 1 },
    { value: 'RARO', rows: 1 },
  ])
  const refused = await client.put(at(next.id, 'mapping/'), mappingOf())
  expect([refused.status, refused.json().message]).toEqual([422, 'Hay 2 valores sin asignar: OTRO, RARO'])
  expect((await client.put(at(next.id, 'mapping/'), {})).json().message).toContain('Falta elegir la columna del lead')
  expect((await client.post(at(next.id, 'simulate/'))).json().meta.code).toBe('NOT_MAPPED')
})

test('the rows come back with their verdict, and no formula among them comes to life', async () => {
  const lead = await world.lead()
  const file = await simulated(
    client,
    csvOf(
      [
        [lead.tracking_id, 'APROBADA', '"=1+1"'],
        ['x', 'PENDIENTE', '@a'],
      ],
      ['folio', 'estado', '=1+1'],
    ),
  )
  const text = (await client.get(`/api/v1/exports/imports/${file.id}/rows/`)).text
  expect(text.split('\r\n')).toEqual([
    `Renglón,folio,estado,'=1+1,Lead,Veredicto,"Monto (MXN, antes de IVA y retenciones)",Resultado`,
    `2,${lead.tracking_id},APROBADA,'=1+1,${lead.id},Se aprobará,500.00,`,
    `3,x,PENDIENTE,'@a,,Se ignora,0.00,`,
    '',
  ])
})

test('a file is its issuer’s and the administrator’s alone', async () => {
  const file = await simulated(client, csvOf([[(await world.lead()).tracking_id, 'APROBADA', '']]))
  const stranger = await server.as({ role: 'issuer', issuerId: (await makeIssuer(server.db)).id })
  expect((await stranger.get(at(file.id))).status).toBe(404)
  expect((await stranger.get('/api/v1/imports/')).json().data.results).toEqual([])
  const affiliate = await server.as({ role: 'affiliate', affiliateId: (await makeAffiliate(server.db)).id })
  expect((await affiliate.get('/api/v1/imports/')).status).toBe(403)
  expect((await (await server.as({ role: 'admin' })).get(at(file.id))).status).toBe(200)
})

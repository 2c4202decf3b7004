import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { dateInMexico } from '#contract/time.ts'
import { makePayment } from '#db/factories.ts'
import { ApiKeys } from '../companies/api-keys.ts'
import { EVENTS } from '../events/testing.ts'
import { fileAll, readWrongStates } from '../leads/states.testing.ts'
import { readResultDrift } from '../results/recount.ts'
import { foldAllResults } from '../results/testing.ts'
import { FILES, makeStep, startServer, TEST_SECRET, TestClient, type TestServer } from '../testing.ts'
import { readDrift } from '../totals/recount.ts'
import { expectConserved } from '../totals/testing.ts'
import { applied, at, csvOf, makeWorld, mappingOf, simulated, upload, type World, whenDone } from './testing.ts'

let server: TestServer
let world: World
let client: TestClient
beforeAll(async () => {
  server = await startServer({ IMPORT_UNDO_DAYS: '45' }, { works: [FILES] })
})
afterAll(() => server.stop())
beforeEach(async () => {
  world = await makeWorld(server.db)
  client = await server.as({ role: 'issuer', issuerId: world.ids.issuer_id })
})

type LeadRow = Awaited<ReturnType<World['lead']>>
const apply = async (rows: [LeadRow, string][], mapping = mappingOf()) =>
  applied(client, await simulated(client, csvOf(rows.map(([lead, state]) => [lead.tracking_id, state, ''])), mapping))

async function preview({ id }: Import): Promise<Import> {
  const answer = await client.post(at(id, 'undo-preview/'))
  if (answer.status !== 202) throw new Error(answer.text)
  return whenDone(client, id)
}
const told = ({ undo }: Import) => undo.map((each) => [each.undo, each.rows, each.amount])
const undo = async (file: Import) => {
  const { id, previewed_at } = await preview(file)
  const answer = await client.post(at(id, 'undo/'), { reason: 'El banco mandó otro archivo', previewed_at })
  if (answer.status !== 202) throw new Error(answer.text)
  return whenDone(client, id)
}

const entriesOf = async ({ id }: LeadRow) =>
  (
    await server.db
      .selectFrom('commission_entry')
      .select(['kind', 'state', 'amount', 'converts'])
      .where('lead_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ kind, state, amount, converts }) => [kind, state, amount, converts])
/** Whether each of its events, as the issuer's system looks them up, is voided. */
const lookedUp = async ({ tracking_id }: LeadRow): Promise<boolean[]> => {
  const key = await new ApiKeys(server.db, TEST_SECRET).create(server.db, { issuerId: world.ids.issuer_id }, 'api')
  const answer = await new TestClient(server.origin, { 'x-api-key': key }).get(`${EVENTS}?tracking_id=${tracking_id}`)
  return answer.json().data.results.map((event: { is_voided: boolean }) => event.is_voided)
}
const stateOf = async ({ id }: LeadRow) => (await client.get(`/api/v1/leads/${id}/`)).json().data.state

async function expectWhole(): Promise<void> {
  expect(await readDrift(server.db)).toEqual([])
  await expectConserved(server.db)
  await foldAllResults(server)
  expect(await readResultDrift(server.db)).toEqual([])
  await fileAll(server)
  expect(await readWrongStates(server)).toEqual([])
}

async function pay(...leads: LeadRow[]): Promise<void> {
  const nothing = { total_amount: '0.00', calculated_amount: '0.00' }
  const { id } = await makePayment(server.db, world.ids, { payment_status: 'paid', ...nothing })
  await server.db.transaction().execute(async (tx) => {
    const paid = await tx
      .updateTable('commission_entry')
      .set({ state: 'paid', payment_id: id })
      .where(
        'lead_id',
        'in',
        leads.map((lead) => lead.id),
      )
      .returning('amount')
      .execute()
    const amount = paid.reduce((sum, entry) => sum + Number(entry.amount), 0).toFixed(2)
    await tx
      .updateTable('payment')
      .set({ total_amount: amount, calculated_amount: amount })
      .where('id', '=', id)
      .execute()
  })
}

test('apply, then undo, is as before; and the same file can be applied again', async () => {
  const [good, bad, back] = [await world.lead(), await world.lead(), await world.lead()]
  await apply([
    [bad, 'APROBADA'],
    [back, 'APROBADA'],
  ])
  await apply([[back, 'RECHAZADA']])
  const before = await Promise.all([good, bad, back].map(stateOf))
  const file = await apply(
    [
      [good, 'APROBADA'],
      [bad, 'RECHAZADA'],
      [back, 'APROBADA'],
    ],
    mappingOf({ restores: true }),
  )
  expect(await Promise.all([good, bad, back].map(stateOf))).toEqual(['approved', 'rejected', 'approved'])
  const shown = await preview(file)
  expect([shown.status, told(shown)]).toEqual([
    'applied',
    [
      ['take_back', 2, '-1000.00'],
      ['give_back', 1, '500.00'],
    ],
  ])
  expect(await stateOf(good)).toBe('approved')
  const undone = await undo(file)
  expect(undone).toMatchObject({ status: 'undone', undo: shown.undo, undo_reason: 'El banco mandó otro archivo' })
  expect(await Promise.all([good, bad, back].map(stateOf))).toEqual(before)
  expect(await entriesOf(good)).toEqual([['commission', 'reversed', '500.00', 1]])
  expect(await entriesOf(bad)).toEqual([['commission', 'accrued', '500.00', 1]])
  expect(await entriesOf(back)).toEqual([['commission', 'reversed', '500.00', 1]])
  await expectWhole()
  const again = await apply(
    [
      [good, 'APROBADA'],
      [bad, 'RECHAZADA'],
      [back, 'APROBADA'],
    ],
    mappingOf({ restores: true }),
  )
  expect(again.results).toEqual(file.results)
  expect(await lookedUp(good)).toEqual([true, false])
  expect(await entriesOf(good)).toEqual([['commission', 'accrued', '500.00', 1]])
  await expectWhole()
})

test('what was paid meanwhile is compensated, said before', async () => {
  const lead = await world.lead()
  const file = await apply([[lead, 'APROBADA']])
  await pay(lead)
  expect(told(await preview(file))).toEqual([['charge', 1, '-500.00']])
  await undo(file)
  expect(await entriesOf(lead)).toEqual([
    ['commission', 'paid', '500.00', 1],
    ['reversal', 'accrued', '-500.00', -1],
  ])
  await expectWhole()
})

test('what compensates a commission moves with it, and is said before', async () => {
  const [free, paid] = [await world.lead(), await world.lead()]
  await apply([
    [free, 'APROBADA'],
    [paid, 'APROBADA'],
  ])
  const admin = await server.as({ role: 'admin' })
  const change = {
    commission_id: world.commission.id,
    amount: '600',
    valid_from: new Date(Date.now() + 60_000).toISOString(),
  }
  const compensation = { since: dateInMexico(), note: 'Lo acordamos con el banco', entries: 2, amount: '200.00' }
  expect((await admin.post('/api/v1/rates/', { ...change, compensation })).status).toBe(201)
  const sumOf = async () => {
    const { amount } = await server.db
      .selectFrom('commission_entry')
      .select(sql<string>`sum(amount) filter (where state <> 'reversed')`.as('amount'))
      .where('issuer_id', '=', world.ids.issuer_id)
      .executeTakeFirstOrThrow()
    return amount
  }
  await pay(paid)
  const file = await apply([
    [free, 'RECHAZADA'],
    [paid, 'RECHAZADA'],
  ])
  expect(file.outcomes.map(({ outcome, amount }) => [outcome, amount])).toEqual([
    ['reject', '-600.00'],
    ['reject_paid', '-600.00'],
  ])
  expect(await sumOf()).toBe('0.00')
  expect(told(await preview(file))).toEqual([['give_back', 2, '1200.00']])
  await undo(file)
  expect(await sumOf()).toBe('1200.00')
  await expectWhole()
})

test('another event of the same step keeps what its lead earned; one that comes later gives it back', async () => {
  const [kept, later] = [await world.lead(), await world.lead()]
  const file = await apply([
    [kept, 'APROBADA'],
    [later, 'APROBADA'],
  ])
  const reject = await apply([[kept, 'RECHAZADA']])
  await undo(reject)
  await client.post(`/api/v1/leads/${kept.id}/reject/`, { reason_code: 'zona' })
  expect(await stateOf(kept)).toBe('rejected')
  await client.post(`/api/v1/leads/${kept.id}/restore/`, { note: 'Lo aclaró el banco' })
  await undo(file)
  expect(await stateOf(later)).toBe('click')
  await apply([
    [later, 'APROBADA'],
    [kept, 'PENDIENTE'],
  ])
  expect(await entriesOf(later)).toEqual([['commission', 'accrued', '500.00', 1]])
  expect(await stateOf(later)).toBe('approved')
  await expectWhole()
})

test('a lead goes on converting once when the step that converted first is voided', async () => {
  const [free, paid] = [await world.lead(), await world.lead()]
  await makeStep(server.db, {
    ...{ product_id: world.ids.product_id, event_type_id: 5 },
    name: 'Entrega',
    is_payout_event: true,
  })
  const mapping = mappingOf({ values: [{ value: 'ENTREGADA', action: 'step', event_type_id: 5 }] })
  const first = await apply([
    [free, 'APROBADA'],
    [paid, 'APROBADA'],
  ])
  await pay(paid)
  const second = await apply(
    [
      [free, 'ENTREGADA'],
      [paid, 'ENTREGADA'],
    ],
    mapping,
  )
  const converting = async (lead: LeadRow) =>
    (await entriesOf(lead))
      .filter(([, state]) => state !== 'reversed')
      .reduce((sum, [, , , converts]) => sum + Number(converts), 0)
  await undo(first)
  expect([await converting(free), await converting(paid)]).toEqual([1, 1])
  await undo(second)
  expect([await converting(free), await converting(paid)]).toEqual([0, 0])
  await expectWhole()
})

test('a step that is archived and made anew after an undo pays each lead once', async () => {
  const [sent, filed] = [await world.lead(), await world.lead()]
  // It clicked before there was a commission.
  const unpaid = await world.lead({ created_at: Date.now() - 86_400_000 })
  await undo(
    await apply([
      [sent, 'APROBADA'],
      [filed, 'APROBADA'],
      [unpaid, 'APROBADA'],
    ]),
  )
  const now = sql<string>`now()`
  await server.db.updateTable('event_step').set({ archived_at: now }).where('id', '=', world.approval.id).execute()
  const of = { product_id: world.ids.product_id, event_type_id: 3 }
  const anew = await makeStep(server.db, { ...of, name: 'Aprobada', is_payout_event: true })
  const key = await new ApiKeys(server.db, TEST_SECRET).create(server.db, { issuerId: world.ids.issuer_id }, 'api')
  const sender = new TestClient(server.origin, { 'x-api-key': key })
  const tell = async ({ tracking_id }: LeadRow) =>
    (await sender.post(EVENTS, { tracking_id, step_id: anew.id, event_id: `anew ${tracking_id}` })).json()
  expect((await tell(sent)).data.commission).toMatchObject({ amount: '500.00', status: 'accrued' })
  const file = await apply([[filed, 'APROBADA']])
  expect(file.outcomes).toMatchObject([{ outcome: 'approve', amount: '500.00' }])
  const [old, paid] = [
    ['commission', 'reversed', '500.00', 1],
    ['commission', 'accrued', '500.00', 1],
  ]
  for (const lead of [sent, filed])
    expect([await entriesOf(lead), await stateOf(lead)]).toEqual([[old, paid], 'approved'])
  await expectWhole()

  expect(told(await undo(file))).toEqual([['take_back', 1, '-500.00']])
  expect([await entriesOf(filed), await stateOf(filed)]).toEqual([[old, old], 'click'])
  await apply([[filed, 'APROBADA']])
  await client.post(`/api/v1/leads/${sent.id}/reject/`, { reason_code: 'zona' })
  expect(await entriesOf(sent)).toEqual([old, old])
  await client.post(`/api/v1/leads/${sent.id}/restore/`, { note: 'Lo aclaró el banco' })
  for (const lead of [sent, filed]) expect(await entriesOf(lead)).toEqual([old, paid])
  await expectWhole()

  await server.db.updateTable('commission').set({ archived_at: now }).where('id', '=', world.commission.id).execute()
  const answer = await tell(unpaid)
  expect([answer.data.commission, answer.meta.warnings]).toEqual([null, ['NO_COMMISSION']])
})

test('only what was shown, in time and once', async () => {
  const file = await apply([[await world.lead(), 'APROBADA']])
  const reason = 'El banco mandó otro archivo'
  const body = { reason, previewed_at: '2025-01-01T00:00:00.000Z' }
  const codeOf = async (path: string, sent?: object) => (await client.post(at(file.id, path), sent)).json().meta.code
  expect(await codeOf('undo/', body)).toBe('STALE')
  expect(await codeOf('undo/', { ...body, reason: 'corto' })).toBe('VALIDATION_ERROR')
  const { previewed_at } = await preview(file)
  const answers = await Promise.all([1, 2].map(() => client.post(at(file.id, 'undo/'), { reason, previewed_at })))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
  await whenDone(client, file.id)
  expect(await codeOf('undo-preview/')).toBe('IMPORT_STATE')
  const old = await apply([[await world.lead(), 'APROBADA']])
  expect(Date.parse(old.undo_until ?? '') - Date.parse(old.applied_at ?? '')).toBe(45 * 86_400_000)
  const past = new Date('2026-03-05T05:59:00Z')
  await server.db.updateTable('import').set({ undo_until: past }).where('id', '=', old.id).execute()
  const { message, meta } = (await client.post(at(old.id, 'undo-preview/'))).json()
  expect([message, meta.code]).toEqual(['Se podía deshacer hasta el 04/03/2026', 'UNDO_EXPIRED'])
  expect((await upload(client, csvOf([['a', 'PENDIENTE', '']]))).status).toBe(201)
})

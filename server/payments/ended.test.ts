import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenBalance, Payment } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry } from '#db/factories.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import {
  makeAffiliate,
  makeLead,
  makePair,
  makeRelationship,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { expectConserved } from '../totals/testing.ts'
import { entriesIn, paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(async () => {
  await expectConserved(server.db)
  await server.stop()
})

const MARCH = 'period_start=2025-03-01&period_end=2025-03-31'
const create = (form: object) => admin.post('/api/v1/payments/', form)
const balances = async (query = ''): Promise<OpenBalance[]> =>
  (await admin.get(`/api/v1/payments/balances/?${query}`)).json().data

/** A pair that earned 900.00 in March. */
async function makeEarned() {
  const pair = await makePair(server.db)
  const entry = await makeEntry(server.db, pair.ids, { amount: '900.00', earned_at: '2025-03-10T18:00:00Z' })
  return { ...pair, entry, form: { ...paymentForm(pair.relationship.id), total_amount: '900.00' } }
}

type Earned = Awaited<ReturnType<typeof makeEarned>>
const endings: [what: string, state: string, end: (pair: Earned) => Promise<{ status: number }>][] = [
  [
    'an inactive relationship',
    'inactive',
    ({ relationship }) => admin.put(`/api/v1/relationships/${relationship.id}/`, { relationship_status: 'inactive' }),
  ],
  [
    'a deleted relationship',
    'archived',
    ({ relationship }) => admin.delete(`/api/v1/relationships/${relationship.id}/`),
  ],
  ['a deleted affiliate', 'archived', ({ affiliate }) => admin.delete(`/api/v1/affiliates/${affiliate.id}/`)],
  ['a deleted issuer', 'archived', ({ issuer }) => admin.delete(`/api/v1/issuers/${issuer.id}/`)],
]

test.each(endings)('what %s earned is shown, previewed and paid, once', async (_, state, end) => {
  const pair = await makeEarned()
  const { relationship, affiliate, issuer, entry, form } = pair
  expect([200, 204]).toContain((await end(pair)).status)
  expect(await balances(`relationship=${relationship.id}`)).toEqual([
    {
      relationship: relationship.id,
      affiliate: affiliate.id,
      issuer: issuer.id,
      affiliate_name: affiliate.company_name,
      issuer_name: issuer.company_name,
      state,
      accrued: '900.00',
      validating: '0.00',
      in_payment: '0.00',
      since: '2025-03-10',
    },
  ])
  const preview = (await admin.get(`/api/v1/payments/preview/?relationship=${relationship.id}&${MARCH}`)).json().data
  expect(preview).toMatchObject({ total_amount: '900.00', upto: entry.id })
  const { total_amount, entries_amount, upto } = preview
  const saved = await create({ ...form, total_amount, entries_amount, upto })
  expect(saved.json().data).toMatchObject({ affiliate: affiliate.id, issuer: issuer.id, entries_amount: '900.00' })
  const { id } = saved.json().data
  expect(await balances(`relationship=${relationship.id}`)).toMatchObject([{ accrued: '0.00', in_payment: '900.00' }])
  expect((await admin.put(`/api/v1/payments/${id}/`, { ...form, payment_status: 'paid' })).status).toBe(200)
  expect(await balances(`relationship=${relationship.id}`)).toEqual([])
  const again = await create({ ...form, period_end: '2025-03-30' })
  expect([again.status, again.json().meta.field_errors]).toEqual([
    422,
    { relationship: [state === 'inactive' ? 'La relación está inactiva' : 'Debe seleccionar una relación'] },
  ])
})

test('another pair for a relationship leaves the old one payable, and its balance in sight', async () => {
  const { relationship, affiliate, issuer, entry, form } = await makeEarned()
  const next = await makeAffiliate(server.db)
  const move = (affiliate_id: number) => admin.put(`/api/v1/relationships/${relationship.id}/`, { affiliate_id })
  expect((await move(next.id)).status).toBe(200)
  const [old, ...others] = await balances(`affiliate=${affiliate.id}`)
  expect(others).toEqual([])
  expect(old).toMatchObject({ issuer: issuer.id, state: 'archived', accrued: '900.00' })
  expect(old?.relationship).not.toBe(relationship.id)
  const saved = await create({ ...form, relationship: old?.relationship })
  expect(saved.json().data).toMatchObject({ affiliate: affiliate.id, entries_amount: '900.00' })
  expect(await entriesIn(server.db, saved.json().data.id)).toEqual([{ id: entry.id, state: 'in_payment' }])
  // Back and forth leaves one row of each pair, and neither is in the list twice.
  expect((await move(affiliate.id)).status).toBe(200)
  expect((await move(next.id)).status).toBe(200)
  const rows = await server.db
    .selectFrom('relationship')
    .select('id')
    .where('affiliate_id', '=', affiliate.id)
    .execute()
  expect(rows).toHaveLength(1)
  expect(await balances(`affiliate=${affiliate.id}`)).toHaveLength(1)
})

const given: [what: string, give: (relationship: number) => Promise<unknown>, balance: Partial<OpenBalance>][] = [
  [
    'a bonus',
    (relationship) =>
      admin.post('/api/v1/adjustments/', { relationship, kind: 'bonus', amount: '250', note: 'Bono de bienvenida' }),
    { accrued: '250.00', in_payment: '0.00' },
  ],
  [
    'a payment that was typed',
    (relationship) => create(paymentForm(relationship)),
    { accrued: '0.00', in_payment: '1600.50' },
  ],
  [
    'a payment that gets its total later',
    (relationship) => create({ ...paymentForm(relationship), total_amount: '0.00' }),
    { accrued: '0.00', in_payment: '75.00' },
  ],
]

test.each(given)('%s alone leaves the old pair in sight, too', async (_, give, balance) => {
  const { relationship, affiliate, issuer } = await makePair(server.db)
  const next = await makeAffiliate(server.db)
  await give(relationship.id)
  expect((await admin.put(`/api/v1/relationships/${relationship.id}/`, { affiliate_id: next.id })).status).toBe(200)
  const payments = (await admin.get(`/api/v1/payments/?affiliate=${affiliate.id}`)).json().data as Payment[]
  for (const { id, total_amount } of payments)
    if (total_amount === '0.00') await admin.put(`/api/v1/payments/${id}/`, { total_amount: '75' })
  const [old, ...others] = await balances(`affiliate=${affiliate.id}`)
  expect(others).toEqual([])
  expect(old).toMatchObject({ issuer: issuer.id, state: 'archived', ...balance })
  const another = await create({ ...paymentForm(old?.relationship as number), period_end: '2025-03-30' })
  expect(another.status).toBe(balance.accrued === '0.00' ? 422 : 201)
})

test('what leads earn that are stored only after their relationship went to another pair can be paid', async () => {
  const { relationship, affiliate, ids, lead, client } = await makeFunnel(server)
  await server.db.deleteFrom('lead').where('tracking_id', '=', lead.tracking_id).execute()
  const next = await makeAffiliate(server.db)
  await admin.put(`/api/v1/relationships/${relationship.id}/`, { affiliate_id: next.id })
  expect(await balances(`affiliate=${affiliate.id}`)).toEqual([])
  const { tracking_id } = await makeLead(server.db, { ...ids, created_at: Date.parse(lead.created_at) })
  await client.post(EVENTS, { tracking_id, event_type: 'aprobado' })
  const [old] = await balances(`affiliate=${affiliate.id}`)
  expect(old).toMatchObject({ state: 'archived', accrued: '500.00' })
  const form = { ...paymentForm(old?.relationship as number), total_amount: '500.00' }
  const paid = await create({ ...form, period_start: addDays(dateInMexico(), -3), period_end: dateInMexico() })
  expect(paid.json().data, paid.text).toMatchObject({ affiliate: affiliate.id, entries_amount: '500.00' })
})

test('who deletes a company reads what is still owed, and what is owed to it', async () => {
  const { affiliate, issuer, ids, relationship } = await makeEarned()
  await makeEntry(server.db, ids, { amount: '100.00', earned_at: '2025-04-10T18:00:00Z' })
  const april = { period_start: '2025-04-01', period_end: '2025-04-30' }
  await create({ ...paymentForm(relationship.id), ...april, total_amount: '100.00' })
  for (const path of [`affiliates/${affiliate.id}`, `issuers/${issuer.id}`])
    expect((await admin.get(`/api/v1/${path}/dependents/`)).json().data).toMatchObject({ open_balance: '1000.00' })
  expect(await balances(`issuer=${issuer.id}`)).toMatchObject([{ accrued: '900.00', in_payment: '100.00' }])
  const none = await makePair(server.db)
  const path = `/api/v1/affiliates/${none.affiliate.id}/dependents/`
  expect((await admin.get(path)).json().data.open_balance).toBe('0.00')
})

test('the open balances are the administrator’s', async () => {
  const { affiliate, issuer } = await makeEarned()
  for (const actor of [
    { role: 'issuer' as const, issuerId: issuer.id },
    { role: 'affiliate' as const, affiliateId: affiliate.id },
  ])
    expect((await (await server.as(actor)).get('/api/v1/payments/balances/')).status).toBe(403)
  expect(await balances('affiliate=999999')).toEqual([])
})

test('paying and deleting the same company at once, ten times, never ends in a deadlock', async () => {
  const worlds = await Promise.all(Array.from({ length: 10 }, () => makeEarned()))
  const answers = await Promise.all(
    worlds.flatMap(({ affiliate, form }) => [
      create(form),
      admin.delete(`/api/v1/affiliates/${affiliate.id}/`),
      create({ ...form, period_end: '2025-03-30' }),
    ]),
  )
  for (const { status, text } of answers) expect([201, 204, 422], text).toContain(status)
  for (const { entry } of worlds) {
    const { payment_id } = await server.db
      .selectFrom('commission_entry')
      .select('payment_id')
      .where('id', '=', entry.id)
      .executeTakeFirstOrThrow()
    expect(payment_id).not.toBeNull()
  }
})

test('a pair that ended and works together again is paid a period once', async () => {
  const { affiliate, issuer, relationship, form } = await makeEarned()
  const paid = await create({ ...form, payment_status: 'paid', payment_date: '2025-04-02' })
  expect(paid.status).toBe(201)
  expect((await admin.delete(`/api/v1/relationships/${relationship.id}/`)).status).toBe(204)
  const anew = await makeRelationship(server.db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const again = await create({ ...form, relationship: anew.id })
  expect([again.status, again.json().meta.code]).toEqual([409, 'DUPLICATE_PAYMENT'])
  const other = await create({ ...form, relationship: anew.id, period_end: '2025-03-30', total_amount: '0.00' })
  expect(other.status).toBe(201)
  const moved = await admin.put(`/api/v1/payments/${other.json().data.id}/`, { period_end: form.period_end })
  expect([moved.status, moved.json().meta.code]).toEqual([409, 'DUPLICATE_PAYMENT'])
})

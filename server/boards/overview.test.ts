import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry, Dashboard, Overview } from '#contract/metrics.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry } from '#db/factories.ts'
import { makeAffiliate, makeIssuer, makePair, makeProduct, makeUser, startServer, type TestServer } from '../testing.ts'
import { getOverview } from './overview.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DASHBOARD_ORIGINS: 'https://tableros.mx' })
})
afterAll(() => server.stop())

const overview = async (): Promise<Overview> =>
  (await (await server.as({ role: 'admin' })).get('/api/v1/figures/overview/')).json().data

/** Noon in Mexico City, which is the same date in UTC. */
const noon = (date: string) => `${date}T18:00:00.000Z`
const today = dateInMexico()
const monthStart = `${today.slice(0, 7)}-01`
const lastMonth = addDays(monthStart, -1)

test('the four figures are counted from the rows, each beside the month before', async () => {
  const before = await overview()
  const old = { created_at: noon(addDays(monthStart, -40)) }
  await makeUser(server.db, { role: 'admin' }, old)
  await makeUser(server.db, { role: 'admin' }, { ...old, archived_at: noon(monthStart) })
  await makeUser(server.db, { role: 'admin' }, { ...old, archived_at: noon(lastMonth) })
  const pair = await makePair(server.db)
  await makeProduct(server.db, { issuer_id: pair.issuer.id, ...old })
  await makeProduct(server.db, { issuer_id: pair.issuer.id, ...old, product_status: 'inactive' })
  await makeProduct(server.db, { issuer_id: pair.issuer.id, ...old, archived_at: noon(lastMonth) })
  const inactive = await makeIssuer(server.db, { user_status: 'inactive' })
  await makeProduct(server.db, { issuer_id: inactive.id, ...old })
  const kept = await makeEntry(server.db, pair.ids, { amount: '500.10', earned_at: noon(today) })
  await makeEntry(server.db, pair.ids, { amount: '99.00', earned_at: noon(today) })
  await makeEntry(server.db, pair.ids, { amount: '-99.00', earned_at: noon(today), reversal_of: kept.id })
  const gone = await makeEntry(server.db, pair.ids, { amount: '70.00', earned_at: noon(today) })
  await server.db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', gone.id).execute()
  const after = await overview()
  expect(after.conversions_today).toMatchObject({ value: 1, change: null })
  expect(after.month_income.value).toBe('500.10')
  // The second read created an administrator of its own.
  expect(after.total_users.value - before.total_users.value).toBe(2)
  expect(after.total_users.previous - before.total_users.previous).toBe(2)
  expect(after.active_products).toMatchObject({ value: 2, previous: 1, change: 100 })
  expect(after.active_products.comparison).toEqual({
    period: { from: today, to: today },
    previous_period: { from: lastMonth, to: lastMonth },
  })
})

describe('a month that is not over', () => {
  // In March 2025, at 00:43 of the 11th in Mexico City; nothing is made then but by these tests.
  const night = new Date('2025-03-11T06:43:00Z')
  const at = (moment: string, amount = '100.00') => ({ earned_at: moment, amount })
  const days = (from: string, to: string) => ({ from, to })
  beforeAll(async () => {
    const { ids } = await makePair(server.db)
    for (const entry of [
      ...[at(noon('2025-02-01'), '40.00'), at(noon('2025-02-10'), '60.00')],
      // The same day a month ago, before and after the same time.
      ...[at('2025-02-11T06:42:59Z', '1.00'), at('2025-02-11T06:43:01Z', '2.00'), at(noon('2025-02-28'), '900.00')],
      ...[at(noon('2025-03-01'), '150.00'), at('2025-03-11T06:20:00Z', '3.00')],
    ])
      await makeEntry(server.db, ids, entry)
  })

  test('has its complete days beside the same days of the month before', async () => {
    const { month_income } = await getOverview(server.appDb, night)
    expect(month_income).toMatchObject({
      value: '153.00',
      compared: '150.00',
      previous: '100.00',
      change: 50,
      until: null,
    })
    expect(month_income.comparison).toEqual({
      period: days('2025-03-01', '2025-03-10'),
      previous_period: days('2025-02-01', '2025-02-10'),
    })
  })

  test('has a report that says the same', async () => {
    const report = (path: string) =>
      server.as({ role: 'admin' }).then((admin) => admin.get(`/api/v1/figures/reports/${path}`))
    const answer = await report('performance/?from=2025-02-01&to=2025-02-10')
    const { month_income } = await getOverview(server.appDb, night)
    expect(answer.json().data.totals.commission).toBe(month_income.previous)
  })

  test('today stands beside the same day up to the same time, without a percentage', async () => {
    const { conversions_today } = await getOverview(server.appDb, night)
    expect(conversions_today).toEqual({
      ...{ value: 1, compared: 1, previous: 1, change: null, until: '00:43' },
      comparison: { period: days('2025-03-11', '2025-03-11'), previous_period: days('2025-02-11', '2025-02-11') },
    })
  })

  test('begins without a comparison', async () => {
    const { month_income } = await getOverview(server.appDb, new Date('2025-03-01T20:00:00Z'))
    expect(month_income).toEqual({
      ...{ value: '150.00', compared: '0.00', previous: '0.00', change: null, comparison: null, until: null },
    })
  })

  test('after a month of nothing says apart what its complete days earned, which today is none of', async () => {
    const { ids } = await makePair(server.db)
    await makeEntry(server.db, ids, at(noon('2025-11-22'), '700.00'))
    const { month_income } = await getOverview(server.appDb, new Date('2025-11-22T20:00:00Z'))
    expect(month_income).toMatchObject({ value: '700.00', compared: '0.00', previous: '0.00', change: null })
    expect(month_income.comparison?.period).toEqual(days('2025-11-01', '2025-11-21'))
  })

  test('more taken back than earned is no negative number of conversions', async () => {
    const { ids } = await makePair(server.db)
    const paid = await makeEntry(server.db, ids, { earned_at: noon('2025-05-05') })
    const { id: reversal_of, lead_id } = paid
    await makeEntry(server.db, ids, { amount: '-500.00', earned_at: noon('2025-06-10'), reversal_of, lead_id })
    const { conversions_today } = await getOverview(server.appDb, new Date(noon('2025-06-10')))
    expect(conversions_today.value).toBe(0)
  })
})

test('a product that was switched since counts as what it was when the month began', async () => {
  const before = await overview()
  const issuer = await makeIssuer(server.db)
  const product = await makeProduct(server.db, { issuer_id: issuer.id, created_at: noon(addDays(monthStart, -3)) })
  await (await server.as({ role: 'admin' })).put(`/api/v1/products/${product.id}/`, { product_status: 'inactive' })
  const after = await overview()
  expect(after.active_products.value).toBe(before.active_products.value)
  expect(after.active_products.previous).toBe(before.active_products.previous + 1)
})

test('products of an issuer that was suspended since were on offer when the month began', async () => {
  const before = await overview()
  const issuer = await makeIssuer(server.db)
  await makeProduct(server.db, { issuer_id: issuer.id, created_at: noon(addDays(monthStart, -3)) })
  await (await server.as({ role: 'admin' })).put(`/api/v1/issuers/${issuer.id}/`, { user_status: 'inactive' })
  const after = await overview()
  expect(after.active_products.value).toBe(before.active_products.value)
  expect(after.active_products.previous).toBe(before.active_products.previous + 1)
})

test('without a month before there is no change', async () => {
  const fresh = await startServer()
  try {
    const { json } = await (await fresh.as({ role: 'admin' })).get('/api/v1/figures/overview/')
    expect(json().data).toMatchObject({
      total_users: { value: 1, previous: 0, change: null },
      active_products: { value: 0, previous: 0, change: null },
      conversions_today: { value: 0, previous: 0, change: null, until: expect.stringMatching(/^\d\d:\d\d$/) },
      month_income: { value: '0.00', previous: '0.00', change: null },
    })
  } finally {
    await fresh.stop()
  }
})

const OURS = '/embed/tablero-de-prueba'

test('each role gets its own boards, those of its company included', async () => {
  const [issuer, otherIssuer] = [await makeIssuer(server.db), await makeIssuer(server.db)]
  const [affiliate, otherAffiliate] = [await makeAffiliate(server.db), await makeAffiliate(server.db)]
  const board = (role: string, columns = {}) =>
    server.db
      .insertInto('dashboard')
      .values({ name: `Tablero ${role}`, iframe_url: OURS, role, ...columns })
      .returning('id')
      .executeTakeFirstOrThrow()
  const shared = { issuer: await board('issuer'), affiliate: await board('affiliate') }
  const own = {
    issuer: await board('issuer', { issuer_id: issuer.id }),
    affiliate: await board('affiliate', { affiliate_id: affiliate.id }),
  }
  await board('issuer', { issuer_id: otherIssuer.id })
  await board('affiliate', { affiliate_id: otherAffiliate.id })
  await board('issuer', { archived_at: new Date().toISOString() })
  await board('admin')
  const list = async (actor: Parameters<TestServer['as']>[0]): Promise<Dashboard[]> =>
    (await (await server.as(actor)).get('/api/v1/metrics/dashboards/')).json().data
  const ids = (boards: { id: number }[]) => boards.map(({ id }) => id)
  const ours = (boards: Dashboard[]) => boards.filter(({ iframe_url }) => iframe_url === OURS)
  expect(ids(ours(await list({ role: 'issuer', issuerId: issuer.id })))).toEqual(ids([shared.issuer, own.issuer]))
  expect(ids(ours(await list({ role: 'affiliate', affiliateId: affiliate.id })))).toEqual(
    ids([shared.affiliate, own.affiliate]),
  )
  const all = ours(await list({ role: 'admin' }))
  expect(all).toHaveLength(7)
  expect(all[0]).toEqual({
    id: shared.issuer.id,
    name: 'Tablero issuer',
    description: '',
    iframe_url: OURS,
  })
})

test('boards of other tools are listed only when the operator allows their origin', async () => {
  const row = (iframe_url: string) => ({ name: 'De otra herramienta', iframe_url, role: 'admin' })
  const urls = [
    'https://tableros.mx/publico/1',
    'https://tableros.mx.malo.mx/1',
    'http://tableros.mx/1',
    'javascript:alert(1)',
    '//malo.mx/embed/',
  ]
  await server.db.insertInto('dashboard').values(urls.map(row)).execute()
  const answer = await (await server.as({ role: 'admin' })).get('/api/v1/metrics/dashboards/')
  const listed = answer.json().data.filter(({ name }: Dashboard) => name === 'De otra herramienta')
  expect(listed.map(({ iframe_url }: Dashboard) => iframe_url)).toEqual(urls.slice(0, 1))
})

test('the activity is the latest five of the trail, newest first, without sign-ins and without what changed', async () => {
  const admin = await server.as({ role: 'admin' })
  const issuer = await makeIssuer(server.db)
  const product = await makeProduct(server.db, { issuer_id: issuer.id })
  for (let time = 0; time < 6; time += 1)
    await admin.put(`/api/v1/products/${product.id}/`, { name: `Tarjeta ${time}` })
  await server.db
    .insertInto('audit_entry')
    .values(
      ['login', 'login_failed', 'logout', 'end_session'].map((action) => ({
        ...{ action, entity: 'session', entity_id: null, label: '', actor_name: 'Ana', actor_role: 'admin' },
      })),
    )
    .execute()
  const activity: AuditEntry[] = (await admin.get('/api/v1/figures/activity/')).json().data
  expect(activity).toHaveLength(5)
  expect(activity.map(({ label }) => label)).toEqual(Array.from({ length: 5 }, (_, index) => `Tarjeta ${5 - index}`))
  expect(activity[0]).toMatchObject({ action: 'update', entity: 'product', entity_id: product.id, actor_role: 'admin' })
  expect(Object.keys(activity[0] ?? {})).not.toContain('changes')
})

test('figures and activity are for administrators', async () => {
  const issuer = await server.as({ role: 'issuer', issuerId: (await makeIssuer(server.db)).id })
  for (const path of ['overview', 'activity']) expect((await issuer.get(`/api/v1/figures/${path}/`)).status).toBe(403)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnEntry, OwnEntryPage } from '#contract/commission-entries.ts'
import { makeEntry } from '#db/factories.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { makePair, makeProduct, startServer, type TestClient, type TestServer } from '../testing.ts'

const PATH = '/api/v1/commission-entries/'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const read = async (client: TestClient, query = ''): Promise<OwnEntryPage> => {
  const answer = await client.get(`${PATH}${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

const asAffiliate = (affiliateId: number) => server.as({ role: 'affiliate', affiliateId })

test('an affiliate reads its own entries alone, newest first, with what earned them', async () => {
  const [mine, other] = [await makePair(server.db), await makePair(server.db)]
  const first = await makeEntry(server.db, mine.ids, { earned_at: '2025-03-04T18:00:00Z', amount: '100.10' })
  const second = await makeEntry(server.db, mine.ids, { earned_at: '2025-03-05T18:00:00Z', amount: '200.20' })
  await makeEntry(server.db, other.ids, {})
  const page = await read(await asAffiliate(mine.affiliate.id))
  expect(page.results.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(page).toMatchObject({ amount: '300.30', reversed_amount: '0.00', pagination: { count: 2, total_pages: 1 } })
  expect(page.results[1]).toMatchObject({
    lead_id: first.lead_id,
    product_name: mine.product.name,
    issuer_name: mine.issuer.company_name,
    ...{ amount: '100.10', state: 'accrued', payment_id: null, payment_status: null, reversal_of: null },
  })
})

test('the others have no such list', async () => {
  const { issuer } = await makePair(server.db)
  for (const client of [await server.as({ role: 'admin' }), await server.as({ role: 'issuer', issuerId: issuer.id })])
    expect((await client.get(PATH)).status).toBe(403)
  expect((await server.anonymous.get(PATH)).status).toBe(401)
})

test('the sum, the count and the pages follow the filters, days of Mexico City included', async () => {
  const { ids, affiliate, issuer } = await makePair(server.db)
  const other = { ...ids, product_id: (await makeProduct(server.db, { issuer_id: issuer.id })).id }
  await makeEntry(server.db, ids, { earned_at: '2025-03-05T05:59:59.999Z', amount: '1.00' }) // still the 4th
  await makeEntry(server.db, ids, { earned_at: '2025-03-05T06:00:00Z', amount: '2.00' })
  await makeEntry(server.db, other, { earned_at: '2025-03-06T05:59:59Z', amount: '4.00' })
  const client = await asAffiliate(affiliate.id)
  const sums = async (query: string) => {
    const { amount, pagination, results } = await read(client, query)
    return [amount, pagination.count, results.length]
  }
  expect(await sums('')).toEqual(['7.00', 3, 3])
  expect(await sums('?from=2025-03-05&to=2025-03-05')).toEqual(['6.00', 2, 2])
  expect(await sums('?to=2025-03-04')).toEqual(['1.00', 1, 1])
  expect(await sums(`?product_id=${other.product_id}`)).toEqual(['4.00', 1, 1])
  expect(await sums('?state=accrued&page_size=2')).toEqual(['7.00', 3, 2])
  expect(await sums('?page_size=2&page=2')).toEqual(['7.00', 3, 1])
  expect(await sums('?page_size=2&page=3')).toEqual(['7.00', 3, 0])
  expect(await sums('?state=paid')).toEqual(['0.00', 0, 0])
  expect(await sums('?product_id=999999999')).toEqual(['0.00', 0, 0])
  for (const wrong of ['state=perdida', 'from=ayer', 'product_id=x']) {
    expect((await client.get(`${PATH}?${wrong}`)).status).toBe(400)
  }
})

test('an entry goes through its payment, and a rejection shows in the list and in the file', async () => {
  const funnel = await makeFunnel(server)
  const client = await asAffiliate(funnel.affiliate.id)
  const admin = await server.as({ role: 'admin' })
  const send = async (event_type: string) => {
    const { tracking_id } = funnel.lead
    const answer = await funnel.client.post(EVENTS, { tracking_id, event_type, event_id: event_type })
    expect(answer.status).toBe(201)
  }
  const standing = async () =>
    (await read(client)).results.map(({ state, amount, payment_id, payment_status }: OwnEntry) => [
      ...[state, amount],
      ...[payment_id, payment_status],
    ])
  const waits = async () => {
    const { text } = await client.get('/api/v1/exports/commission-entries/')
    return text.trimEnd().split('\r\n').slice(1)
  }
  await send('aprobado')
  expect(await standing()).toEqual([['accrued', '500.00', null, null]])
  expect(await waits()).toEqual([expect.stringMatching(/,Devengada,,,Espera entrar en un pago,500\.00$/)])
  const form = { ...paymentForm(funnel.relationship.id), total_amount: '500.00', payment_date: '2026-01-15' }
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' }).format(new Date())
  const period = { period_start: `${Number(today.slice(0, 4)) - 1}-01-01`, period_end: today }
  const made = await admin.post('/api/v1/payments/', { ...form, ...period, payment_status: 'pending' })
  expect(made.status, made.text).toBe(201)
  const { id } = made.json().data
  expect(await standing()).toEqual([['in_payment', '500.00', id, 'pending']])
  const wait = `Espera el pago ${id}, que está pendiente y se hará el 15/01/2026`
  expect(await waits()).toEqual([expect.stringContaining(`,En pago,${id},15/01/2026,"${wait}",500.00`)])
  expect((await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'paid' })).status).toBe(200)
  expect(await standing()).toEqual([['paid', '500.00', id, 'paid']])
  await send('rechazado')
  expect(await standing()).toEqual([
    ['accrued', '-500.00', null, null],
    ['paid', '500.00', id, 'paid'],
  ])
  expect((await waits())[0]).toMatch(/,Se descontará de un pago próximo,-500\.00$/)
  expect((await read(client)).amount).toBe('0.00')
})

test('what was reversed is not in the sum, and says why', async () => {
  const funnel = await makeFunnel(server)
  const { tracking_id } = funnel.lead
  for (const event_type of ['aprobado', 'rechazado'])
    await funnel.client.post(EVENTS, { tracking_id, event_type, event_id: event_type })
  const page = await read(await asAffiliate(funnel.affiliate.id))
  expect(page).toMatchObject({ amount: '0.00', reversed_amount: '500.00', pagination: { count: 1 } })
  expect(page.results[0]).toMatchObject({ state: 'reversed', reason: expect.stringContaining('Lead rechazado') })
})

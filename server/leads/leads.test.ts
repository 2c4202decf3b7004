import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import {
  makeIssuer,
  makeLead,
  makePair,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
  unique,
} from '../testing.ts'

const PATH = '/api/v1/leads/'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

type Ids = Awaited<ReturnType<typeof makePair>>['ids']

const ids = (answer: TestAnswer): number[] => answer.json().data.results.map((lead: Lead) => lead.id)
const pagination = (answer: TestAnswer) => answer.json().data.pagination
/** `count` leads, an hour apart, the oldest first. */
async function makeLeads(pair: Ids, count: number, start = '2026-01-30T20:00:00Z') {
  const leads = []
  for (let i = 0; i < count; i++)
    leads.push(await makeLead(server.db, { ...pair, created_at: Date.parse(start) + i * 3_600_000 }))
  return leads.map((lead) => lead.id)
}
const makeEvent = (
  lead: { id: number; tracking_id: string; issuer_id: number; product_id: number },
  columns: Record<string, unknown> = {},
) =>
  makeStep(server.db, { product_id: lead.product_id }).then((step) =>
    server.db
      .insertInto('lead_event')
      .values({
        lead_id: lead.id,
        tracking_id: lead.tracking_id,
        issuer_id: lead.issuer_id,
        step_id: step.id,
        step_name: 'Solicitud aprobada',
        event_type_id: 3,
        event_type_name: 'aprobado',
        source: 'api',
        idempotency_key: `evento ${unique()}`,
        fingerprint: Buffer.from('huella'),
        ...columns,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

describe('a page', () => {
  test('holds the newest first and says how many there are', async () => {
    const { ids: pair } = await makePair(server.db)
    const leads = await makeLeads(pair, 7)
    const page = (query = '') => admin.get(`${PATH}?product_id=${pair.product_id}${query}`)
    const first = await page()
    expect(ids(first)).toEqual(leads.toReversed())
    expect(pagination(first)).toEqual({ count: 7, current_page: 1, total_pages: 1, page_size: 50 })
    expect(first.json().meta).not.toHaveProperty('count_is_capped')
    const pages = [await page('&page_size=3'), await page('&page_size=3&page=2'), await page('&page_size=3&page=3')]
    expect(pages.flatMap(ids)).toEqual(leads.toReversed())
    expect(pagination(pages[2] as TestAnswer)).toEqual({ count: 7, current_page: 3, total_pages: 3, page_size: 3 })
    const upwards = [
      await page('&page_size=4&ordering=created_at'),
      await page('&page_size=4&page=2&ordering=created_at'),
    ]
    expect(upwards.flatMap(ids)).toEqual(leads)
  })

  test.each(['4', '999999999', '999999999999'])('%s is beyond the end: empty, with the true totals', async (page) => {
    const { ids: pair } = await makePair(server.db)
    await makeLeads(pair, 3)
    for (const query of [`product_id=${pair.product_id}`, `product_id=${pair.product_id}&external_id=a`]) {
      const answer = await admin.get(`${PATH}?${query}&page_size=1&page=${page}`)
      expect(ids(answer)).toEqual([])
      const count = query.includes('external_id') ? 0 : 3
      expect(pagination(answer)).toEqual({ count, current_page: Number(page), total_pages: count, page_size: 1 })
    }
  })

  test('has at most 100 rows', async () => {
    const { ids: pair } = await makePair(server.db)
    const answer = await admin.get(`${PATH}?product_id=${pair.product_id}&page_size=500`)
    expect(pagination(answer)).toEqual({ count: 0, current_page: 1, total_pages: 0, page_size: 100 })
  })

  test('comes in the wanted order, what came at one moment by tracking id', async () => {
    const { ids: pair } = await makePair(server.db)
    const made = []
    for (const external_id of ['b', 'a', 'b', 'c'])
      made.push(await makeLead(server.db, { ...pair, external_id, created_at: '2026-02-01T00:00:00Z' }))
    const [a, b, c, d] = made.map((lead) => lead.id) as [number, number, number, number]
    const byTracking = made.toSorted((x, y) => (x.tracking_id < y.tracking_id ? -1 : 1)).map((lead) => lead.id)
    const same = byTracking.filter((id) => id === a || id === c)
    const expected: Record<string, number[]> = {
      created_at: byTracking,
      '-created_at': byTracking.toReversed(),
      id: [a, b, c, d],
      '-id': [d, c, b, a],
      external_id: [b, ...same, d],
      '-external_id': [d, ...same.toReversed(), b],
      tracking_id: byTracking,
      '-tracking_id': byTracking.toReversed(),
    }
    for (const [ordering, order] of Object.entries(expected)) {
      const answer = await admin.get(`${PATH}?product_id=${pair.product_id}&ordering=${ordering}`)
      expect(ids(answer), ordering).toEqual(order)
      const pages = [1, 2].map((page) =>
        admin.get(`${PATH}?product_id=${pair.product_id}&ordering=${ordering}&page_size=3&page=${page}`),
      )
      expect((await Promise.all(pages)).flatMap(ids), `${ordering}, page by page`).toEqual(order)
    }
  })

  test.each([
    'ordering=utm_source',
    'ordering=--id',
    'ordering=id;drop table lead',
    'ordering=id&ordering=-id',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=9999999999999999999999',
    'page=1&page=2',
    'page_size=0',
    'page_size=x',
    'issuer_id=0',
    'issuer_id=1&issuer_id=2',
    'product_id=abc',
    'affiliate_id=9999999999999999',
    `utm_source=${'a'.repeat(256)}`,
    'utm_source=a&utm_source=b',
    'tracking_id=a&tracking_id=b',
    'external_id=%E0%A4%A',
  ])('is refused with 400 for %s', async (query) => {
    expect((await admin.get(`${PATH}?${query}`)).status).toBe(400)
  })

  test('ignores what it does not know and what is empty', async () => {
    const { ids: pair } = await makePair(server.db)
    const leads = await makeLeads(pair, 1)
    const query = `product_id=${pair.product_id}&estado=nuevo&page=&ordering=&utm_source=&issuer_id=`
    expect(ids(await admin.get(`${PATH}?${query}`))).toEqual(leads)
  })
})

describe('the filters', () => {
  test('by party meet, and names of archived parties stay', async () => {
    const [one, two] = [await makePair(server.db), await makePair(server.db)]
    const [mine] = await makeLeads(one.ids, 1)
    await makeLeads(two.ids, 1)
    for (const table of ['issuer', 'affiliate', 'product'] as const)
      await server.db.updateTable(table).set({ archived_at: new Date() }).where('id', '=', one[table].id).execute()
    const { affiliate_id, issuer_id, product_id } = one.ids
    for (const query of [`affiliate_id=${affiliate_id}`, `issuer_id=${issuer_id}`, `product_id=${product_id}`])
      expect(ids(await admin.get(`${PATH}?${query}`))).toEqual([mine])
    const all = await admin.get(`${PATH}?affiliate_id=${affiliate_id}&issuer_id=${issuer_id}&product_id=${product_id}`)
    expect(all.json().data.results[0]).toMatchObject({
      affiliate_name: one.affiliate.company_name,
      issuer_name: one.issuer.company_name,
      product_name: one.product.name,
    })
    const crossed = await admin.get(`${PATH}?affiliate_id=${affiliate_id}&issuer_id=${two.ids.issuer_id}`)
    expect([ids(crossed), pagination(crossed).count]).toEqual([[], 0])
  })

  test('by text contain, without accents and case, letter by letter', async () => {
    const { ids: pair } = await makePair(server.db)
    const texts = ['Campaña_Única', 'campana 100%', 'OTRA\\vía', 'Otra vez', '100％ ancho']
    const made: Record<string, number> = {}
    for (const utm_campaign of texts) made[utm_campaign] = (await makeLead(server.db, { ...pair, utm_campaign })).id
    const find = async (text: string) => {
      const answer = await admin.get(
        `${PATH}?issuer_id=${pair.issuer_id}&utm_campaign=${encodeURIComponent(text)}&ordering=id`,
      )
      expect(pagination(answer).count).toBe(ids(answer).length)
      return ids(answer).map((id) => texts.find((known) => made[known] === id))
    }
    expect(await find('CAMPANA')).toEqual(['Campaña_Única', 'campana 100%'])
    expect(await find('  única ')).toEqual(['Campaña_Única'])
    expect(await find('%')).toEqual(['campana 100%', '100％ ancho'])
    expect(await find('_')).toEqual(['Campaña_Única'])
    expect(await find('a_u')).toEqual(['Campaña_Única'])
    expect(await find('\\')).toEqual(['OTRA\\vía'])
    expect(await find('otra%vez')).toEqual([])
    expect(await find("' or 1=1 --")).toEqual([])
  })

  test.each(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'external_id'])(
    '%s looks at its own field',
    async (field) => {
      const { ids: pair } = await makePair(server.db)
      const { id } = await makeLead(server.db, { ...pair, [field]: 'Buscado Aquí' })
      await makeLead(server.db, pair)
      const query = `product_id=${pair.product_id}&${field}=aqui`
      expect(ids(await admin.get(`${PATH}?${query}`))).toEqual([id])
    },
  )

  test('tracking_id takes any spelling of the whole, or its beginning', async () => {
    const { ids: pair } = await makePair(server.db)
    const whole = '0198C0DE-aaaa-7abc-8def-0123456789ab'
    const { id } = await makeLead(server.db, { ...pair, tracking_id: whole })
    await makeLead(server.db, { ...pair, tracking_id: '0198c0df-aaaa-7abc-8def-0123456789ab' })
    const find = async (text: string) =>
      ids(await admin.get(`${PATH}?product_id=${pair.product_id}&tracking_id=${encodeURIComponent(text)}`))
    const spellings = [whole, whole.toLowerCase(), whole.replaceAll('-', ''), `{${whole}}`, `urn:uuid:${whole}`]
    for (const text of [...spellings, '0198c0de', '0198C0DE-AA', '0198c0dea'])
      expect(await find(text), text).toEqual([id])
    expect(await find('0198')).toHaveLength(2)
    for (const text of ['c0de', '%', '0198_0de', 'ñandú', `${whole}0`, '-']) expect(await find(text), text).toEqual([])
  })
})

describe('who sees which', () => {
  test('an issuer and an affiliate see their own; ids of others find nothing', async () => {
    const [mine, other] = [await makePair(server.db), await makePair(server.db)]
    const [lead] = await makeLeads(mine.ids, 1)
    const [foreign] = await makeLeads(other.ids, 1)
    const clients = [
      await server.as({ role: 'issuer', issuerId: mine.issuer.id }),
      await server.as({ role: 'affiliate', affiliateId: mine.affiliate.id }),
    ]
    for (const client of clients) {
      expect(ids(await client.get(PATH))).toEqual([lead])
      for (const [name, id] of Object.entries(other.ids).filter(([name]) => name !== 'relationship_id')) {
        const answer = await client.get(`${PATH}?${name}=${id}`)
        expect([answer.status, ids(answer), pagination(answer).count]).toEqual([200, [], 0])
      }
      const [strange, missing] = [await client.get(`${PATH}${foreign}/`), await client.get(`${PATH}999999999/`)]
      expect([strange.status, strange.json().message]).toEqual([404, 'Lead no encontrado'])
      expect(missing.json().message).toBe('Lead no encontrado')
    }
    expect(ids(await admin.get(`${PATH}?ordering=-id&page_size=2`))).toEqual([foreign, lead])
    expect((await server.anonymous.get(PATH)).status).toBe(401)
    expect((await server.anonymous.get(`${PATH}${lead}/`)).status).toBe(401)
  })

  test('a lead stays where it was clicked when its relationship moves on', async () => {
    const { ids: pair, relationship, issuer } = await makePair(server.db)
    const [lead] = await makeLeads(pair, 1)
    const other = await makeIssuer(server.db)
    await server.db.updateTable('relationship').set({ issuer_id: other.id }).where('id', '=', relationship.id).execute()
    expect(ids(await (await server.as({ role: 'issuer', issuerId: issuer.id })).get(PATH))).toEqual([lead])
    expect(ids(await (await server.as({ role: 'issuer', issuerId: other.id })).get(PATH))).toEqual([])
  })

  test('an issuer narrows to one of its affiliates and products', async () => {
    const { ids: pair, issuer } = await makePair(server.db)
    const second = await makeProduct(server.db, { issuer_id: issuer.id })
    const { ids: guest } = await makePair(server.db)
    const { id: relationship_id } = await makeRelationship(server.db, {
      affiliate_id: guest.affiliate_id,
      issuer_id: issuer.id,
    })
    const [a] = await makeLeads(pair, 1)
    const [b] = await makeLeads(
      { ...pair, product_id: second.id, affiliate_id: guest.affiliate_id, relationship_id },
      1,
    )
    const client = await server.as({ role: 'issuer', issuerId: issuer.id })
    expect(ids(await client.get(`${PATH}?ordering=id`))).toEqual([a, b])
    expect(ids(await client.get(`${PATH}?affiliate_id=${guest.affiliate_id}`))).toEqual([b])
    expect(ids(await client.get(`${PATH}?product_id=${pair.product_id}`))).toEqual([a])
  })
})

describe('what a lead shows', () => {
  test('its events newest first, the click last, in the list as in the detail', async () => {
    const { ids: pair, product, issuer, affiliate } = await makePair(server.db)
    const lead = await makeLead(server.db, { ...pair, external_id: 'x-1', utm_source: 'boletín' })
    const [first, second] = [
      await makeEvent(lead, { created_at: '2030-01-01T00:00:00Z' }),
      await makeEvent(lead, { created_at: '2030-01-01T00:00:00Z' }),
    ]
    const latest = await makeEvent(lead, {
      created_at: '2030-01-02T00:00:00Z',
      event_data: JSON.stringify({ monto: 5 }),
    })
    const detail = (await admin.get(`${PATH}${lead.id}`)).json().data
    expect(detail).toMatchObject({
      id: lead.id,
      tracking_id: lead.tracking_id,
      external_id: 'x-1',
      utm_source: 'boletín',
      utm_term: '',
      lead_data: null,
      product_name: product.name,
      issuer_name: issuer.company_name,
      affiliate_name: affiliate.company_name,
    })
    expect(detail.events.map((event: { id: number }) => event.id)).toEqual([latest.id, second.id, first.id, 0])
    expect(detail.events[0]).toEqual({
      id: latest.id,
      step_name: 'Solicitud aprobada',
      event_type_name: 'aprobado',
      source: 'api',
      created_at: '2030-01-02T00:00:00.000Z',
      event_data: { monto: 5 },
      is_voided: false,
    })
    expect(detail.events[3]).toEqual({
      id: 0,
      step_name: 'Clic en el enlace',
      event_type_name: 'click',
      source: 'redirect',
      created_at: lead.created_at,
      event_data: null,
      is_voided: false,
    })
    expect((await admin.get(`${PATH}?product_id=${product.id}`)).json().data.results).toEqual([
      { ...detail, rejection: undefined, rulings: undefined, is_rejectable: undefined },
    ])
  })

  test.each([
    [{ ip_trunc: '1.2.3.0' }, { ip_trunc: '1.2.3.0' }],
    ['texto libre', 'texto libre'],
    ['{"a": 1}', { a: 1 }],
    ['{roto', '{roto'],
    [[1, 2], '[1,2]'],
    [7, '7'],
  ])('data %j as %j', async (kept, shown) => {
    const { ids: pair, issuer } = await makePair(server.db)
    const lead = await makeLead(server.db, { ...pair, lead_data: JSON.stringify(kept) })
    await makeEvent(lead, { event_data: JSON.stringify(kept) })
    const client = await server.as({ role: 'issuer', issuerId: issuer.id })
    const seen = (await client.get(`${PATH}${lead.id}/`)).json().data
    expect([seen.lead_data, seen.events[0].event_data]).toEqual([shown, shown])
  })

  test('to an affiliate: its own click parameters and the progress, no data of others', async () => {
    const { ids: pair, affiliate } = await makePair(server.db)
    const lead_data = JSON.stringify({ params: { sub1: 'boletín' }, ip_trunc: '1.2.3.0', flags: ['bot'] })
    const lead = await makeLead(server.db, { ...pair, lead_data })
    const plain = await makeLead(server.db, { ...pair, lead_data: JSON.stringify({ params: {}, ip_trunc: '1.2.3.0' }) })
    await makeEvent(lead, { event_data: JSON.stringify({ nombre: 'Luz', ingreso: 9000 }) })
    const client = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
    const list = await client.get(`${PATH}?ordering=id`)
    const detail = (await client.get(`${PATH}${lead.id}/`)).json().data
    expect({ ...list.json().data.results[0], rejection: null, rulings: [], is_rejectable: false }).toEqual(detail)
    expect(detail.lead_data).toEqual({ params: { sub1: 'boletín' } })
    expect(detail.events[0]).toMatchObject({ step_name: 'Solicitud aprobada', event_data: null })
    expect((await client.get(`${PATH}${plain.id}/`)).json().data.lead_data).toBeNull()
    expect(list.text).not.toMatch(/ip_trunc|Luz|9000|bot/)
  })
})

test('ten clicks at once are counted, each once', async () => {
  const { ids: pair } = await makePair(server.db)
  await Promise.all(Array.from({ length: 10 }, () => makeLead(server.db, pair)))
  const answer = await admin.get(`${PATH}?product_id=${pair.product_id}`)
  expect([ids(answer).length, pagination(answer).count]).toEqual([10, 10])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lead, leadOrderings } from '#contract/leads.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { isWhole } from '#db/testing.ts'
import { makeLead, makePair, makeProduct, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { closeAll, idOf } from './partitions.testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

type Row = Awaited<ReturnType<typeof makeLead>>

async function read(client: TestClient, query: Record<string, string | number>) {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { results, pagination } = (await client.get(`/api/v1/leads/?${text}`)).json().data
  return { ids: results.map((lead: Lead) => lead.id) as number[], count: pagination.count as number }
}

/** By time or another column; equal external ids are in the order of time. */
const compare = (column: 'id' | 'created_at' | 'external_id' | 'tracking_id') => (a: Row, b: Row) => {
  const key = column === 'created_at' ? 'tracking_id' : column
  if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1
  return a.tracking_id < b.tracking_id ? -1 : 1
}
const compareIds = compare('external_id')

describe('a search', () => {
  const mark = `m${unique()}m`
  const leads: Row[] = []
  let mine: Awaited<ReturnType<typeof makePair>>
  beforeAll(async () => {
    mine = await makePair(server.db)
    const [other, second] = [await makePair(server.db), await makeProduct(server.db, { issuer_id: mine.issuer.id })]
    const ways = [mine.ids, { ...mine.ids, product_id: second.id }, other.ids]
    for (let number = 0; number < 60; number += 1) {
      if (number === 40) await closeAll(server)
      leads.push(
        await makeLead(server.db, {
          ...(ways[number % 3] as (typeof ways)[0]),
          utm_source: `${number % 2 ? 'Búsqueda' : 'red'} ${mark}`,
          utm_content: number % 5 ? '' : `Ánuncio ${number % 4}`,
          external_id: number % 4 ? `${mark}-${(number * 7) % 13}` : '',
          created_at: Date.parse('2026-02-01T12:00:00Z') + ((number * 17) % 60) * 7_200_000,
        }),
      )
    }
  })

  const filters = (): [name: string, query: Record<string, string | number>, wanted: (lead: Row) => boolean][] => [
    ['one text', { utm_source: mark }, () => true],
    ['a part of it', { utm_source: `busqueda ${mark}` }, (lead) => lead.utm_source.startsWith('Bús')],
    ['two texts', { utm_source: mark, utm_content: 'ANUNCIO 3' }, (lead) => lead.utm_content.endsWith('3')],
    ['an external id', { external_id: `${mark}-1` }, (lead) => lead.external_id.startsWith(`${mark}-1`)],
    [
      'a text and an external id',
      { utm_source: 'red', external_id: `${mark}-` },
      (lead) => lead.utm_source.startsWith('red') && lead.external_id !== '',
    ],
    [
      'an external id and a product',
      { external_id: `${mark}-`, product_id: mine.product.id },
      (lead) => lead.external_id !== '' && lead.product_id === mine.product.id,
    ],
    [
      'an external id, an issuer and an affiliate',
      { external_id: `${mark}-1`, issuer_id: mine.issuer.id, affiliate_id: mine.affiliate.id },
      (lead) => lead.external_id.startsWith(`${mark}-1`) && lead.affiliate_id === mine.affiliate.id,
    ],
    [
      'a text and a product',
      { utm_source: mark, product_id: mine.product.id },
      (lead) => lead.product_id === mine.product.id,
    ],
    [
      'a text and the beginning of a tracking id',
      { utm_source: mark, tracking_id: leads[7]?.tracking_id.slice(0, 9) ?? '' },
      (lead) => lead.tracking_id.startsWith(leads[7]?.tracking_id.slice(0, 9) ?? ''),
    ],
    [
      'a text and an affiliate',
      { utm_source: mark, affiliate_id: mine.affiliate.id },
      (lead) => lead.affiliate_id === mine.affiliate.id,
    ],
  ]

  test.each(leadOrderings)('by %s finds what there is, page by page, for every viewer', async (ordering) => {
    const readers = [
      { client: await server.as({ role: 'admin' }), sees: () => true },
      {
        client: await server.as({ role: 'issuer', issuerId: mine.issuer.id }),
        sees: (lead: Row) => lead.issuer_id === mine.issuer.id,
      },
      {
        client: await server.as({ role: 'affiliate', affiliateId: mine.affiliate.id }),
        sees: (lead: Row) => lead.affiliate_id === mine.affiliate.id,
      },
    ]
    const turn = leadOrderings.indexOf(ordering)
    for (const [reader, { client, sees }] of readers.entries())
      for (const [filter, [name, query, wanted]] of filters().entries()) {
        if (!isWhole && (turn + filter) % readers.length !== reader) continue
        const inOrder = leads
          .filter((lead) => sees(lead) && wanted(lead))
          .toSorted(compare(ordering.replace('-', '') as 'id'))
        const expected = (ordering.startsWith('-') ? inOrder.toReversed() : inOrder).map(({ id }) => id)
        const pages = Array.from({ length: Math.ceil(expected.length / 13) + 1 }, (_, index) =>
          read(client, { ...query, ordering, page_size: 13, page: index + 1 }),
        )
        const found = await Promise.all(pages)
        const shown = found.flatMap(({ ids }) => ids)
        expect(shown, name).toEqual(expected)
        expect(new Set(found.map(({ count }) => count)), name).toEqual(new Set([expected.length]))
      }
  })
})

test('one external id of thousands is found among similar ones', async () => {
  const { ids } = await makePair(server.db)
  const mark = `m${unique()}m`
  await sql`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id)
    select ${idOf(sql`now() - i * interval '1 second'`)}, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint, ${ids.issuer_id}::bigint,
      ${ids.product_id}::bigint, ${mark}::text || '-' || i from generate_series(1, 3000) i`.execute(server.db)
  const admin = await server.as({ role: 'admin' })
  const all = await read(admin, { external_id: mark })
  expect([all.count, all.ids.length]).toEqual([3000, 50])
  const last = await read(admin, { external_id: mark, page: 60 })
  const first = await read(admin, { external_id: mark, ordering: 'created_at' })
  expect(last.ids).toEqual(first.ids.toReversed())
  expect((await read(admin, { external_id: `${mark}-2999` })).count).toBe(1)
  expect((await read(admin, { external_id: `${mark}_` })).count).toBe(0)
})

test.each([
  ['one after the other', 1],
  ['the latest first', -1],
])('a page in the order of time is the same when leads were stored %s', async (_, direction) => {
  const { ids } = await makePair(server.db)
  const mark = `m${unique()}m`
  const { rows: stored } = await sql<{ id: number }>`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, utm_term, external_id)
    select ${idOf(sql`timestamptz '2026-02-01Z' + ${direction}::int * i * interval '1 minute'`)}, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint, ${ids.issuer_id}::bigint,
      ${ids.product_id}::bigint, ${mark}, ${mark}::text || '-' || i % 3
    from generate_series(1, 1200) i order by i returning id`.execute(server.db)
  await closeAll(server)
  const admin = await server.as({ role: 'admin' })
  const third = new Set(stored.filter((_, index) => index % 3 === 0).map(({ id }) => id))
  const inTime = stored.map(({ id }) => id).toSorted((a, b) => direction * (a - b))
  for (const [query, marked] of [
    [{ utm_term: mark }, inTime],
    [{ external_id: mark }, inTime],
    [{ utm_term: mark, external_id: `${mark}-1` }, inTime.filter((id) => third.has(id))],
  ] as const)
    for (const page of isWhole ? [1, 2, 5, 8] : [2, 8]) {
      const part = (leads: number[]) => ({ ids: leads.slice(50 * page - 50, 50 * page), count: leads.length })
      expect(await read(admin, { ...query, page, ordering: 'created_at' })).toEqual(part(marked))
      expect(await read(admin, { ...query, page, ordering: '-created_at' })).toEqual(part(marked.toReversed()))
    }
})

test('an external id is found whatever is written in it', async () => {
  const { ids } = await makePair(server.db)
  const mark = `m${unique()}m`
  const texts = ['NULL', 'a,b', '"x"', 'back\\slash', '{1}', "o'clock", 'ñandú 🦤', '100%', '_'].map(
    (text) => mark + text,
  )
  const stored = new Map<string, number>()
  for (const external_id of texts) stored.set(external_id, (await makeLead(server.db, { ...ids, external_id })).id)
  await closeAll(server)
  const admin = await server.as({ role: 'admin' })
  for (const [text, id] of stored)
    for (const party of [[], [['product_id', ids.product_id]]])
      expect(await read(admin, { ...Object.fromEntries(party), external_id: text }), text).toEqual({
        ids: [id],
        count: 1,
      })
  expect((await read(admin, { external_id: mark })).count).toBe(texts.length)
})

test('all are found when each has a UTM set of its own', async () => {
  const { ids, product } = await makePair(server.db)
  const mark = `m${unique()}m`
  const { rows: stored } = await sql<{ id: number }>`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, utm_term, external_id)
    select ${idOf(sql`timestamptz '2026-02-01Z' + i * interval '1 minute'`)}, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint, ${ids.issuer_id}::bigint,
      ${ids.product_id}::bigint, ${mark}::text || i, ${mark}::text || '-' || i % 3
    from generate_series(1, 5100) i order by i returning id`.execute(server.db)
  await closeAll(server)
  const admin = await server.as({ role: 'admin' })
  const second = stored.map(({ id }) => id).filter((_, index) => index % 3 === 1)
  const parts: Record<string, string | number>[] = [{ utm_term: mark }, { product_id: product.id }]
  for (const part of parts)
    for (const ordering of ['id', 'created_at', 'external_id'])
      expect(await read(admin, { ...part, external_id: `${mark}-2`, ordering, page: 3 })).toEqual({
        ids: second.slice(100, 150),
        count: 1700,
      })
})

test('in every order old leads are found behind all newer ones', async () => {
  const [mine, others] = [await makePair(server.db), await makePair(server.db)]
  const mark = `m${unique()}m`
  const store = async ({ ids }: typeof mine, count: number, term: string, since: string) => {
    await sql`
      insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, utm_term, external_id)
      select ${idOf(sql`${since}::timestamptz + i * interval '1 minute'`)}, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint, ${ids.issuer_id}::bigint,
        ${ids.product_id}::bigint, ${term}, ${mark}::text || '-' || i % 7
      from generate_series(1, ${count}::int) i`.execute(server.db)
  }
  await store(mine, 200, mark, '2026-02-01Z')
  await store(others, 2000, 'otro', '2026-06-01Z')
  await closeAll(server)
  // As after an outage: stored last, clicked before.
  await store(mine, 3, mark, '2026-05-01Z')
  const own = await server.db.selectFrom('lead').selectAll().where('utm_term', '=', mark).execute()
  const admin = await server.as({ role: 'admin' })
  const party = { issuer_id: mine.issuer.id }
  const queries: Record<string, string | number>[] = [
    { utm_term: mark },
    party,
    { ...party, affiliate_id: mine.affiliate.id },
    { ...party, external_id: mark },
    { utm_term: mark, external_id: mark },
  ]
  for (const [turn, ordering] of leadOrderings.entries()) {
    const inOrder = own.toSorted(compare(ordering.replace('-', '') as 'id')).map(({ id }) => id)
    const expected = ordering.startsWith('-') ? inOrder.toReversed() : inOrder
    const asked = queries.filter((_, index) => isWhole || (turn + index) % queries.length < 2)
    for (const query of asked)
      for (const page of isWhole ? [1, 2, 3, 4, 100, 203] : [1, 4, 203]) {
        const ids = expected.slice(page - 1, page)
        const found = await read(admin, { ...query, ordering, page, page_size: 1 })
        expect(found, `${ordering} ${page}`).toEqual({ ids, count: 203 })
      }
  }
})

describe('a closed partition', () => {
  test('is read like the open one, each lead once', async () => {
    const { ids, affiliate } = await makePair(server.db)
    const [admin, affiliateOwn] = [
      await server.as({ role: 'admin' }),
      await server.as({ role: 'affiliate', affiliateId: affiliate.id }),
    ]
    const mark = `m${unique()}m`
    const made: Row[] = []
    const make = async (name: string) =>
      made.push(await makeLead(server.db, { ...ids, external_id: name && `${mark}-${name}` }))
    for (const name of ['c', 'a', '', 'a']) await make(name)
    await closeAll(server)
    for (const name of ['b', 'a', '', 'd']) await make(name)
    const inOrder = (leads: Row[]) => leads.toSorted(compareIds).map(({ id }) => id)
    const marked = made.filter(({ external_id }) => external_id)
    expect(await read(affiliateOwn, { ordering: 'external_id' })).toEqual({ ids: inOrder(made), count: 8 })
    expect((await read(affiliateOwn, { ordering: '-external_id', page_size: 3, page: 2 })).ids).toEqual(
      inOrder(made).toReversed().slice(3, 6),
    )
    const query = { external_id: mark, ordering: 'external_id' }
    expect(await read(admin, query)).toEqual({ ids: inOrder(marked), count: 6 })
    await closeAll(server)
    expect(await read(admin, query)).toEqual({ ids: inOrder(marked), count: 6 })
    expect(await read(affiliateOwn, { ordering: 'external_id' })).toEqual({ ids: inOrder(made), count: 8 })
  })

  test('has every lead, also one whose transaction was open when it ended', async () => {
    const { ids } = await makePair(server.db)
    const mark = `m${unique()}m`
    const late = await server.db.startTransaction().execute()
    await makeLead(late, { ...ids, external_id: `${mark}-late` })
    const closing = closeAll(server)
    await makeLead(server.db, { ...ids, external_id: `${mark}-soon` })
    await late.commit().execute()
    await closing
    await closeAll(server)
    const admin = await server.as({ role: 'admin' })
    expect((await read(admin, { external_id: mark })).count).toBe(2)
    expect((await read(admin, { product_id: ids.product_id })).count).toBe(2)
  })

  test('finds a lead by none of the texts that it had before it was erased', async () => {
    const { ids } = await makePair(server.db)
    const text = `ana.${unique()}`
    const made = [1, 2].map(() => makeLead(server.db, { ...ids, utm_term: text, external_id: text }))
    const [one, two] = (await Promise.all(made)).map(({ id }) => id) as [number, number]
    const erase = (id: number) =>
      server.db.updateTable('lead').set({ utm_term: '', external_id: 'borrado' }).where('id', '=', id).execute()
    const admin = await server.as({ role: 'admin' })
    const counts = async () => [
      (await read(admin, { utm_term: text })).count,
      (await read(admin, { external_id: text })).count,
    ]
    await closeAll(server)
    expect(await counts()).toEqual([2, 2])
    await erase(one)
    expect(await counts()).toEqual([1, 1])
    await erase(two)
    expect(await counts()).toEqual([0, 0])
    expect((await read(admin, { product_id: ids.product_id, external_id: 'BORRADO' })).count).toBe(2)
  })
})

describe('more matches than are counted', () => {
  const mark = `m${unique()}m`
  let ids: Awaited<ReturnType<typeof makePair>>['ids']
  let admin: TestClient
  const store = (count: number, term: string) =>
    sql`
    insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, utm_term)
    select ${idOf(sql`now() - i * interval '1 second'`)}, ${ids.relationship_id}::bigint, ${ids.affiliate_id}::bigint,
      ${ids.issuer_id}::bigint, ${ids.product_id}::bigint, ${term} from generate_series(1, ${count}::int) i`.execute(
      server.db,
    )
  beforeAll(async () => {
    ids = (await makePair(server.db)).ids
    admin = await server.as({ role: 'admin' })
    await store(10_000, `${mark} justo`)
    await store(10_001, `${mark} de más`)
  })

  test('are counted to 10,000, and said to be more', async () => {
    const just = await admin.get(`/api/v1/leads/?utm_term=${mark}+justo&page=200`)
    expect(just.json()).toMatchObject({ data: { pagination: { count: 10_000, total_pages: 200 } } })
    expect(just.json().meta).not.toHaveProperty('count_is_capped')
    expect(just.json().data.results).toHaveLength(50)
    const more = await admin.get(`/api/v1/leads/?utm_term=${mark}+de+mas&page=200`)
    expect(more.json()).toMatchObject({ data: { pagination: { count: 10_000 } }, meta: { count_is_capped: true } })
    expect(more.json().data.results).toHaveLength(50)
  })

  test('are shown to 10,000; beyond, one is asked to narrow the search', async () => {
    const beyond = await admin.get(`/api/v1/leads/?utm_term=${mark}+de+mas&page=201`)
    expect(beyond.status).toBe(400)
    expect(beyond.json()).toMatchObject({
      meta: { code: 'PAGE_TOO_DEEP' },
      message: 'Acota la búsqueda: se muestran los primeros 10,000 resultados',
    })
  })

  test('without a text any page is shown in the order of time, and in others those near its ends', async () => {
    const page = (query: string) => admin.get(`/api/v1/leads/?product_id=${ids.product_id}&${query}`)
    const middle = await page('page=250')
    expect(middle.json().data).toMatchObject({ pagination: { count: 20_001, total_pages: 401 } })
    expect(middle.json().data.results).toHaveLength(50)
    for (const ordering of ['id', 'external_id']) {
      const reversed = await page(`ordering=-${ordering}&page=1&page_size=1`)
      const last = await page(`ordering=${ordering}&page=401`)
      expect(last.json().data.results).toHaveLength(1)
      expect(last.json().data.results[0].id).toBe(reversed.json().data.results[0].id)
      expect((await page(`ordering=${ordering}&page=199`)).status).toBe(200)
    }
  })

  test('are shown in the order of time, whichever partition has them', async () => {
    await closeAll(server)
    await store(70, `${mark} de más`)
    const { rows } = await sql<{ id: string }>`
      select tracking_id as id from lead where utm_term = ${`${mark} de más`} order by 1`.execute(server.db)
    const oldest = rows.map(({ id }) => id)
    for (const [ordering, ids] of Object.entries({ created_at: oldest, '-created_at': oldest.toReversed() }))
      for (const page of [1, 2, 200]) {
        const { data } = (
          await admin.get(`/api/v1/leads/?utm_term=${mark}+de+mas&ordering=${ordering}&page=${page}`)
        ).json()
        const shown = data.results.map(({ tracking_id }: { tracking_id: string }) => tracking_id)
        expect(shown).toEqual(ids.slice((page - 1) * 50, page * 50))
      }
  })
})

test('a range of days is of Mexico City, both days included (D74)', async () => {
  const { ids } = await makePair(server.db)
  const made: number[] = []
  const moments = ['05T05:59:59.999', '05T06:00:00', '07T05:59:59.999', '07T06:00:00']
  for (const created_at of moments.map((moment) => `2025-03-${moment}Z`))
    made.push((await makeLead(server.db, { ...ids, created_at, utm_term: 'dias' })).id)
  const admin = await server.as({ role: 'admin' })
  const found = async (range: Record<string, string>) => {
    const plain = await read(admin, { product_id: ids.product_id, ordering: 'created_at', ...range })
    expect(
      await read(admin, { product_id: ids.product_id, ordering: 'created_at', utm_term: 'dias', ...range }),
    ).toEqual(plain)
    expect(plain.count).toBe(plain.ids.length)
    return plain.ids.map((id) => made.indexOf(id))
  }
  expect(await found({ from: '2025-03-05', to: '2025-03-06' })).toEqual([1, 2])
  expect(await found({ from: '2025-03-05' })).toEqual([1, 2, 3])
  expect(await found({ to: '2025-03-04' })).toEqual([0])
  expect(await found({ from: '2025-03-08' })).toEqual([])
  expect(await found({ from: '2000-01-01', to: addDays(dateInMexico(), 1800) })).toEqual([0, 1, 2, 3])
  expect(await found({ to: '2000-01-01' })).toEqual([])
  expect(await found({ from: '2025-03-07', to: '2025-03-05' })).toEqual([])
  expect((await admin.get('/api/v1/leads/?from=ayer')).status).toBe(400)
})

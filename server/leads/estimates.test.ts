import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import { makePair, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'

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

/** A lead a minute from March 2026 on, past what is counted where they are more than 100,000. */
const makeMany = (pair: Ids, count: number, trackingId: RawBuilder<unknown>) =>
  sql`
  insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id, created_at)
  select ${trackingId}, ${pair.relationship_id}::bigint, ${pair.affiliate_id}::bigint, ${pair.issuer_id}::bigint,
    ${pair.product_id}::bigint, 'masa ' || i % 2, created_at
  from generate_series(1, ${count}::int) as i, lateral (select timestamptz '2026-03-01Z' + i * interval '1 minute' as created_at)
  `.execute(server.db)

test('past 100,000 matches the count of a text is an estimate, that of a party stays exact', async () => {
  const { ids: pair } = await makePair(server.db)
  await makeMany(pair, 110_000, sql`gen_random_uuid()`)
  const list = (query: string) => admin.get(`${PATH}?issuer_id=${pair.issuer_id}${query}`)
  const text = await list('&external_id=masa&page=1000&page_size=100')
  expect(text.json().meta.count_is_estimate).toBe(true)
  expect(pagination(text).count).toBeGreaterThan(100_000)
  expect(pagination(text).count).toBeLessThan(120_000)
  expect(ids(text)).toHaveLength(100)
  const half = await list('&external_id=MASA%201')
  expect([pagination(half).count, half.json().meta.count_is_estimate]).toEqual([55_000, undefined])
  const far = await list('&page=1100&page_size=100')
  expect([pagination(far).count, ids(far).length, far.json().meta.count_is_estimate]).toEqual([110_000, 100, undefined])
  const oldest = await list('&ordering=created_at&page_size=100')
  expect(ids(far)).toEqual(ids(oldest).toReversed())
})

test('an estimated list begins with its first leads and ends with its last ones, in any order', async () => {
  const { ids: pair } = await makePair(server.db)
  await makeMany(pair, 101_000, sql`uuidv7(created_at - now())`)
  // These do not tell when they were minted.
  await makeMany(pair, 101_000, sql`overlay(gen_random_uuid()::text placing 'ffff' from 1)::uuid`)
  const list = async (query: string) => {
    const answer = await admin.get(`${PATH}?product_id=${pair.product_id}&${query}`)
    return { ids: ids(answer), ...pagination(answer), isEstimate: answer.json().meta.count_is_estimate }
  }
  for (const [text, start, column] of [
    ['external_id=masa', '', 'created_at'],
    ['external_id=masa', '', 'external_id'],
    ['tracking_id=019', '019', 'created_at'],
    ['tracking_id=019', '019', 'id'],
    ['tracking_id=ffff', 'ffff', 'created_at'],
    ['tracking_id=ffff', 'ffff', 'tracking_id'],
  ] as const) {
    const [up, down] = [await list(`${text}&ordering=${column}`), await list(`${text}&ordering=-${column}`)]
    const wanted = await server.db
      .selectFrom('lead')
      .select('id')
      .where('product_id', '=', pair.product_id)
      .where(sql<boolean>`starts_with(tracking_id::text, ${start})`)
      .orderBy(column)
      .orderBy('id')
      .limit(50)
      .execute()
    expect(up.ids, `${text} ${column}`).toEqual(wanted.map(({ id }) => id))
    expect([up.isEstimate, up.total_pages]).toEqual([true, down.total_pages])
    const last = await list(`${text}&ordering=-${column}&page=${down.total_pages}`)
    expect(last.ids, `${text} -${column}`).toEqual(up.ids.slice(0, last.ids.length).toReversed())
    expect(last.ids).toHaveLength(down.count - (down.total_pages - 1) * 50)
    expect((await list(`${text}&page=${down.total_pages + 1}`)).ids).toEqual([])
  }
})

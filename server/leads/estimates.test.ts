import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import { asOwner, makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { fileAll } from './filing.testing.ts'

const PATH = '/api/v1/leads/'

let server: TestServer
let admin: TestClient
/** Of the first the ids tell when they were minted, of the second they do not. */
let minted: Ids
let other: Ids
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
  minted = (await makePair(server.db)).ids
  other = (await makePair(server.db)).ids
  await makeMany(minted, 206_000, sql`uuidv7(created_at - now())`)
  await makeMany(other, 101_000, sql`overlay(gen_random_uuid()::text placing 'ffff' from 1)::uuid`)
  await fileAll(server, 20_000)
})
afterAll(() => server.stop())

type Ids = Awaited<ReturnType<typeof makePair>>['ids']

/** A lead a minute from March 2026 on, all but one of a hundred with one of 400 external ids, none of which is common. */
const makeMany = (pair: Ids, count: number, trackingId: RawBuilder<unknown>) =>
  sql`
  insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id, created_at)
  select ${trackingId}, ${pair.relationship_id}::bigint, ${pair.affiliate_id}::bigint, ${pair.issuer_id}::bigint,
    ${pair.product_id}::bigint, case when hashint4(i) % 100 = 0 then 'resto' else 'masa-' || i % 400 end, created_at
  from generate_series(1, ${count}::int) as i,
    lateral (select timestamptz '2026-03-01Z' + i * interval '1 minute' as created_at)`.execute(server.db)

/** Of a pair's product, or of everybody. */
const list = async (pair: Ids | null, query: string) => {
  const { data, meta } = (await admin.get(`${PATH}?${pair ? `product_id=${pair.product_id}&` : ''}${query}`)).json()
  const ids = data.results.map((lead: Lead) => lead.id)
  return { ids, ...data.pagination, isEstimate: meta.count_is_estimate === true }
}

const countOf = async (externalId: string, productId?: number) => {
  let leads = server.db.selectFrom('lead').where('external_id', 'like', `${externalId}%`)
  if (productId) leads = leads.where('product_id', '=', productId)
  const { count } = await leads.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

test('past 100,000 matches the count of a text may be an estimate, that of a party stays exact', async () => {
  const mass = await countOf('masa')
  const everybody = await list(null, 'external_id=MASA&page=1000&page_size=100')
  expect([everybody.isEstimate, everybody.ids.length, mass > 300_000]).toEqual([true, 100, true])
  expect(Math.abs(everybody.count - mass)).toBeLessThan(mass / 20)
  expect(everybody.count).not.toBe(mass)
  const some = await list(minted, 'external_id=MASA')
  expect(some).toMatchObject({ count: await countOf('masa', minted.product_id), isEstimate: true })
  for (const pair of [minted, null])
    expect(await list(pair, 'external_id=resto')).toMatchObject({
      count: await countOf('resto', pair?.product_id),
      isEstimate: false,
    })
  const far = await list(minted, 'page=2060&page_size=100')
  expect(far).toMatchObject({ count: 206_000, isEstimate: false })
  expect(far.ids).toEqual((await list(minted, 'ordering=created_at&page_size=100')).ids.toReversed())
})

test.each([
  ['external_id=masa', 'created_at'],
  ['external_id=masa', 'external_id'],
  ['external_id=masa', 'tracking_id'],
  ['tracking_id=019', 'created_at'],
  ['tracking_id=019', 'id'],
  ['tracking_id=ffff', 'created_at'],
  ['tracking_id=ffff', 'tracking_id'],
] as const)(
  'an estimated list of %s by %s begins with its first leads and ends with its last ones',
  async (text, column) => {
    const pair = text.endsWith('masa') ? null : text.endsWith('ffff') ? other : minted
    const [up, down] = [await list(pair, `${text}&ordering=${column}`), await list(pair, `${text}&ordering=-${column}`)]
    const leads = server.db.selectFrom('lead').select('id')
    const wanted = pair ? leads.where('product_id', '=', pair.product_id) : leads.where('external_id', 'like', 'masa%')
    const first = await wanted.orderBy(column).orderBy('id').limit(50).execute()
    expect(up.ids).toEqual(first.map(({ id }) => id))
    expect([up.isEstimate, up.total_pages]).toEqual([true, down.total_pages])
    const last = await list(pair, `${text}&ordering=-${column}&page=${down.total_pages}`)
    expect(last.ids).toEqual(up.ids.slice(0, last.ids.length).toReversed())
    expect(last.ids).toHaveLength(down.count - (down.total_pages - 1) * 50)
    expect((await list(pair, `${text}&page=${down.total_pages + 1}`)).ids).toEqual([])
  },
)

test('whoever has few leads finds them by a beginning that fits many of others, filed or not', async () => {
  const { ids: pair } = await makePair(server.db)
  await makeMany(pair, 60, sql`uuidv7(created_at - now())`)
  await makeMany(pair, 1, sql`overlay(gen_random_uuid()::text placing 'ffff' from 1)::uuid`)
  const read = async () => {
    const [up, down] = [
      await list(pair, 'tracking_id=019&ordering=created_at'),
      await list(pair, 'tracking_id=019&page=2'),
    ]
    const isReversed = await list(pair, 'tracking_id=019&ordering=created_at&page_size=10')
    return [up.count, up.isEstimate, up.ids.length, down.ids.toReversed(), isReversed.ids]
  }
  const fresh = await read()
  expect(fresh.slice(0, 3)).toEqual([60, false, 50])
  expect(fresh[3]).toEqual(fresh[4])
  await fileAll(server)
  expect(await read()).toEqual(fresh)
  const theirs = await server.as({ role: 'affiliate', affiliateId: pair.affiliate_id })
  const { data } = (
    await theirs.get(`${PATH}?tracking_id=0&external_id=masa&ordering=tracking_id&page_size=100`)
  ).json()
  expect(data.pagination.count).toBe(data.results.length)
  expect(data.results.filter(({ external_id }: Lead) => !external_id.startsWith('masa'))).toEqual([])
})

test('while leads come an estimate grows by no more than these', async () => {
  const before = await list(null, 'external_id=masa')
  await makeMany(minted, 30, sql`uuidv7()`)
  const after = await list(null, 'external_id=masa')
  expect(after.count - before.count).toBeGreaterThanOrEqual(0)
  expect(after.count - before.count).toBeLessThanOrEqual(60)
})

test('where millions of ids are left out, the few between them are not taken for as many', async () => {
  const { relationship_id, affiliate_id, issuer_id, product_id } = other
  await asOwner(server.databaseUrl, async (owner) => {
    await sql`
      insert into lead (id, tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id)
      overriding system value
      select 50000000 + i * 4000000, gen_random_uuid(), ${relationship_id}::bigint, ${affiliate_id}::bigint,
        ${issuer_id}::bigint, ${product_id}::bigint, 'rara'
      from generate_series(1, 300) as i`.execute(owner)
  })
  await fileAll(server)
  expect(await list(null, 'external_id=rara')).toMatchObject({ count: 300, isEstimate: false })
})

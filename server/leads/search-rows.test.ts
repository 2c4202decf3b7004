import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LeadFilters } from '#contract/leads.ts'
import { startServer, type TestServer } from '../testing.ts'
import type { Viewer } from '../viewer.ts'
import { counted, gathering, lengthOfWalk, type Search } from './search-rows.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const MILLIONS = 10_000_000
const admin: Viewer = {
  role: 'admin',
  ...{ userId: 1, sessionId: 'one', name: 'Ana', readOnly: false, requestId: 'one', address: '127.0.0.1' },
}

const valuesOf = (...rare: string[]) => ({ all: rare, common: [], rare })

/** A search by external ids and a campaign among ten million leads. */
const search = (sizes: Partial<Search>): Search => ({
  viewer: admin,
  filters: LeadFilters.parse({ external_id: 'post', utm_campaign: 'tarjeta' }),
  values: valuesOf('post-1', 'post-2'),
  filedId: MILLIONS,
  ...{ leads: MILLIONS, owned: MILLIONS, ofOrigins: 1_000_000, origins: 2_000, ...sizes },
})

test.each([
  ['its ways', { originIds: '{1,-2}' }],
  ['no ways', { originIds: null }],
])(
  'leads of a campaign with some external ids are counted in the one index that has both, told %s',
  async (_, told) => {
    const plan = await server.db.transaction().execute(async (tx) => {
      // Of a table without statistics it knows neither how large it is nor that its rows need not be looked at.
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_bitmapscan = off`.execute(tx)
      const explain = sql<Record<string, string>>`explain select count(*) from ${counted(search(told))}`
      return (await explain.execute(tx)).rows.flatMap((row) => Object.values(row)).join('\n')
    })
    expect(plan).toMatch(/Index Only Scan using lead_search_pair_index/)
    expect(plan).toMatch(/Index Cond: .*external_id.* AND .*origin_id \+ 0/)
  },
)

test.each([
  ['all leads of a campaign that is over', 1_000, 1_000],
  ['most leads of a campaign', 950, 1_000],
  ['some of many', 10_000, 100_000],
])('whoever looks for %s does not walk through the millions of others', (_, count, ofOrigins) => {
  for (const column of ['created_at', 'id', 'tracking_id', 'external_id'])
    expect(lengthOfWalk(search({ ofOrigins }), column, 50, count) ?? 0, column).toBeLessThanOrEqual(2 * count)
})

test.each([
  ['no lead is filed that came so', { ofOrigins: 0, origins: 0 }],
  ['no external id has the text', { values: valuesOf() }],
])('nothing is walked through when %s', (_, sizes) => {
  for (const column of ['created_at', 'id', 'tracking_id', 'external_id'])
    expect(lengthOfWalk(search(sizes), column, 50, 4), column).toBeUndefined()
})

test('in the order of time only some days are gathered when the page should be in them', () => {
  expect(gathering(search({}), 'created_at', 50, 50_000)).toMatchObject({ way: 'all', part: 0.003 })
  expect(gathering(search({}), 'created_at', 50, 200)).toMatchObject({ way: 'pairs', part: 1 })
  expect(gathering(search({}), 'id', 50, 50_000)).toMatchObject({ way: 'pairs', part: 1 })
})

test('who has few leads has his own external ids gathered, who has many everybody’s of some days', () => {
  const filters = LeadFilters.parse({ external_id: 'post', affiliate_id: '3' })
  const ofOwner = (owned: number) => search({ filters, owned, ofOrigins: owned })
  expect(gathering(ofOwner(10_000), 'created_at', 50, 400)).toMatchObject({ way: 'owner', part: 1 })
  expect(gathering(ofOwner(4_000_000), 'created_at', 50, 100_000)).toMatchObject({ way: 'all', part: 0.0015 })
})

import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner, makePair, makeProduct, startServer, type TestClient, type TestServer } from '../testing.ts'
import { fileAll } from './filing.testing.ts'
import { fileSome, keepCommonIds } from './filing.ts'

type Ids = Awaited<ReturnType<typeof makePair>>['ids']

let server: TestServer
/** Two products of one issuer, and another issuer's. */
let pairs: [Ids, Ids, Ids]
let readers: TestClient[]
beforeAll(async () => {
  server = await startServer()
  const [one, other] = [await makePair(server.db), await makePair(server.db)]
  const second = await makeProduct(server.db, { issuer_id: one.ids.issuer_id })
  pairs = [one.ids, { ...one.ids, product_id: second.id }, other.ids]
  readers = [
    await server.as({ role: 'admin' }),
    await server.as({ role: 'issuer', issuerId: one.ids.issuer_id }),
    await server.as({ role: 'affiliate', affiliateId: other.ids.affiliate_id }),
  ]
  for (const pair of pairs) await makeMany(pair, 450)
  await keepAll()
})
afterAll(() => server.stop())

const manyOf = (pair: Ids, count: number, externalId: string | RawBuilder<string>) => sql`
  insert into lead (tracking_id, relationship_id, affiliate_id, issuer_id, product_id, external_id, utm_campaign)
  select gen_random_uuid(), ${pair.relationship_id}::bigint, ${pair.affiliate_id}::bigint, ${pair.issuer_id}::bigint,
    ${pair.product_id}::bigint, ${externalId}, 'campaña ' || i % 5
  from generate_series(1, ${count}::int) as i`

/** Two of three have the external id that all share, the others one of their own. */
const makeMany = (pair: Ids, count: number) =>
  manyOf(pair, count, sql`case when i % 3 = 0 then 'común-' || i else 'Común' end`).execute(server.db)

const asTheirOwner = (statement: RawBuilder<unknown>) =>
  asOwner(server.databaseUrl, async (owner) => {
    await statement.execute(owner)
  })

async function keepAll(): Promise<void> {
  await fileAll(server)
  await asTheirOwner(sql`analyze lead_search`)
  while (await keepCommonIds(server.db));
}

const queries = () => {
  const [one, second, other] = pairs
  const { issuer_id, affiliate_id, product_id } = one
  return [
    {},
    { issuer_id },
    { affiliate_id },
    { product_id },
    { product_id: second.product_id },
    { issuer_id, product_id: second.product_id },
    { issuer_id: other.issuer_id },
    { utm_campaign: 'campana 3' },
    { utm_campaign: 'campana 3', product_id: other.product_id },
    { utm_campaign: 'campana 3', issuer_id },
    { utm_campaign: 'campana 3', affiliate_id },
    { affiliate_id, issuer_id: other.issuer_id },
  ]
}

/** How many leads with the text each reader gets for each query; none is on a page that it is not counted for. */
async function countAll(text: string): Promise<number[]> {
  const counts: number[] = []
  for (const reader of readers)
    for (const query of queries()) {
      const words = Object.entries({ external_id: text, page_size: 100, ...query }).map(([key, value]) => [
        key,
        `${value}`,
      ])
      const { data } = (await reader.get(`/api/v1/leads/?${new URLSearchParams(words)}`)).json()
      expect(data.results).toHaveLength(Math.min(data.pagination.count, 100))
      counts.push(data.pagination.count)
    }
  return counts
}

/** By way and by text alike. */
async function kept() {
  const sums = (table: string) =>
    sql`select external_id, sum(count)::int as leads from ${sql.table(table)} group by 1 order by 1`.execute(server.db)
  const [byWay, byText] = [await sums('common_count'), await sums('common_text_count')]
  expect(byWay.rows).toEqual(byText.rows)
  return byWay.rows
}
const drift = async () => (await sql`select * from total_drift()`.execute(server.db)).rows
const change = (external_id: string, from: string, of: Ids, atMost: number) =>
  sql`update lead set external_id = ${external_id} where id in (
    select id from lead where external_id = ${from} and product_id = ${of.product_id} limit ${atMost})`.execute(
    server.db,
  )

test('the external id that a thousand leads share is not counted in these again', async () => {
  const before = await countAll('comun')
  expect(await kept()).toEqual([])
  for (const pair of pairs) await makeMany(pair, 150)
  await keepAll()
  expect(await kept()).toEqual([{ external_id: 'Común', leads: 1_200 }])
  // A third as many again of everything.
  expect(await countAll('comun')).toEqual(before.map((count) => (count * 4) / 3))
  expect((await countAll('COMÚN-'))[0]).toBe(600)
  expect(await drift()).toEqual([])
})

test('leads that come later are counted at once, filed or not', async () => {
  const before = await countAll('comun')
  for (const pair of pairs) await makeMany(pair, 60)
  const waiting = await countAll('comun')
  expect(waiting).toEqual(before.map((count) => (count * 11) / 10))
  await fileAll(server)
  expect(await countAll('comun')).toEqual(waiting)
  expect(await kept()).toEqual([{ external_id: 'Común', leads: 1_320 }])
  expect(await drift()).toEqual([])
})

test('what is corrected is counted by its new text, and an erased text is gone', async () => {
  const [one, second, other] = pairs
  const before = await countAll('comun')
  await change('otra', 'Común', one, 30)
  expect((await countAll('comun'))[0]).toBe((before[0] ?? 0) - 30)
  await change('Común', 'otra', one, 30)
  expect(await countAll('comun')).toEqual(before)
  expect(await drift()).toEqual([])
  for (const pair of [one, second, other]) await change('borrado', 'Común', pair, 10_000)
  // Nor does it come back, though the statistics have it still.
  expect(await keepCommonIds(server.db)).toBe(false)
  expect(await kept()).toEqual([])
  const { rows } = await sql`select external_id from common_external_id`.execute(server.db)
  expect(rows).toEqual([])
  expect((await countAll('borrado'))[0]).toBe(1_320)
  expect(await drift()).toEqual([])
})

test('what is kept is what is read, and would be found out if it were wrong', async () => {
  for (const pair of pairs) await makeMany(pair, 600)
  await keepAll()
  const before = await countAll('comun')
  const isRead = new Set<number>()
  for (const table of ['common_count', 'common_text_count']) {
    const tamper = (by: number) => asTheirOwner(sql`update ${sql.table(table)} set count = count + ${by}::int`)
    await tamper(1)
    const after = await countAll('comun')
    for (const [index, count] of after.entries()) if (count > (before[index] ?? 0)) isRead.add(index)
    expect(await drift()).not.toEqual([])
    await tamper(-1)
    expect(await drift()).toEqual([])
  }
  expect([...isRead].toSorted((a, b) => a - b)).toEqual(before.flatMap((count, index) => (count > 0 ? [index] : [])))
  for (const pair of pairs) await change('borrado', 'Común', pair, 10_000)
})

test('they are found by several servers at once, whatever is written in them, while leads are filed', async () => {
  const text = `a,"b" \\{}'%_${'ñ'.repeat(60)}`
  const write = (count: number) => asTheirOwner(manyOf(pairs[0], count, text))
  await write(2_000)
  await fileAll(server)
  await asTheirOwner(sql`analyze lead_search`)
  await write(1_000)
  await asOwner(server.databaseUrl, async (owner) => {
    const filing = await owner.startTransaction().execute()
    for (const _ of [1, 2, 3]) {
      await sql`update lead_filing set rests_until = '-infinity'`.execute(filing)
      await fileSome(filing)
    }
    const found = Promise.all([1, 2, 3].map(() => keepCommonIds(server.db)))
    await wait(200)
    await filing.commit().execute()
    expect(await found).toContain(true)
  })
  await fileAll(server)
  expect(await kept()).toContainEqual({ external_id: text, leads: 3_000 })
  expect((await countAll(text))[0]).toBe(3_000)
  expect(await drift()).toEqual([])
})

test('two ways that are taken for one stop neither filing nor finding, nor a correction', async () => {
  await asTheirOwner(sql`
    create or replace function origin_of(affiliate_id bigint, issuer_id bigint, product_id bigint,
      source text, medium text, campaign text, term text, content text
    ) returns bigint language sql immutable parallel safe return 7`)
  const write = async () => {
    for (const pair of [pairs[0], pairs[2]]) await asTheirOwner(manyOf(pair, 600, 'igual'))
    await fileAll(server, 20_000)
  }
  await write()
  await keepAll()
  await write()
  expect(await kept()).toContainEqual({ external_id: 'igual', leads: 2_400 })
  for (const pair of pairs) await change('borrado', 'igual', pair, 10_000)
  expect(await kept()).not.toContainEqual(expect.objectContaining({ external_id: 'igual' }))
})

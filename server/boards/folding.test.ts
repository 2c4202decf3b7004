import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Period } from '#contract/periods.ts'
import { addDays } from '#contract/time.ts'
import { type Ids, makeEntry } from '#db/factories.ts'
import { historiesOr } from '#db/testing.ts'
import { closeAll } from '../leads/partitions.testing.ts'
import type { Party } from '../parties.ts'
import { inSnapshot } from '../snapshot.ts'
import { type Actor, makeLead, makePair, startServer, type TestServer } from '../testing.ts'
import { earned, sumsOf } from '../totals/read.ts'
import { expectNoDrift, foldAllTotals, untilStored } from '../totals/testing.ts'
import { getOverview } from './overview.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const noon = (day: string) => `${day}T18:00:00Z`
const YEAR = { from: '2024-11-20', to: '2025-11-12' }
const FIRST = addDays(YEAR.from, -300)
const MARCH = { from: '2025-03-01', to: '2025-03-31' }

/** Everything in `total`, nothing in `total_delta`. */
async function foldAll(): Promise<void> {
  await closeAll(server)
  await foldAllTotals(server)
}

/** Leads and commissions on days all over two years, and one by one on the days at which months end. */
async function makeHistory(): Promise<Ids> {
  const { ids } = await makePair(server.db)
  for (let day = FIRST; day <= YEAR.to; day = addDays(day, 61)) {
    await untilStored(() => makeLead(server.db, { ...ids, created_at: noon(day) }))
    await untilStored(() => makeEntry(server.db, ids, { earned_at: noon(addDays(day, 11)), amount: '100.10' }))
  }
  for (const day of ['2025-02-28', '2025-03-01', '2025-03-10', '2025-03-11', '2025-03-31', '2024-11-19', '2024-11-20'])
    await untilStored(() => makeLead(server.db, { ...ids, created_at: noon(day) }))
  return ids
}

async function readBoards({ issuer_id, affiliate_id, product_id }: Ids, { from, to }: Period) {
  const actors: Actor[] = [
    { role: 'admin' },
    { role: 'issuer', issuerId: issuer_id },
    { role: 'affiliate', affiliateId: affiliate_id },
  ]
  const boards: unknown[] = []
  for (const actor of actors) {
    const client = await server.as(actor)
    const isAdmin = actor.role === 'admin'
    for (const name of ['performance/', 'commissions/', `funnel/${product_id}/`, ...(isAdmin ? ['network/'] : [])])
      for (const filter of ['', ...(isAdmin ? [`&issuer_id=${issuer_id}`] : [])]) {
        const answer = await client.get(`/api/v1/figures/reports/${name}?from=${from}&to=${to}${filter}`)
        expect(answer.status, answer.text).toBe(200)
        boards.push(answer.json().data)
      }
  }
  return boards
}

const leadsOf = async ({ issuer_id }: Ids, { from, to }: Period): Promise<number> => {
  const client = await server.as({ role: 'issuer', issuerId: issuer_id })
  return (await client.get(`/api/v1/figures/reports/performance/?from=${from}&to=${to}`)).json().data.totals.leads
}

test('boards show the same before and after folding, for every viewer and part', async () => {
  const ids = await makeHistory()
  const periods = [YEAR, { from: '2025-02-05', to: '2025-04-17' }]
  const before = await Promise.all(periods.map((period) => readBoards(ids, period)))
  await foldAll()
  expect(await Promise.all(periods.map((period) => readBoards(ids, period)))).toEqual(before)
  await expectNoDrift(server.db)
})

test('the overview says the same', async () => {
  const { ids } = await makePair(server.db)
  for (const [day, amount] of [
    ['2026-01-01', '10.00'],
    ['2026-01-05', '200.00'],
    ['2026-01-06', '7.00'],
    ['2026-02-02', '3000.00'],
  ] as const)
    await makeEntry(server.db, ids, { earned_at: noon(day), amount })
  const read = () => getOverview(server.appDb, new Date(noon('2026-02-06')))
  const { month_income, conversions_today } = await read()
  expect(month_income).toMatchObject({ value: '3000.00', previous: '210.00' })
  expect(conversions_today).toMatchObject({ value: 0, previous: 1 })
  await foldAll()
  expect(await read()).toMatchObject({ month_income, conversions_today })
})

test('what is added to a day long over shows at once, and is in the next totals', async () => {
  const { ids } = await makePair(server.db)
  await makeLead(server.db, { ...ids, created_at: noon('2025-03-14') })
  await foldAll()
  await untilStored(() => makeLead(server.db, { ...ids, created_at: noon('2025-03-15') }))
  expect(await leadsOf(ids, YEAR)).toBe(2)
  await foldAll()
  expect(await leadsOf(ids, YEAR)).toBe(2)
})

test('what changes state on a day long over shows at once', async () => {
  const { ids } = await makePair(server.db)
  const { id } = await makeEntry(server.db, ids, { earned_at: noon('2025-03-14'), amount: '70.00' })
  await foldAll()
  await server.db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const report = await client.get(`/api/v1/figures/reports/commissions/?from=${YEAR.from}&to=${YEAR.to}`)
  expect(report.json().data.totals).toMatchObject({ accrued: '0.00', reversed: '70.00' })
  await foldAll()
  await expectNoDrift(server.db)
})

test('what commits while totals are folded is not lost, and does not wait', async () => {
  const { ids } = await makePair(server.db)
  await server.db.transaction().execute(async (tx) => {
    await makeEntry(tx, ids, { earned_at: noon('2025-03-14') })
    await foldAllTotals(server)
  })
  expect(await leadsOf(ids, MARCH)).toBe(1)
  await foldAll()
  expect(await leadsOf(ids, MARCH)).toBe(1)
  await expectNoDrift(server.db)
})

test('every day of a period is counted once, in a month or by itself', async () => {
  const { issuer_id } = await makeHistory()
  await foldAll()
  const parties: Party[] = [['issuer_id', issuer_id]]
  const read = (periods: Period[], by: 'byDay' | 'byParty') =>
    inSnapshot(server.db, async (tx) => {
      const { recent, ...sums } = await sumsOf(tx, { parties, periods })
      const { rows } = await sql`with ${recent}
        select day >= ${periods.at(-1)?.from}::date as is_now, sum(leads)::int8 as leads, sum(${earned}) as earned
        from ${sums[by]} group by 1 having sum(leads) <> 0 order by 1`.execute(tx)
      return rows
    })
  await fc.assert(
    fc.asyncProperty(fc.nat(500), fc.nat(200), fc.nat(200), async (start, before, length) => {
      const [first, from] = [addDays(FIRST, start), addDays(FIRST, start + before + 1)]
      const periods = [
        { from: first, to: addDays(from, -1) },
        { from, to: addDays(from, length) },
      ]
      expect(await read(periods, 'byParty')).toEqual(await read(periods, 'byDay'))
    }),
    { numRuns: historiesOr(20) },
  )
})

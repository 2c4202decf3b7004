import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Period, periodBefore } from '#contract/boards.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { connect } from '#db/connect.ts'
import { type Ids, makeEntry } from '#db/factories.ts'
import { fileAll } from '../leads/filing.testing.ts'
import { type Actor, makeLead, makePair, startServer, type TestServer } from '../testing.ts'
import { chooseSpans } from './cover.ts'
import { expectNoDrift, keepSpans } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const noon = (day: string) => `${day}T18:00:00Z`
const YEAR = { from: '2024-11-20', to: '2025-11-12' }
const FIRST = addDays(YEAR.from, -300)

/** Leads and commissions on days all over two years, and one by one on the days at which spans end. */
async function makeHistory(): Promise<Ids> {
  const { ids } = await makePair(server.db)
  for (let day = FIRST; day <= YEAR.to; day = addDays(day, 61)) {
    await makeLead(server.db, { ...ids, created_at: noon(day) })
    await makeEntry(server.db, ids, { earned_at: noon(addDays(day, 11)), amount: '100.10' })
  }
  for (const day of ['2025-02-28', '2025-03-01', '2025-03-10', '2025-03-11', '2025-03-31', '2024-11-19', '2024-11-20'])
    await makeLead(server.db, { ...ids, created_at: noon(day) })
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
    for (const name of ['performance/', 'commissions/', ...(isAdmin ? ['network/'] : [])])
      for (const filter of ['', ...(isAdmin ? [`&product_id=${product_id}`] : [])]) {
        const answer = await client.get(`/api/v1/metrics/reports/${name}?from=${from}&to=${to}${filter}`)
        expect(answer.status, answer.text).toBe(200)
        boards.push(answer.json().data)
      }
  }
  return boards
}

const leadsOf = async ({ issuer_id }: Ids, { from, to }: Period): Promise<number> => {
  const client = await server.as({ role: 'issuer', issuerId: issuer_id })
  return (await client.get(`/api/v1/metrics/reports/performance/?from=${from}&to=${to}`)).json().data.totals.leads
}

const freshSpans = async () => {
  const { rows } = await sql<Period>`select first_day as "from", last_day as "to" from fresh_span`.execute(server.db)
  return rows
}

const MARCH = { from: '2025-03-01', to: '2025-03-31' }

describe('sums of days and of months', () => {
  test('boards say the same with them as without, whoever asks for whichever part', async () => {
    const ids = await makeHistory()
    const periods = [YEAR, { from: '2025-02-05', to: '2025-04-17' }]
    const without = await Promise.all(periods.map((period) => readBoards(ids, period)))
    await fileAll(server)
    await keepSpans(server.db)
    expect(await freshSpans()).toContainEqual(MARCH)
    expect(await Promise.all(periods.map((period) => readBoards(ids, period)))).toEqual(without)
    await expectNoDrift(server.db)
  })

  test('the overview says the same with them as without', async () => {
    const { ids } = await makePair(server.db)
    const lastMonth = addDays(`${dateInMexico().slice(0, 7)}-01`, -1)
    await makeEntry(server.db, ids, { earned_at: noon(`${lastMonth.slice(0, 7)}-01`), amount: '10.00' })
    await makeEntry(server.db, ids, { earned_at: noon(lastMonth), amount: '200.00' })
    await makeEntry(server.db, ids, { earned_at: noon(dateInMexico()), amount: '3000.00' })
    const read = async () => (await (await server.as({ role: 'admin' })).get('/api/v1/metrics/overview/')).json().data
    const { month_income, conversions_today } = await read()
    expect(month_income).toMatchObject({ value: '3000.00', previous: '210.00' })
    await fileAll(server)
    await keepSpans(server.db)
    expect(await freshSpans()).toContainEqual({ from: `${lastMonth.slice(0, 7)}-01`, to: lastMonth })
    expect(await read()).toMatchObject({ month_income, conversions_today })
  })

  test('what is added to a day long over shows at once, and is in the next sums', async () => {
    const { ids } = await makePair(server.db)
    await makeLead(server.db, { ...ids, created_at: noon('2025-03-14') })
    await fileAll(server)
    await keepSpans(server.db)
    await makeLead(server.db, { ...ids, created_at: noon('2025-03-15') })
    expect(await leadsOf(ids, YEAR)).toBe(2)
    expect(await freshSpans()).not.toContainEqual(MARCH)
    expect(await freshSpans()).toContainEqual({ from: '2025-03-01', to: '2025-03-10' })
    await fileAll(server)
    expect(await leadsOf(ids, YEAR)).toBe(2)
    expect(await freshSpans()).not.toContainEqual(MARCH)
    await keepSpans(server.db)
    expect(await freshSpans()).toContainEqual(MARCH)
    expect(await leadsOf(ids, YEAR)).toBe(2)
  })

  test('what changes state on a day long over shows at once', async () => {
    const { ids } = await makePair(server.db)
    const { id } = await makeEntry(server.db, ids, { earned_at: noon('2025-03-14'), amount: '70.00' })
    await keepSpans(server.db)
    await server.db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()
    const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
    const report = await client.get(`/api/v1/metrics/reports/commissions/?from=${YEAR.from}&to=${YEAR.to}`)
    expect(report.json().data.totals).toMatchObject({ accrued: '0.00', reversed: '70.00' })
    await keepSpans(server.db)
    await expectNoDrift(server.db)
  })

  test('what commits while they are made is not lost, and nobody waits for it', async () => {
    const { ids } = await makePair(server.db)
    await server.db.transaction().execute(async (tx) => {
      await makeLead(tx, { ...ids, created_at: noon('2025-03-14') })
      await keepSpans(server.db)
    })
    expect(await leadsOf(ids, MARCH)).toBe(1)
    await keepSpans(server.db)
    expect(await leadsOf(ids, MARCH)).toBe(1)
    await expectNoDrift(server.db)
  })

  test('one that is wrong is found', async () => {
    const { ids } = await makePair(server.db)
    await makeLead(server.db, { ...ids, created_at: noon('2025-03-14') })
    await fileAll(server)
    await keepSpans(server.db)
    const owner = connect(server.databaseUrl, { max: 1 })
    const shift = (by: number) =>
      sql`update span_total set leads = leads + ${by} where last_day = ${MARCH.to} and affiliate_id = ${ids.affiliate_id}
        and first_day = ${MARCH.from}`.execute(owner)
    await shift(1)
    const { rows } =
      await sql`select source, day, figures -> 'span_leads' as leads from total_drift() order by 1`.execute(server.db)
    await shift(-1)
    await owner.destroy()
    expect(rows).toEqual([
      { source: 'kept', day: MARCH.from, leads: 2 },
      { source: 'recount', day: MARCH.from, leads: 1 },
    ])
  })
})

const month = (name: string, days: number): Period[] =>
  [
    [1, 10],
    [11, 20],
    [21, days],
    [1, 5],
    [6, 10],
    [11, 15],
    [16, 20],
    [21, 25],
    [26, days],
    [1, days],
  ].map(([from, to]) => ({
    from: `${name}-${String(from).padStart(2, '0')}`,
    to: `${name}-${String(to).padStart(2, '0')}`,
  }))

describe('what a period is read from', () => {
  test('is the month where it is whole, ten days or five where those are, and days at the ends', () => {
    const cover = chooseSpans(
      [{ from: '2025-02-27', to: '2025-04-17' }],
      [...month('2025-03', 31), ...month('2025-04', 30)],
    )
    expect(cover).toEqual({
      whole: [{ from: '2025-02-27', to: '2025-04-17' }],
      spans: [MARCH, { from: '2025-04-01', to: '2025-04-10' }, { from: '2025-04-11', to: '2025-04-15' }],
      days: [
        { from: '2025-02-27', to: '2025-02-28' },
        { from: '2025-04-16', to: '2025-04-17' },
      ],
      known: [{ from: '2025-03-01', to: '2025-04-17' }],
      unknown: [{ from: '2025-02-27', to: '2025-02-28' }],
    })
  })

  test('is every day of it once, and no span is of two periods', () => {
    const all = [...month('2025-03', 31), ...month('2025-04', 30)]
    fc.assert(
      fc.property(fc.nat(80), fc.integer({ min: 1, max: 40 }), fc.subarray(all), (start, length, fresh) => {
        const from = addDays('2025-02-01', start)
        const period = { from, to: addDays(from, length - 1) }
        const periods = [periodBefore(period), period]
        const { whole, spans, days, known, unknown } = chooseSpans(periods, fresh)
        expect(daysOf([...spans, ...days])).toEqual(daysOf(periods))
        expect(daysOf([...known, ...unknown])).toEqual(daysOf(periods))
        const summed = new Set(daysOf(fresh))
        expect(daysOf(known).every((day) => summed.has(day))).toBe(true)
        expect(daysOf(unknown).some((day) => summed.has(day))).toBe(false)
        expect(daysOf(whole)).toEqual(daysOf(periods))
        for (const { from, to } of spans) expect(periods.some((part) => part.from <= from && to <= part.to)).toBe(true)
      }),
    )
  })
})

const daysOf = (periods: Period[]): string[] =>
  periods
    .flatMap(({ from, to }) => {
      const days: string[] = []
      for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
      return days
    })
    .sort()

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResultPage } from '#contract/results.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { type Ids, makeAdjustment, makeEntry, makePayment } from '#db/factories.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { closeAll } from '../leads/partitions.testing.ts'
import { type Actor, asOwner, makeLead, makePair, startServer, type TestServer } from '../testing.ts'
import { foldResults, forgetResults } from './fold.ts'
import { readResultDrift } from './recount.ts'
import { foldAllResults } from './testing.ts'

const PATH = '/api/v1/results/'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const TODAY = dateInMexico()
const noonBefore = (days: number) => `${addDays(TODAY, -days)}T18:00:00Z`
const params = (of: Record<string, string>) => sql`${JSON.stringify({ params: of })}::jsonb`
const expectNoDrift = async () => expect(await readResultDrift(server.db)).toEqual([])

const read = async (actor: Actor, query: string): Promise<ResultPage> => {
  const answer = await (await server.as(actor)).get(`${PATH}?${query}`)
  expect(answer.status).toBe(200)
  return answer.json().data
}
const ofAffiliate = (ids: Ids): Actor => ({ role: 'affiliate', affiliateId: ids.affiliate_id })
const brief = ({ results }: ResultPage) =>
  results.map(({ day, kind, value, leads, approved, rejected, earned }) => [
    ...(day ? [day] : []),
    value ?? kind,
    ...[leads, approved, rejected, earned],
  ])

/** Two leads of 'boletin', one approved, one of 'radio' that was rejected, and one without a source. */
async function makeCampaign() {
  const funnel = await makeFunnel(server)
  const { ids, client } = funnel
  const make = (days: number, utm_source: string, of: Record<string, string> = {}) =>
    makeLead(server.db, { ...ids, created_at: noonBefore(days), utm_source, lead_data: params(of) })
  const leads = [
    await make(3, 'boletin', { sub1: 'a', sub10: 'z', gclid: 'no' }),
    await make(2, 'boletin', { sub1: 'b' }),
    await make(2, 'radio'),
    await make(2, ''),
  ]
  const send = (lead: number, event_type: string) =>
    client.post(EVENTS, { tracking_id: leads[lead]?.tracking_id, event_type, event_id: `${lead} ${event_type}` })
  await send(0, 'step_1')
  await send(0, 'aprobado')
  await send(0, 'entregado')
  await send(2, 'aprobado')
  await send(2, 'rechazado')
  return { ...funnel, leads, send }
}

const PERIOD = `from=${addDays(TODAY, -20)}&to=${TODAY}`

test('a value has its leads and what they became, at once and the same when all is folded', async () => {
  const { ids, leads, send } = await makeCampaign()
  const look = async () => [
    brief(await read(ofAffiliate(ids), PERIOD)),
    brief(await read(ofAffiliate(ids), `${PERIOD}&by=day&ordering=day`)),
    brief(await read(ofAffiliate(ids), `${PERIOD}&dimension=sub1&ordering=value`)),
    brief(await read(ofAffiliate(ids), `${PERIOD}&dimension=sub10`)),
  ]
  const expected = [
    [
      ['boletin', 2, 1, 0, '1000.00'],
      ['radio', 1, 0, 1, '0.00'],
      ['none', 1, 0, 0, '0.00'],
    ],
    [
      [addDays(TODAY, -3), 'boletin', 1, 1, 0, '1000.00'],
      [addDays(TODAY, -2), 'boletin', 1, 0, 0, '0.00'],
      [addDays(TODAY, -2), 'radio', 1, 0, 1, '0.00'],
      [addDays(TODAY, -2), 'none', 1, 0, 0, '0.00'],
    ],
    [
      ['a', 1, 1, 0, '1000.00'],
      ['b', 1, 0, 0, '0.00'],
      ['none', 2, 0, 1, '0.00'],
    ],
    [
      ['none', 3, 0, 1, '0.00'],
      ['z', 1, 1, 0, '1000.00'],
    ],
  ]
  // The lead that makeFunnel() makes clicked today, without any value.
  const withToday = ([sources, days, sub1, sub10]: typeof expected) => [
    [...(sources ?? []).slice(0, 1), ['none', 2, 0, 0, '0.00'], ...(sources ?? []).slice(1, 2)],
    [...(days ?? []), [TODAY, 'none', 1, 0, 0, '0.00']],
    [...(sub1 ?? []).slice(0, 2), ['none', 3, 0, 1, '0.00']],
    [['none', 4, 0, 1, '0.00'], ...(sub10 ?? []).slice(1)],
  ]
  expect(await look()).toEqual(withToday(expected))
  await expectNoDrift()
  await foldAllResults(server)
  expect(await look()).toEqual(withToday(expected))
  await closeAll(server)
  expect(await look()).toEqual(withToday(expected))
  await foldAllResults(server)
  expect(await look()).toEqual(withToday(expected))
  await expectNoDrift()
  await send(0, 'rechazado')
  expect(brief(await read(ofAffiliate(ids), PERIOD))[0]).toEqual(['boletin', 2, 0, 1, '0.00'])
  await foldAllResults(server)
  expect(brief(await read(ofAffiliate(ids), PERIOD))[0]).toEqual(['boletin', 2, 0, 1, '0.00'])
  expect(leads).toHaveLength(4)
  await expectNoDrift()
})

test('sums are of all rows, follow the filters and stay on a page beyond the last', async () => {
  const { ids } = await makeCampaign()
  const all = await read(ofAffiliate(ids), `${PERIOD}&page_size=1`)
  expect(all.totals).toEqual({ leads: 5, approved: 1, rejected: 1, earned: '1000.00', approval_rate: 20 })
  expect(all.pagination).toEqual({ count: 3, current_page: 1, total_pages: 3, page_size: 1 })
  expect(all.results).toHaveLength(1)
  const beyond = await read(ofAffiliate(ids), `${PERIOD}&page_size=1&page=9`)
  expect([beyond.results, beyond.totals.leads]).toEqual([[], 5])
  const found = await read(ofAffiliate(ids), `${PERIOD}&search=BOLET%C3%8DN`)
  expect([brief(found), found.totals.leads, found.totals.approval_rate]).toEqual([
    [['boletin', 2, 1, 0, '1000.00']],
    2,
    50,
  ])
  const before = await read(ofAffiliate(ids), `from=${addDays(TODAY, -20)}&to=${addDays(TODAY, -10)}`)
  expect([before.results, before.totals.leads, before.pagination.count]).toEqual([[], 0, 0])
})

test('pages hold every row once', async () => {
  const { ids } = await makePair(server.db)
  for (let each = 0; each < 7; each++)
    await makeLead(server.db, { ...ids, created_at: noonBefore(1), utm_source: `f${each}` })
  const pages = [1, 2, 3, 4].map((page) => read(ofAffiliate(ids), `${PERIOD}&page_size=2&page=${page}`))
  const values = (await Promise.all(pages)).flatMap(({ results }) => results.map(({ value }) => value))
  expect(values).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6'])
})

test('everybody sees their own, and a foreign id finds nothing', async () => {
  const { ids } = await makeCampaign()
  const other = await makeCampaign()
  const leads = async (actor: Actor, query = '') => (await read(actor, `${PERIOD}${query}`)).totals.leads
  const issuer: Actor = { role: 'issuer', issuerId: ids.issuer_id }
  expect(await leads(issuer)).toBe(5)
  expect(await leads(issuer, `&affiliate_id=${ids.affiliate_id}&product_id=${ids.product_id}`)).toBe(5)
  expect(await leads(issuer, `&issuer_id=${other.ids.issuer_id}`)).toBe(0)
  expect(await leads(issuer, `&affiliate_id=${other.ids.affiliate_id}`)).toBe(0)
  expect(await leads(ofAffiliate(ids), `&affiliate_id=${other.ids.affiliate_id}`)).toBe(0)
  expect(await leads({ role: 'admin' }, `&issuer_id=${other.ids.issuer_id}`)).toBe(5)
})

test.each([
  ['dimension=gclid', 'Dimensión no válida'],
  ['by=mes', 'Agrupación no válida'],
  ['ordering=product', 'Orden no válido'],
  ['from=2026-02-02&to=2026-02-01', 'La fecha de fin no puede ser anterior a la de inicio'],
  ['from=2024-01-01&to=2026-02-01', 'El periodo no puede exceder 366 días'],
])('%s is refused', async (query, message) => {
  const answer = await (await server.as({ role: 'admin' })).get(`${PATH}?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.json().errors).toContainEqual(expect.stringContaining(message))
})

test('the file holds the rows of the list, with words for those without a value', async () => {
  const { ids } = await makeCampaign()
  const client = await server.as(ofAffiliate(ids))
  const { text } = await client.get(`/api/v1/exports/results/?${PERIOD}&by=day&ordering=-day&dimension=utm_source`)
  expect(text.replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual(
    [
      'Día,utm_source,Leads,Aprobados,Rechazados,Aprobación (%),"Ganado (MXN, antes de IVA y retenciones)"',
      ...[[0, '(sin valor),1,0,0,0.00,0.00']],
      ...[[2, 'boletin,1,0,0,0.00,0.00']],
      ...[[2, 'radio,1,0,1,0.00,0.00']],
      ...[[2, '(sin valor),1,0,0,0.00,0.00']],
      ...[[3, 'boletin,1,1,0,100.00,1000.00']],
    ].map((line) => (typeof line === 'string' ? line : `${dayFirst(addDays(TODAY, -Number(line[0])))},${line[1]}`)),
  )
})

test('values beyond the limit of a day share one row, and none is in both', async () => {
  const { ids } = await makePair(server.db)
  const limited = (most: number) =>
    asOwner(server.databaseUrl, async (owner) => {
      await sql`create or replace function result_values_max() returns int language sql immutable
        return ${sql.lit(most)}`.execute(owner)
    })
  const make = (utm_source: string) => makeLead(server.db, { ...ids, created_at: noonBefore(5), utm_source })
  const { rows } = await sql<{ most: number }>`select result_values_max() as most`.execute(server.db)
  await limited(2)
  try {
    for (const source of ['a', 'b', 'b', 'c', 'd']) await make(source)
    expect(brief(await read(ofAffiliate(ids), PERIOD))).toEqual([
      ['b', 2, 0, 0, '0.00'],
      ['rest', 2, 0, 0, '0.00'],
      ['a', 1, 0, 0, '0.00'],
    ])
    await closeAll(server)
    await foldAllResults(server)
    for (const source of ['a', 'c', 'e']) await make(source)
    await foldAllResults(server)
    expect(brief(await read(ofAffiliate(ids), PERIOD))).toEqual([
      ['rest', 4, 0, 0, '0.00'],
      ['a', 2, 0, 0, '0.00'],
      ['b', 2, 0, 0, '0.00'],
    ])
    await expectNoDrift()
  } finally {
    await limited(rows[0]?.most ?? 0)
  }
})

test('folding many at once, killed between, counts everything once', async () => {
  const { ids, send } = await makeCampaign()
  await closeAll(server)
  await Promise.all([
    send(1, 'aprobado'),
    ...Array.from({ length: 6 }, () => foldResults(server.appDb, 2)),
    send(3, 'rechazado'),
  ])
  const killed = server.db.transaction().execute(async (tx) => {
    await sql`select fold_results(1000)`.execute(tx)
    throw new Error('on purpose')
  })
  await expect(killed).rejects.toThrow('on purpose')
  await expectNoDrift()
  await Promise.all(Array.from({ length: 4 }, () => foldAllResults(server)))
  expect(await server.db.selectFrom('result_delta').select('id').execute()).toEqual([])
  expect(await server.db.selectFrom('result_change').select('id').execute()).toEqual([])
  expect(brief(await read(ofAffiliate(ids), PERIOD))[0]).toEqual(['boletin', 2, 2, 0, '1500.00'])
  await expectNoDrift()
})

test('a paid entry is earned as before and queues nothing', async () => {
  const { ids } = await makePair(server.db)
  const { id } = await makeEntry(server.db, ids, { earned_at: noonBefore(4) })
  await foldAllResults(server)
  const payment = await makePayment(server.db, ids)
  const set = (state: string, payment_id: number | null) =>
    server.db.updateTable('commission_entry').set({ state, payment_id }).where('id', '=', id).execute()
  await set('in_payment', payment.id)
  expect(await server.db.selectFrom('result_change').select('id').execute()).toEqual([])
  await set('reversed', null)
  expect(brief(await read(ofAffiliate(ids), PERIOD))).toEqual([['none', 1, 1, 0, '0.00']])
  await expectNoDrift()
})

test('bonuses and adjustments are of no lead: boards count them, results do not', async () => {
  const { ids } = await makePair(server.db)
  await makeEntry(server.db, ids, { earned_at: noonBefore(4) })
  await makeAdjustment(server.db, ids, { product_id: ids.product_id })
  await foldAllResults(server)
  expect(brief(await read(ofAffiliate(ids), PERIOD))).toEqual([['none', 1, 1, 0, '500.00']])
  const board = await (await server.as(ofAffiliate(ids))).get(`/api/v1/figures/reports/commissions/?${PERIOD}`)
  expect(board.json().data.totals.earned).toBe('750.00')
  await expectNoDrift()
})

const GROUNDS = { folio: 'ARCO-1', reason: 'solicitud de la persona titular' }

test.each(['open', 'closed'])(
  'what is erased or corrected of a lead in an %s partition leaves its results',
  async (kind) => {
    const { ids, leads, send } = await makeCampaign()
    if (kind === 'closed') await closeAll(server)
    await foldAllResults(server)
    await send(1, 'aprobado')
    const admin = await server.as({ role: 'admin' })
    const [first, second, third] = leads.map(({ id }) => id)
    expect((await admin.post(`/api/v1/privacy/leads/${first}/erase/`, GROUNDS)).status).toBe(200)
    expect((await admin.post(`/api/v1/privacy/leads/${second}/erase/`, GROUNDS)).status).toBe(200)
    const correction = { ...GROUNDS, id: third, utm_source: 'prensa' }
    expect((await admin.put(`/api/v1/privacy/leads/${third}/`, correction)).status).toBe(200)
    const expected = [
      ['none', 4, 2, 0, '1500.00'],
      ['prensa', 1, 0, 1, '0.00'],
    ]
    expect(brief(await read(ofAffiliate(ids), PERIOD))).toEqual(expected)
    await foldAllResults(server)
    expect(brief(await read(ofAffiliate(ids), PERIOD))).toEqual(expected)
    const { rows } = await sql`select value from result where affiliate_id = ${ids.affiliate_id}
    and value in ('boletin', 'radio', 'a', 'b', 'z')`.execute(server.db)
    expect(rows).toEqual([])
    await expectNoDrift()
  },
)

test('values are forgotten with those of their leads, what they counted for stays', async () => {
  const { ids } = await makePair(server.db)
  for (const created_at of ['2020-05-04T18:00:00Z', '2020-05-06T18:00:00Z'])
    await makeLead(server.db, { ...ids, created_at, utm_source: 'correo', lead_data: params({ sub1: 'ana' }) })
  await closeAll(server)
  await foldAllResults(server)
  const through = (task: string, to: string) =>
    asOwner(server.databaseUrl, async (owner) => {
      await sql`update retention set through = first_id_of(${to}::timestamptz)::text where task = ${task}`.execute(
        owner,
      )
    })
  const look = async (dimension: string) =>
    brief(await read(ofAffiliate(ids), `from=2020-05-01&to=2020-05-31&dimension=${dimension}`))
  await through('lead.lead_data', '2020-05-05T18:00:00Z')
  expect(await forgetResults(server.appDb, 100)).toBe(1)
  expect(await look('utm_source')).toEqual([['correo', 2, 0, 0, '0.00']])
  expect(await look('sub1')).toEqual([
    ['ana', 1, 0, 0, '0.00'],
    ['none', 1, 0, 0, '0.00'],
  ])
  await through('lead.origin', '2020-05-05T18:00:00Z')
  expect(await forgetResults(server.appDb, 100)).toBe(1)
  expect(await forgetResults(server.appDb, 100)).toBe(0)
  expect((await read(ofAffiliate(ids), 'from=2020-05-01&to=2020-05-31')).totals.leads).toBe(2)
  const leads = server.db.updateTable('lead').set({ utm_source: '', lead_data: null })
  await leads.where('affiliate_id', '=', ids.affiliate_id).where('created_at', '<', '2020-05-05').execute()
  await expectNoDrift()
})

test('a value that says more than its rows is found, whether or not anything was erased before', async () => {
  const { ids } = await makeCampaign()
  await closeAll(server)
  await foldAllResults(server)
  for (const isErasing of [true, false])
    await asOwner(server.databaseUrl, async (owner) => {
      if (!isErasing) await owner.deleteFrom('retention').execute()
      const own = owner
        .updateTable('result')
        .where('affiliate_id', '=', ids.affiliate_id)
        .where('value', '=', 'boletin')
      await own.set({ leads: sql`leads + 1` }).execute()
      const drift = await readResultDrift(server.db)
      await own.set({ leads: sql`leads - 1` }).execute()
      expect(new Set(drift.map(({ value }) => value))).toEqual(new Set(['boletin']))
    })
  await expectNoDrift()
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommissionReport, Network, Performance } from '#contract/boards.ts'
import { DATE_RANGE } from '#contract/fields.ts'
import { amountOf } from '#contract/payment-texts.ts'
import type { Payment } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { redirectPath } from '#contract/tracking.ts'
import { type Ids, makeAdjustment, makeEntry, makeEvent } from '#db/factories.ts'
import { paymentForm } from '../payments/testing.ts'
import {
  type Actor,
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeLead,
  makePair,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestServer,
} from '../testing.ts'
import { expectNoDrift } from '../totals/testing.ts'

let server: TestServer
let world: Awaited<ReturnType<typeof makeWorld>>
beforeAll(async () => {
  server = await startServer()
  world = await makeWorld()
})
afterAll(() => server.stop())

const base = '/api/v1/figures/reports/'
const MARCH = 'from=2025-03-01&to=2025-03-31'
const noon = (day: string) => `${day}T18:00:00Z`

/** Two issuers and two affiliates, all working together, with a March of leads and commissions behind them. */
async function makeWorld() {
  const { db } = server
  const issuers = [
    await makeIssuer(db, { company_name: 'Banco Norte' }),
    await makeIssuer(db, { company_name: 'Banco Sur' }),
  ]
  const affiliates = [
    await makeAffiliate(db, { company_name: 'Portal Oro' }),
    await makeAffiliate(db, { company_name: 'Portal Plata' }),
  ]
  const links: Ids[] = []
  for (const issuer of issuers) {
    const products = [await makeProduct(db, { issuer_id: issuer.id }), await makeProduct(db, { issuer_id: issuer.id })]
    for (const affiliate of affiliates) {
      const relationship = await makeRelationship(db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
      for (const product of products) {
        const pair = { relationship_id: relationship.id, affiliate_id: affiliate.id, issuer_id: issuer.id }
        links.push({ ...pair, product_id: product.id })
      }
    }
  }
  for (const [index, ids] of links.entries()) {
    await makeCommission(db, ids)
    for (let lead = 0; lead <= index; lead += 1)
      await makeLead(db, { ...ids, created_at: noon(addDays('2025-02-25', (lead * 7 + index) % 40)) })
    for (let entry = 0; entry <= index % 3; entry += 1)
      await makeEntry(db, ids, {
        amount: `${100 + index}.1${entry}`,
        earned_at: noon(addDays('2025-03-02', entry * 9)),
      })
  }
  return { issuers, affiliates, links }
}

const ask = async (actor: Actor, path: string) => (await server.as(actor)).get(base + path)
const get = async <T>(actor: Actor, path: string): Promise<T> => {
  const answer = await ask(actor, path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

const ADMIN: Actor = { role: 'admin' }
const issuerOf = (index: number): Actor => ({ role: 'issuer', issuerId: world.issuers[index]?.id ?? 0 })
const affiliateOf = (index: number): Actor => ({ role: 'affiliate', affiliateId: world.affiliates[index]?.id ?? 0 })
const cents = (amount: string): number => Math.round(Number(amount) * 100)
const total = <Row>(rows: Row[], of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0)

describe('performance', () => {
  test.each([
    ['the administrator', () => ADMIN, ''],
    ['an issuer', () => issuerOf(0), ''],
    ['an affiliate', () => affiliateOf(1), ''],
    ['one product', () => ADMIN, () => `product_id=${world.links[5]?.product_id}`],
    ['one pair', () => issuerOf(1), () => `affiliate_id=${world.affiliates[0]?.id}`],
  ])('%s: the leads are those that the list counts', async (_, actor, narrowed) => {
    const query = typeof narrowed === 'string' ? narrowed : narrowed()
    const year = 'from=2025-01-01&to=2025-12-31'
    const report = await get<Performance>(actor(), `performance/?${year}&${query}`)
    const list = await (await server.as(actor())).get(`/api/v1/leads/?${query}`)
    expect(report.totals.leads).toBe(list.json().data.pagination.count)
    expect(report.totals.leads).toBeGreaterThan(0)
    expect(total(report.days, ({ leads }) => leads)).toBe(report.totals.leads)
    expect(total(report.products, ({ leads }) => leads)).toBe(report.totals.leads)
  })

  test('leads, conversions and commission of a pair are those of its next payment', async () => {
    const admin = await server.as(ADMIN)
    for (const { relationship_id, affiliate_id, issuer_id } of world.links) {
      const preview = (
        await admin.get(
          `/api/v1/payments/preview/?relationship=${relationship_id}&period_start=2025-03-01&period_end=2025-03-31`,
        )
      ).json().data
      const { totals } = await get<Performance>(
        ADMIN,
        `performance/?${MARCH}&issuer_id=${issuer_id}&affiliate_id=${affiliate_id}`,
      )
      expect(totals).toEqual({
        leads: preview.total_leads,
        conversions: preview.total_conversions,
        conversion_rate: preview.conversion_rate,
        commission: preview.total_amount,
      })
    }
  })

  test('every day stands beside the day in its place before', async () => {
    const report = await get<Performance>(ADMIN, `performance/?${MARCH}`)
    expect(report.comparison).toEqual({
      period: report.period,
      previous_period: { from: '2025-01-29', to: '2025-02-28' },
    })
    expect(report.compared_totals).toEqual(report.totals)
    expect(report.days).toHaveLength(31)
    expect(report.days[0]).toMatchObject({ day: '2025-03-01', previous: { day: '2025-01-29', leads: 0 } })
    expect(report.days.at(-1)).toMatchObject({ day: '2025-03-31', previous: { day: '2025-02-28' } })
    const before = await get<Performance>(ADMIN, 'performance/?from=2025-01-29&to=2025-02-28')
    expect(report.previous_totals).toEqual(before.totals)
    expect(report.days.map(({ previous }) => previous)).toEqual(
      before.days.map(({ day, leads, conversions, commission }) => ({ day, leads, conversions, commission })),
    )
  })

  test('previews and bots are counted for whom they concern', async () => {
    const [link, other] = [world.links[0], world.links[7]] as [Ids, Ids]
    const count = ({ affiliate_id, issuer_id, product_id }: Ids, day: string, reason: string) => ({
      ...{ affiliate_id, issuer_id, product_id, day, reason },
      count: 3,
    })
    await server.db
      .insertInto('preview_count')
      .values([
        count(link, '2025-03-04', 'preview'),
        count(link, '2025-04-04', 'bot'),
        count(other, '2025-03-04', 'bot'),
        count(link, '2025-03-04', 'inactive'),
        count(other, '2025-03-04', 'unstored'),
      ])
      .execute()
    const previews = async (actor: Actor) => (await get<Performance>(actor, `performance/?${MARCH}`)).previews
    expect([await previews(ADMIN), await previews(issuerOf(0)), await previews(affiliateOf(1))]).toEqual([6, 3, 3])
  })

  test('a link that moves to another affiliate leaves its previews with the one who had them', async () => {
    const { ids } = await makePair(server.db)
    const heir = await makeAffiliate(server.db)
    const link = `${redirectPath(ids.relationship_id)}?product_id=${ids.product_id}`
    const previews = async (affiliateId: number) =>
      (await get<Performance>({ role: 'affiliate', affiliateId }, `performance/?to=${dateInMexico()}`)).previews
    await server.anonymous.get(link, { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } })
    await expect.poll(() => previews(ids.affiliate_id)).toBe(1)
    const moved = { affiliate_id: heir.id }
    await server.db.updateTable('relationship').set(moved).where('id', '=', ids.relationship_id).execute()
    expect([await previews(ids.affiliate_id), await previews(heir.id)]).toEqual([1, 0])
  })

  test('without a period it is the last thirty complete days', async () => {
    const { period } = await get<Performance>(ADMIN, 'performance/')
    expect(period).toEqual({ from: addDays(dateInMexico(), -30), to: addDays(dateInMexico(), -1) })
  })

  test.each([
    ['yesterday', -1, -1],
    ['the day before', -2, -1],
    ['today', 0, 0],
    ['tomorrow', 1, 1],
  ])('from %s on it ends with the last complete day, or where it begins', async (_, from, to) => {
    const [first, last] = [addDays(dateInMexico(), from), addDays(dateInMexico(), to)]
    const { period } = await get<Performance>(ADMIN, `performance/?from=${first}`)
    expect(period).toEqual({ from: first, to: last })
  })

  test.each([
    ['from=2025-03-02&to=2025-03-01', 'La fecha de fin no puede ser anterior a la de inicio'],
    ['from=2024-01-01&to=2025-03-01', 'El periodo no puede exceder 366 días'],
    ['from=0000-01-01&to=0000-01-02', DATE_RANGE],
    ['from=ayer', 'Fecha inválida'],
    ['to=[]', 'Fecha inválida'],
    ['product_id=x', 'Debe ser un identificador válido'],
  ])('%s is refused: %s', async (query, message) => {
    const answer = await ask(ADMIN, `performance/?${query}`)
    expect([answer.status, answer.json().message]).toEqual([400, message])
  })
})

describe('whose figures', () => {
  const paths = () => ['performance/', 'commissions/', `funnel/${world.links[0]?.product_id}/`]

  test('an issuer and an affiliate never read the name of somebody they do not work with', async () => {
    const stranger = await makePair(server.db)
    await makeEntry(server.db, stranger.ids, { earned_at: noon('2025-03-04') })
    for (const path of paths())
      for (const actor of [issuerOf(0), affiliateOf(0)]) {
        const { text } = await ask(actor, `${path}?${MARCH}`)
        for (const name of [stranger.issuer.company_name, stranger.affiliate.company_name, stranger.product.name])
          expect(text).not.toContain(`"${name}"`)
      }
  })

  test('an issuer sees neither the other issuer nor a list of issuers', async () => {
    const report = await get<Performance>(issuerOf(0), `performance/?${MARCH}`)
    expect(report.issuers).toEqual([])
    expect(report.affiliates.map(({ name }) => name).sort()).toEqual(['Portal Oro', 'Portal Plata'])
    expect(JSON.stringify(report)).not.toContain('Banco Sur')
  })

  test('an affiliate sees neither the other affiliate nor a list of affiliates', async () => {
    const report = await get<CommissionReport>(affiliateOf(0), `commissions/?${MARCH}`)
    expect(report.affiliates).toEqual([])
    expect(report.issuers.map(({ name }) => name).sort()).toEqual(['Banco Norte', 'Banco Sur'])
    expect(JSON.stringify(report)).not.toContain('Portal Plata')
  })

  test('an id of somebody else’s finds nothing', async () => {
    const other = world.issuers[1]?.id
    const report = await get<Performance>(issuerOf(0), `performance/?${MARCH}&issuer_id=${other}`)
    expect(report.totals).toEqual({ leads: 0, conversions: 0, conversion_rate: 0, commission: '0.00' })
    expect(report.products).toEqual([])
  })

  test('the funnel of somebody else’s product does not exist', async () => {
    const other = world.links.find(({ issuer_id }) => issuer_id === world.issuers[1]?.id)?.product_id
    expect((await ask(issuerOf(0), `funnel/${other}/`)).status).toBe(404)
    const stranger = await makeAffiliate(server.db)
    const actor: Actor = { role: 'affiliate', affiliateId: stranger.id }
    expect((await ask(actor, `funnel/${other}/`)).status).toBe(404)
  })

  test('the network is for the administrator', async () => {
    for (const actor of [issuerOf(0), affiliateOf(0)]) {
      expect((await ask(actor, 'network/')).status).toBe(403)
      expect((await ask(actor, 'tables/red-parejas/')).status).toBe(403)
    }
  })
})

test('the network adds up to its pairs, its issuers and its affiliates', async () => {
  const report = await get<Network>(ADMIN, `network/?${MARCH}`)
  for (const rows of [report.pairs, report.issuers, report.affiliates, report.products, report.days]) {
    expect(total<{ leads: number }>(rows, ({ leads }) => leads)).toBe(report.totals.leads)
    expect(total<{ conversions: number }>(rows, (row) => row.conversions)).toBe(report.totals.conversions)
    expect(total<{ commission: string }>(rows, (row) => cents(row.commission))).toBe(cents(report.totals.commission))
  }
  expect(report.states.earned).toBe(report.totals.commission)
})

test('who has nothing now nor before is in no ranking, and its relationships keep its name', async () => {
  const { ids, affiliate, issuer } = await makePair(server.db)
  const { id: affiliate_id } = await makeAffiliate(server.db)
  const { id: relationship_id } = await makeRelationship(server.db, { affiliate_id, issuer_id: issuer.id })
  const query = `${MARCH}&issuer_id=${issuer.id}`
  const march = { kind: 'adjustment', earned_at: noon('2025-03-04') }
  await makeAdjustment(server.db, ids, { ...march, amount: '70.00', state: 'reversed' })
  const { products, issuers, affiliates } = await get<Performance>(ADMIN, `performance/?${query}`)
  expect([products, issuers, affiliates]).toEqual([[], [], []])
  // What the issuer's two relationships earned cancels out.
  await makeAdjustment(server.db, ids, { ...march, amount: '50.00' })
  await makeAdjustment(server.db, { ...ids, affiliate_id, relationship_id }, { ...march, amount: '-50.00' })
  const network = await get<Network>(ADMIN, `network/?${query}`)
  expect(network.issuers).toEqual([])
  expect(network.pairs.map((pair) => [pair.issuer_name, pair.affiliate_id])).toEqual([
    [issuer.company_name, affiliate.id],
    [issuer.company_name, affiliate_id],
  ])
})

describe('commissions', () => {
  test('follow their payment and their rejection from state to state', async () => {
    const pair = await makePair(server.db)
    await makeCommission(server.db, pair.ids)
    const admin = await server.as(ADMIN)
    const actor: Actor = { role: 'affiliate', affiliateId: pair.affiliate.id }
    const totals = async () => (await get<CommissionReport>(actor, `commissions/?${MARCH}`)).totals
    const none = { accrued: '0.00', in_payment: '0.00', paid: '0.00', reversed: '0.00' }
    await makeEntry(server.db, pair.ids, { amount: '150.25', earned_at: noon('2025-03-04') })
    expect(await totals()).toEqual({ ...none, accrued: '150.25', earned: '150.25' })
    const form = { ...paymentForm(pair.relationship.id), payment_status: 'processing' }
    const { id } = (await admin.post('/api/v1/payments/', form)).json().data
    // Its difference is earned on the last day of its period, and reversed with it.
    expect(await totals()).toEqual({ ...none, in_payment: '1600.50', earned: '1600.50' })
    await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'paid' })
    expect(await totals()).toEqual({ ...none, paid: '1600.50', earned: '1600.50' })
    await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'cancelled', cancel_reason: 'El banco la devolvió' })
    expect(await totals()).toEqual({ ...none, accrued: '150.25', reversed: '1450.25', earned: '150.25' })
    await server.db
      .updateTable('commission_entry')
      .set({ state: 'reversed' })
      .where('issuer_id', '=', pair.issuer.id)
      .execute()
    expect(await totals()).toEqual({ ...none, reversed: '1600.50', earned: '0.00' })
    await expectNoDrift(server.db)
  })

  test('what is in payments is what the list of payments says', async () => {
    const admin = await server.as(ADMIN)
    const [first, second] = [world.links[0], world.links[4]] as [Ids, Ids]
    await admin.post('/api/v1/payments/', { ...paymentForm(first.relationship_id), payment_status: 'paid' })
    await admin.post('/api/v1/payments/', { ...paymentForm(second.relationship_id), payment_status: 'pending' })
    for (const actor of [ADMIN, issuerOf(0), issuerOf(1), affiliateOf(0), affiliateOf(1)]) {
      const { totals } = await get<CommissionReport>(actor, `commissions/?${MARCH}`)
      const payments: Payment[] = (await (await server.as(actor)).get('/api/v1/payments/')).json().data
      const held = (states: string[]) =>
        total(
          payments.filter(({ payment_status }) => states.includes(payment_status)),
          (payment) => cents(amountOf(payment)),
        )
      expect(cents(totals.paid)).toBe(held(['paid']))
      expect(cents(totals.in_payment)).toBe(held(['pending', 'processing']))
    }
    const report = await get<CommissionReport>(ADMIN, `commissions/?${MARCH}`)
    for (const rows of [report.days, report.products, report.issuers, report.affiliates])
      expect(total<{ earned: string }>(rows, ({ earned }) => cents(earned))).toBe(cents(report.totals.earned))
    expect(report.days).toHaveLength(31)
  })
})

describe('files', () => {
  test('hold the table with the filters of the screen, and leave a trace', async () => {
    const answer = await ask(issuerOf(0), `tables/rendimiento-afiliados/?${MARCH}`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('afluente-rendimiento-afiliados-')
    const report = await get<Performance>(issuerOf(0), `performance/?${MARCH}`)
    const [head, ...lines] = answer.text.trim().split('\r\n')
    expect(head).toContain('ID,Afiliado,Leads,Conversiones,Tasa de conversión (%),')
    expect(lines.map((line) => line.split(',').slice(0, 6))).toEqual(
      report.affiliates.map((row) =>
        [row.id, row.name, row.leads, row.conversions, row.conversion_rate, row.commission].map(String),
      ),
    )
    const trace = await server.db.selectFrom('audit_entry').selectAll().where('entity', '=', 'report').execute()
    expect(trace).toMatchObject([{ action: 'export', actor_role: 'issuer' }])
  })

  test('tell apart what has the same name: a step from the one before it, a company from another', async () => {
    const { ids, product, issuer, affiliate } = await makePair(server.db)
    const lead = await makeLead(server.db, { ...ids, created_at: noon('2025-03-04') })
    const approval = { product_id: product.id, name: 'Aprobado', event_type_id: 3 }
    // Side by side: one made in the millisecond in which the first is archived, or later, would be in its place.
    const retired = await makeStep(server.db, approval)
    await makeStep(server.db, approval)
    await makeEvent(server.db, lead, retired, { created_at: noon('2025-03-05') })
    await server.db
      .updateTable('event_step')
      .set({ archived_at: new Date(Date.now() + 1_000).toISOString() })
      .where('id', '=', retired.id)
      .execute()
    const linesOf = async (table: string) =>
      (await ask(ADMIN, `tables/${table}/?${MARCH}&product_id=${product.id}`)).text.trim().split('\r\n').slice(1)
    expect((await linesOf('embudo-pasos')).map((line) => line.split(',').slice(0, 3))).toEqual([
      ['Aprobado', 'aprobado', '0'],
      ['Aprobado (retirado)', 'aprobado', '1'],
    ])
    const [pair] = await linesOf('red-parejas')
    expect(pair).toContain(`${issuer.id},${issuer.company_name},${affiliate.id},${affiliate.company_name},1,`)
  })

  test('exist for every table', async () => {
    const tables = [
      ...['rendimiento-dias', 'rendimiento-productos', 'rendimiento-emisores', 'rendimiento-afiliados'],
      ...['comisiones-dias', 'comisiones-productos', 'comisiones-emisores', 'comisiones-afiliados'],
      ...['embudo-pasos', 'embudo-cosechas', 'red-parejas'],
    ]
    for (const table of tables) {
      const answer = await ask(ADMIN, `tables/${table}/?${MARCH}&product_id=${world.links[0]?.product_id}`)
      expect(answer.status, table).toBe(200)
      expect(answer.text.split('\r\n').length, table).toBeGreaterThan(table === 'embudo-cosechas' ? 1 : 2)
    }
    const without = await ask(ADMIN, 'tables/embudo-pasos/')
    expect([without.status, without.json().message]).toEqual([422, 'Debe seleccionar un producto'])
    expect((await ask(ADMIN, 'tables/otra/')).status).toBe(404)
  })
})

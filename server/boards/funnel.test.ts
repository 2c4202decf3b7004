import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Funnel } from '#contract/boards.ts'
import { addDays } from '#contract/time.ts'
import { makeEvent } from '#db/factories.ts'
import { type Actor, makeLead, makePair, makeStep, startServer, type TestServer } from '../testing.ts'
import { cohortsOf } from './funnel.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const MARCH = 'from=2025-03-01&to=2025-03-31'
const ADMIN: Actor = { role: 'admin' }
const noon = (day: string) => `${day}T18:00:00Z`

async function funnelOf(actor: Actor, productId: number): Promise<Funnel> {
  const answer = await (await server.as(actor)).get(`/api/v1/figures/reports/funnel/${productId}/?${MARCH}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

test('follows the leads of the period to each step, whenever they got there', async () => {
  const { ids, product, issuer } = await makePair(server.db)
  const types = [
    { event_type_id: 1, name: 'Solicitud' },
    { event_type_id: 4, name: 'Rechazado' },
    { event_type_id: 3, name: 'Aprobado' },
    { event_type_id: 5, name: 'Entregada' },
  ]
  const steps = []
  for (const [order, type] of types.entries())
    steps.push(await makeStep(server.db, { product_id: product.id, ...type, step_order: order + 1 }))
  const [asked, refused, approved] = steps as [(typeof steps)[0], (typeof steps)[0], (typeof steps)[0]]
  const reach = async (day: string, reached: { id: number; name: string }[]) => {
    const lead = await makeLead(server.db, { ...ids, created_at: noon(day) })
    for (const step of reached) await makeEvent(server.db, lead, step, { created_at: noon(addDays(day, 2)) })
  }
  for (let count = 0; count < 3; count += 1) await reach('2025-03-01', [])
  await reach('2025-03-01', [asked, approved])
  await reach('2025-03-30', [asked, refused])
  await reach('2025-03-31', [asked, approved])
  await reach('2025-02-28', [asked])
  const funnel = await funnelOf({ role: 'issuer', issuerId: issuer.id }, product.id)
  expect(funnel).toMatchObject({
    leads: 6,
    approval_step: 'Aprobado',
    product: { name: product.name },
    maturity_days: 14,
  })
  expect(
    funnel.steps.map(({ name, reached, share, lost, lost_share, events }) => [
      name,
      reached,
      share,
      lost,
      lost_share,
      events,
    ]),
  ).toEqual([
    ['Solicitud', 3, 50, 3, 50, 2],
    ['Rechazado', 1, 16.67, null, null, 0],
    ['Aprobado', 2, 33.33, 1, 33.33, 1],
    ['Entregada', 0, 0, 2, 100, 0],
  ])
  expect(funnel.cohorts).toHaveLength(31)
  expect(funnel.cohorts[0]).toEqual({
    ...{ from: '2025-03-01', to: '2025-03-01', leads: 4, approved: 1, approval_rate: 25, is_young: false },
  })
  await server.db
    .updateTable('event_step')
    .set({ archived_at: sql<string>`now()` })
    .where('id', 'in', [asked.id, steps[3]?.id ?? 0])
    .execute()
  const after = await funnelOf(ADMIN, product.id)
  expect(after.steps.map(({ name, archived }) => [name, archived])).toEqual([
    ['Rechazado', false],
    ['Aprobado', false],
    ['Solicitud', true],
  ])
})

test('a step made after another of its type was archived goes on where that one stopped', async () => {
  const { ids, product } = await makePair(server.db)
  const approval = { product_id: product.id, event_type_id: 3 }
  const approve = async (step: { id: number; name: string }) => {
    const lead = await makeLead(server.db, { ...ids, created_at: noon('2025-03-04') })
    await makeEvent(server.db, lead, step, { event_type_id: 3, created_at: noon('2025-03-05') })
    return lead
  }
  const first = await makeStep(server.db, { ...approval, name: 'Aprobado' })
  const beside = await makeStep(server.db, { ...approval, name: 'Aprobado en sucursal' })
  const leads = [await approve(first), await approve(first), await approve(first)]
  await approve(beside)
  const archived_at = sql<string>`now()`
  await server.db.updateTable('event_step').set({ archived_at }).where('id', '=', first.id).execute()
  expect((await funnelOf(ADMIN, product.id)).steps).toMatchObject([
    { name: 'Aprobado en sucursal', reached: 1 },
    { name: 'Aprobado', reached: 3, archived: true },
  ])
  await server.db.updateTable('event_step').set({ archived_at }).where('id', '=', beside.id).execute()
  const next = await makeStep(server.db, { ...approval, name: 'Aprobada' })
  await approve(next)
  const { steps, cohorts, approval_step } = await funnelOf(ADMIN, product.id)
  expect(steps).toMatchObject([{ name: 'Aprobada', reached: 5, events: 5, lost: 0, archived: false }])
  expect(approval_step).toBe('Aprobada')
  expect(cohorts.find(({ from }) => from === '2025-03-04')).toMatchObject({ leads: 5, approved: 5, approval_rate: 100 })
  // Told once more by the new step: no more leads than there are.
  for (const lead of leads) await makeEvent(server.db, lead, next, { event_type_id: 3, created_at: noon('2025-03-06') })
  expect((await funnelOf(ADMIN, product.id)).steps).toMatchObject([{ reached: 5, share: 100 }])
})

test('judges a cohort when nine of ten approvals would have come', async () => {
  const { ids, product } = await makePair(server.db)
  const step = await makeStep(server.db, { product_id: product.id, event_type_id: 3, step_order: 1 })
  for (let count = 0; count < 40; count += 1) {
    const lead = await makeLead(server.db, { ...ids, created_at: noon('2025-03-01') })
    await makeEvent(server.db, lead, step, {
      event_type_id: 3,
      created_at: noon(count < 38 ? '2025-03-05' : '2025-03-29'),
    })
  }
  const funnel = await funnelOf(ADMIN, product.id)
  expect(funnel.maturity_days).toBe(4)
})

test('cohorts are days, or weeks in a long period, and the newest are young', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      day: addDays('2025-03-31', index - count + 1),
      leads: 10,
      approved: 1,
    }))
  expect(
    cohortsOf(days(45), 3, '2025-03-31')
      .map(({ is_young }) => is_young)
      .indexOf(true),
  ).toBe(41)
  const weeks = cohortsOf(days(46), 3, '2025-04-04')
  expect(weeks).toHaveLength(7)
  expect(weeks[0]).toMatchObject({ from: '2025-02-14', to: '2025-02-17', leads: 40, approved: 4, approval_rate: 10 })
  expect(weeks.at(-1)).toMatchObject({ from: '2025-03-25', to: '2025-03-31', is_young: false })
  expect(cohortsOf([], 3)).toEqual([])
})

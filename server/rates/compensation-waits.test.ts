import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WaitingPage } from '#contract/commission-entries.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry, makeTerm } from '#db/factories.ts'
import { entriesOf, type Funnel, makeFunnel } from '../events/testing.ts'
import { makeLead, startServer, type TestClient, type TestServer, untilLockWait } from '../testing.ts'
import { expectConserved, expectNoDrift } from '../totals/testing.ts'
import { compensateRate, earn, listAdjustments, makeEarned, NOTE, previewRate, RATES, sinceToday } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(async () => {
  await expectNoDrift(server.db)
  await expectConserved(server.db)
  await server.stop()
})

const today = dateInMexico()
const ENTRIES = '/api/v1/commission-entries/'

/** With commissions of 500 that somebody has to approve, and be paid ten days later at the earliest. */
async function makeWaiting(leads: number) {
  const funnel = await makeFunnel(server)
  await makeTerm(server.db, { issuer_id: funnel.issuer.id, validation: 'explicit', validation_days: 10 })
  return makeEarned(server, leads, funnel)
}

const linesOf = async (funnel: Funnel) =>
  (await listAdjustments(server, funnel)).map(({ amount, state, due_on }) => `${amount} ${state} ${due_on}`)

const waitingOf = async ({ issuer }: Funnel): Promise<WaitingPage> =>
  (await admin.get(`${ENTRIES}waiting/?issuer_id=${issuer.id}`)).json().data

async function approve(ids: number[]): Promise<string[]> {
  const answer = await admin.post(`${ENTRIES}approve/`, { ids })
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data.map(({ outcome }: { outcome: string }) => outcome)
}

test('what waits for approval is compensated by what waits with it, and is approved with it alone', async () => {
  const { funnel, change } = await makeWaiting(2)
  await compensateRate(admin, change('600'))
  expect(await linesOf(funnel)).toEqual(['100.00 accrued infinity', '100.00 accrued infinity'])
  const listed = (await admin.get(`/api/v1/adjustments/?issuer_id=${funnel.issuer.id}`)).json().data.results
  expect(listed.map(({ due_on }: { due_on: string | null }) => due_on)).toEqual([null, null])
  const affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
  expect((await affiliate.get(`${ENTRIES}?standing=awaiting`)).json().data).toMatchObject({ amount: '1200.00' })
  const waiting = await waitingOf(funnel)
  expect(waiting).toMatchObject({ amount: '1000.00', pagination: { count: 2 } })
  expect(waiting.results.map(({ amount, compensation }) => [amount, compensation])).toEqual([
    ['500.00', '100.00'],
    ['500.00', '100.00'],
  ])
  const [made] = await listAdjustments(server, funnel)
  expect(await approve([made?.id ?? 0, made?.compensates ?? 0])).toEqual(['not_found', 'approved'])
  const due = addDays(today, 10)
  expect(await linesOf(funnel)).toEqual([`100.00 accrued ${due}`, '100.00 accrued infinity'])
  expect(await waitingOf(funnel)).toMatchObject({ amount: '500.00' })
  const [trail] = (await admin.get('/api/v1/audit/?entity=commission_entry')).json().data.results
  expect(trail).toMatchObject({ action: 'approve', changes: { amount: [null, '600.00'] } })
})

test('what waits is rejected and comes back with its lead, and waits again', async () => {
  const { funnel, change, earned } = await makeWaiting(1)
  const id = earned[0]?.id
  await compensateRate(admin, change('450'))
  await admin.post(`/api/v1/leads/${id}/reject/`, { reason_code: 'fraude' })
  expect(await linesOf(funnel)).toEqual(['-50.00 reversed infinity'])
  await admin.post(`/api/v1/leads/${id}/restore/`, { note: 'El banco lo aclaró' })
  expect(await linesOf(funnel)).toEqual(['-50.00 accrued infinity'])
  expect(await waitingOf(funnel)).toMatchObject({ amount: '500.00' })
})

test('approved while it is being compensated, it takes along what compensates it', async () => {
  const { funnel, change } = await makeWaiting(3)
  const ids = (await waitingOf(funnel)).results.map(({ id }) => id)
  const [{ entries }] = await Promise.all([compensateRate(admin, change('600')), approve(ids)])
  expect(entries).toBe(3)
  const line = `100.00 accrued ${addDays(today, 10)}`
  expect(await linesOf(funnel)).toEqual([line, line, line])
})

test('what is held is not compensated, and the preview says how many', async () => {
  const { funnel, change } = await makeEarned(server, 2)
  const [held] = await server.db
    .selectFrom('commission_entry')
    .select('id')
    .where('issuer_id', '=', funnel.issuer.id)
    .orderBy('id')
    .execute()
  const hold = { reason: 'fraude', note: 'Se revisa con el banco' }
  expect((await admin.post(`${ENTRIES}${held?.id}/hold/`, hold)).status).toBe(200)
  expect((await previewRate(admin, change('600'))).compensation).toEqual({
    ...{ entries: 1, paid: 0, amount: '100.00', held: 1 },
  })
  await compensateRate(admin, change('600'))
  expect(await linesOf(funnel)).toEqual([`100.00 accrued ${today}`])
  // Released, it is what another change finds missing.
  expect((await admin.post(`${ENTRIES}${held?.id}/release/`, { note: 'El banco lo aclaró' })).status).toBe(200)
  expect((await previewRate(admin, change('600', 120_000))).compensation).toMatchObject({ entries: 1, held: 0 })
})

test('what is earned between what was shown and what is written is not compensated', async () => {
  const { funnel, change } = await makeEarned(server, 1)
  const shown = { ...sinceToday, note: NOTE, entries: 1, amount: '100.00' }
  const answer = await server.db.transaction().execute(async (tx) => {
    // Rows are still read and locked, but no other ones written.
    await sql`lock table commission_entry in share mode`.execute(tx)
    const asked = admin.post(RATES, { ...change('600'), compensation: shown })
    await untilLockWait(server.db)
    await makeEntry(tx, funnel.ids, { amount: '500.00' })
    return { asked }
  })
  expect((await answer.asked).status).toBe(201)
  expect(await linesOf(funnel)).toEqual([`100.00 accrued ${today}`])
})

test.each([true, false])(
  'a change begins when it is through, not when it was asked for; compensating: %s',
  async (compensates) => {
    const { funnel, owner } = await makeEarned(server, 1)
    const { product, affiliate, steps } = funnel
    const lead = await makeLead(server.db, funnel.ids)
    const compensation = compensates ? { ...sinceToday, note: NOTE, entries: 1, amount: '100.00' } : null
    const { asked } = await server.db.transaction().execute(async (tx) => {
      // Of all who write into the trail, this one comes first.
      await sql`select pg_advisory_xact_lock(hashtextextended('audit_chain', 0))`.execute(tx)
      const asked = admin.post(RATES, { ...owner, amount: '600', compensation })
      await untilLockWait(server.db)
      await earn(funnel, lead)
      return { asked }
    })
    expect((await asked).json().data.to).toBe('600.00')
    const [entry] = await entriesOf(server, lead.id)
    const { rows } = await sql`select amount
    from rate_at(${product.id}, ${affiliate.id}, ${steps.aprobado.id}, ${entry?.earned_at})`.execute(server.db)
    expect([entry?.amount, rows]).toEqual(['500.00', [{ amount: '500.00' }]])
    const after = await earn(funnel, await makeLead(server.db, funnel.ids))
    expect((await entriesOf(server, after.id))[0]?.amount).toBe('600.00')
    expect(await linesOf(funnel)).toEqual(compensates ? [`100.00 accrued ${today}`] : [])
  },
)

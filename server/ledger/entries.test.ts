import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/time.ts'
import { historiesOr } from '#db/testing.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { setRate } from '../rates/set.ts'
import { makeLead, startServer, type TestServer } from '../testing.ts'

let server: TestServer
let funnel: Funnel
beforeAll(async () => {
  server = await startServer()
  funnel = await makeFunnel(server)
})
afterAll(() => server.stop())

const send = ({ client }: Funnel, tracking_id: string, event_type: TypeName, event_id?: string) =>
  client.post(EVENTS, { tracking_id, event_type, event_id: event_id ?? `${tracking_id} ${event_type}` })

const summary = async (leadId: number) =>
  (await entriesOf(server, leadId))
    .map(({ step_id, amount, state, reason }) => ({ step_id, amount, state, reason }))
    .sort((a, b) => Number(a.step_id) - Number(b.step_id))

const makePayment = ({ ids }: Funnel, leadId: number, state: 'in_payment' | 'paid') =>
  server.db.transaction().execute(async (tx) => {
    const { relationship_id, affiliate_id, issuer_id } = ids
    const totals = { total_leads: 1, total_conversions: 1, total_amount: '500.00', calculated_amount: '500.00' }
    // A payment's period is its own, so every lead here gets another.
    const period = { period_start: '2025-01-01', period_end: addDays('2025-02-01', leadId) }
    const { id } = await tx
      .insertInto('payment')
      .values({ relationship_id, affiliate_id, issuer_id, ...totals, ...period })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.updateTable('commission_entry').set({ state, payment_id: id }).where('lead_id', '=', leadId).execute()
    return id
  })

test('the order, the repetition and the interleaving of events change nothing', async () => {
  const types: TypeName[] = ['step_1', 'aprobado', 'rechazado', 'entregado']
  const expected = (seen: Set<TypeName>) =>
    (['aprobado', 'entregado'] as const)
      .filter((type) => seen.has(type))
      .map((type) => ({
        step_id: funnel.steps[type].id,
        amount: '500.00',
        state: seen.has('rechazado') ? 'reversed' : 'accrued',
        reason: seen.has('rechazado') ? `Lead rechazado: ${funnel.steps.rechazado.name}` : null,
      }))
  const history = fc.array(fc.record({ lead: fc.nat(1), type: fc.constantFrom(...types) }), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (events, together) => {
      const leads = [await makeLead(server.db, funnel.ids), await makeLead(server.db, funnel.ids)]
      const sendOne = ({ lead, type }: (typeof events)[number]) => send(funnel, leads[lead]?.tracking_id ?? '', type)
      if (together) await Promise.all(events.map(sendOne))
      else for (const event of events) await sendOne(event)
      for (const [index, lead] of leads.entries()) {
        const seen = new Set(events.filter((event) => event.lead === index).map((event) => event.type))
        expect(await summary(lead.id)).toEqual(expected(seen))
      }
    }),
    { numRuns: historiesOr(15) },
  )
})

test('an entry keeps the amount of its moment', async () => {
  const own = await makeFunnel(server)
  const { tracking_id, id } = own.lead
  await send(own, tracking_id, 'aprobado')
  await server.db
    .transaction()
    .execute((tx) =>
      setRate(tx, { product_id: own.product.id, commission_id: own.commission.id, event_step_id: null }, '750.50'),
    )
  expect((await send(own, tracking_id, 'entregado')).json().data.commission.amount).toBe('750.50')
  const again = await send(own, tracking_id, 'aprobado', 'otra vez')
  expect([again.status, again.json().data.commission]).toEqual([201, null])
  expect((await summary(id)).map(({ amount }) => amount)).toEqual(['500.00', '750.50'])
})

test('without a commission in force at click and event, and on a step that does not pay, nothing is earned', async () => {
  const own = await makeFunnel(server)
  expect((await send(own, own.lead.tracking_id, 'step_1')).json().data.commission).toBeNull()
  const archived_at = new Date().toISOString()
  await server.db.updateTable('commission').set({ archived_at }).where('id', '=', own.commission.id).execute()
  const later = await makeLead(server.db, own.ids)
  const answer = await send(own, later.tracking_id, 'aprobado')
  expect([answer.status, answer.json().data.commission]).toEqual([201, null])
})

test('a rejection takes an entry out of its payment and says why; a repetition is reported as one', async () => {
  const lead = await makeLead(server.db, funnel.ids)
  await send(funnel, lead.tracking_id, 'aprobado')
  const paymentId = await makePayment(funnel, lead.id, 'in_payment')
  await send(funnel, lead.tracking_id, 'rechazado')
  const reason = `Lead rechazado: ${funnel.steps.rechazado.name}`
  const reversed = { state: 'reversed', payment_id: paymentId, amount: '500.00', reason }
  expect(await entriesOf(server, lead.id)).toMatchObject([reversed])
  const again = await send(funnel, lead.tracking_id, 'aprobado')
  const commission = { amount: '500.00', currency: 'MXN', status: 'reversed' }
  expect([again.status, again.json().data]).toMatchObject([200, { duplicate: true, commission }])
})

test('what was paid stays, and one negative entry settles it however often the rejection comes', async () => {
  const lead = await makeLead(server.db, funnel.ids)
  await send(funnel, lead.tracking_id, 'aprobado')
  await makePayment(funnel, lead.id, 'paid')
  const ids = Array.from({ length: 10 }, (_, index) => `${lead.tracking_id} rechazo ${index}`)
  const answers = await Promise.all(ids.map((id) => send(funnel, lead.tracking_id, 'rechazado', id)))
  expect(answers.map((answer) => answer.status)).toEqual(ids.map(() => 201))
  expect(answers.map((answer) => answer.json().data.commission)).toEqual(ids.map(() => null))
  const [paid, negative, ...others] = await entriesOf(server, lead.id)
  expect(others).toEqual([])
  expect(paid).toMatchObject({ state: 'paid', amount: '500.00', reversal_of: null })
  const reason = `Lead rechazado: ${funnel.steps.rechazado.name}`
  const takenBack = { state: 'accrued', amount: '-500.00', reason, payment_id: null }
  const event = (await eventsOf(server, lead.id)).find(({ id }) => id === negative?.lead_event_id)
  expect(negative).toMatchObject({ ...takenBack, reversal_of: paid?.id, converts: -Number(paid?.converts) })
  expect(event).toMatchObject({ event_type_name: 'rechazado' })
})

import { ApiKeys } from '../companies/api-keys.ts'
import { makeCommission, makeLead, makePair, makeStep, TEST_SECRET, TestClient, type TestServer } from '../testing.ts'

export const EVENTS = '/api/v1/events/lead-events/'

const typeIds = { step_1: 1, step_2: 2, aprobado: 3, rechazado: 4, entregado: 5 } as const
export type TypeName = keyof typeof typeIds

/** An issuer with its key, a product with a step of every type of which aprobado and entregado pay 500, and a lead. */
export async function makeFunnel(server: Pick<TestServer, 'db' | 'origin'>) {
  const { db } = server
  const pair = await makePair(db)
  const commission = await makeCommission(db, pair.ids)
  const steps = {} as Record<TypeName, Awaited<ReturnType<typeof makeStep>>>
  for (const [order, name] of (Object.keys(typeIds) as TypeName[]).entries())
    steps[name] = await makeStep(db, {
      product_id: pair.product.id,
      event_type_id: typeIds[name],
      step_order: order + 1,
      is_payout_event: name === 'aprobado' || name === 'entregado',
    })
  const keys = new ApiKeys(db, TEST_SECRET)
  const key = await keys.create(db, { issuerId: pair.issuer.id }, 'api')
  const token = await keys.create(db, { issuerId: pair.issuer.id }, 'postback')
  const lead = await makeLead(db, pair.ids)
  const client = new TestClient(server.origin, { 'x-api-key': key })
  return { ...pair, commission, steps, key, token, lead, client }
}

export type Funnel = Awaited<ReturnType<typeof makeFunnel>>

export const entriesOf = ({ db }: Pick<TestServer, 'db'>, leadId: number) =>
  db.selectFrom('commission_entry').selectAll().where('lead_id', '=', leadId).orderBy('id').execute()

export const eventsOf = ({ db }: Pick<TestServer, 'db'>, leadId: number) =>
  db.selectFrom('lead_event').selectAll().where('lead_id', '=', leadId).orderBy('id').execute()

export const rejectedOf = ({ db }: TestServer, issuerId: number) =>
  db.selectFrom('rejected_postback').selectAll().where('issuer_id', '=', issuerId).orderBy('id').execute()

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import { dateInMexico } from '#contract/time.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { makeLead, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

async function send({ client }: Funnel, lead: { tracking_id: string }, ...types: TypeName[]): Promise<void> {
  for (const event_type of types) {
    const { tracking_id } = lead
    const answer = await client.post(EVENTS, { tracking_id, event_type, event_id: `${tracking_id} ${event_type}` })
    expect(answer.status, answer.text).toBe(201)
  }
}

async function standingIn(client: TestClient, id: number) {
  const { state, amount } = (await client.get(`/api/v1/leads/${id}/`)).json().data as Lead
  return [state, amount]
}

const standing = (lead: { id: number }) => standingIn(admin, lead.id)

async function pay({ relationship }: Funnel, total_amount: string): Promise<{ id: number; relationship: number }> {
  const today = dateInMexico()
  const period = { period_start: `${Number(today.slice(0, 4)) - 1}-01-01`, period_end: today }
  const form = { ...paymentForm(relationship.id), ...period, total_amount, payment_status: 'paid' }
  const answer = await admin.post('/api/v1/payments/', form)
  expect(answer.status, answer.text).toBe(201)
  return answer.json().data
}

async function change(id: number, changes: Record<string, unknown>): Promise<void> {
  const answer = await admin.put(`/api/v1/payments/${id}/`, changes)
  expect(answer.status, answer.text).toBe(200)
}

test('a lead goes from click to approved, and is paid while its payment is', async () => {
  const funnel = await makeFunnel(server)
  const { lead } = funnel
  expect(await standing(lead)).toEqual(['click', null])
  await send(funnel, lead, 'step_1')
  expect(await standing(lead)).toEqual(['in_process', null])
  await send(funnel, lead, 'aprobado')
  expect(await standing(lead)).toEqual(['approved', '500.00'])
  const payment = await pay(funnel, '500.00')
  expect(await standing(lead)).toEqual(['paid', '500.00'])
  await change(payment.id, { payment_status: 'processing' })
  expect(await standing(lead)).toEqual(['approved', '500.00'])
  await change(payment.id, { payment_status: 'paid' })
  await send(funnel, lead, 'entregado')
  expect(await standing(lead)).toEqual(['approved', '1000.00'])
  await change(payment.id, { payment_status: 'cancelled', cancel_reason: 'Se pagó a otra cuenta' })
  expect(await standing(lead)).toEqual(['approved', '1000.00'])
})

test('a rejection counts whenever it came, and takes back what was paid', async () => {
  const funnel = await makeFunnel(server)
  const [before, after, paid] = [
    funnel.lead,
    await makeLead(server.db, funnel.ids),
    await makeLead(server.db, funnel.ids),
  ]
  await send(funnel, before, 'rechazado', 'aprobado')
  await send(funnel, after, 'aprobado', 'rechazado')
  expect([await standing(before), await standing(after)]).toEqual([
    ['rejected', null],
    ['rejected', null],
  ])
  await send(funnel, paid, 'aprobado')
  await pay(funnel, '500.00')
  await send(funnel, paid, 'rechazado')
  expect(await standing(paid)).toEqual(['rejected', '0.00'])
})

test('the three roles read the same of it, in the list and in the file', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, funnel.lead, 'step_1', 'aprobado')
  const clients = [
    admin,
    await server.as({ role: 'issuer', issuerId: funnel.issuer.id }),
    await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id }),
  ]
  const query = `product_id=${funnel.product.id}`
  for (const client of clients) {
    const [lead] = (await client.get(`/api/v1/leads/?${query}`)).json().data.results as Lead[]
    expect([lead?.state, lead?.amount]).toEqual(['approved', '500.00'])
    const { text } = await client.get(`/api/v1/exports/leads/?${query}`)
    expect(text.trimEnd()).toMatch(/,Estado,"Monto \(MXN, antes de IVA y retenciones\)"\r\n.*,Aprobado,500\.00$/)
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { makePair, startServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('whoever sees a lead sees what it earned, and nobody else', async () => {
  const { client, lead, steps, ids } = await makeFunnel(server)
  await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'aprobado', event_id: 'uno' })
  const path = `/api/v1/leads/${lead.id}/entries/`
  const { issuer_id: issuerId, affiliate_id: affiliateId } = ids
  const own = [{ role: 'admin' }, { role: 'issuer', issuerId }, { role: 'affiliate', affiliateId }] as const
  for (const person of own) {
    const answer = await (await server.as(person)).get(path)
    expect(answer.json().data).toMatchObject([
      { lead_id: lead.id, step_name: steps.aprobado.name, amount: '500.00', state: 'accrued', payment_id: null },
    ])
  }
  const other = (await makePair(server.db)).ids
  for (const person of [
    { role: 'issuer', issuerId: other.issuer_id },
    { role: 'affiliate', affiliateId: other.affiliate_id },
  ] as const)
    expect((await (await server.as(person)).get(path)).status).toBe(404)
  expect((await (await server.as({ role: 'admin' })).get('/api/v1/leads/999999999/entries/')).status).toBe(404)
})

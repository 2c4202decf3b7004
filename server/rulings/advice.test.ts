import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS, entriesOf, makeFunnel } from '../events/testing.ts'
import { makeLead, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

async function read<T>(client: TestClient, path: string): Promise<T> {
  const answer = await client.get(path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

type Read = { label: string; advice: string }
const GROUP = 'Política de crédito'
const NO_MORE = 'El emisor no da más detalle: promueve el producto entre quienes cumplen sus requisitos.'

test('what an affiliate reads of a reason about finances is the same for all of them, also as an advice', async () => {
  const funnel = await makeFunnel(server)
  const { affiliate, issuer, client } = funnel
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const bank = await server.as({ role: 'issuer', issuerId: issuer.id })
  const admin = await server.as({ role: 'admin' })
  const secret = { code: 'deuda', label: 'Demasiadas deudas', group_label: GROUP, is_financial: true }
  expect((await admin.post('/api/v1/reject-reasons/', { ...secret, advice: '' })).status).toBe(201)
  const reasons = await read<{ code: string; label: string; advice: string }[]>(admin, '/api/v1/reject-reasons/')
  const readings = new Set<string>()
  for (const code of ['buro', 'capacidad', 'ingreso', 'deuda', 'edad']) {
    const lead = await makeLead(server.db, funnel.ids)
    const events = [{ event_type: 'aprobado' }, { event_type: 'rechazado', reason_code: code }]
    for (const event of events)
      expect((await client.post(EVENTS, { tracking_id: lead.tracking_id, ...event })).status).toBe(201)
    const [entry] = await entriesOf(server, lead.id)
    const paths = { lead: `/api/v1/leads/${lead.id}/`, explain: `/api/v1/explain/entry/${entry?.id}/` }
    const { rejection } = await read<{ rejection: Read }>(own, paths.lead)
    const page = await read<{ results: { lead_id: number; reject_label: string; advice: string }[] }>(
      own,
      '/api/v1/commission-entries/',
    )
    const line = page.results.find(({ lead_id }) => lead_id === lead.id)
    const { sentence } = await read<{ sentence: string }>(own, paths.explain)
    const reason = reasons.find((one) => one.code === code)
    const told = code === 'edad' ? reason : { label: GROUP, advice: NO_MORE }
    expect(rejection).toMatchObject({ label: told?.label, advice: told?.advice })
    expect(line).toMatchObject({ reject_label: told?.label, advice: told?.advice })
    expect(sentence).toContain(`Lead rechazado: ${told?.label}. ${told?.advice}`)
    if (code !== 'edad') readings.add(JSON.stringify([rejection.label, rejection.advice]))
    for (const client of [bank, admin]) {
      const { code: known, label, advice } = reason ?? {}
      expect((await read<{ rejection: Read }>(client, paths.lead)).rejection).toMatchObject({
        code: known,
        label,
        advice,
      })
      expect((await read<{ sentence: string }>(client, paths.explain)).sentence).toContain(advice)
    }
  }
  expect(readings.size).toBe(1)
  const file = await own.get('/api/v1/exports/commission-entries/?format=csv')
  expect(file.text.split(NO_MORE)).toHaveLength(5)
  for (const { code, label, advice } of reasons.filter(({ code }) => ['buro', 'capacidad', 'ingreso'].includes(code)))
    for (const hidden of [label, advice]) expect(file.text, code).not.toContain(hidden)
})

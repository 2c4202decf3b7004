import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Explanation } from '#contract/explain.ts'
import type { Import } from '#contract/imports.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel } from '../events/testing.ts'
import { applied, at, csvOf, mappingOf, simulated, whenDone } from '../imports/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { FILES, makeLead, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

async function report({ client, lead }: Funnel, event_id: string, tracking_id = lead.tracking_id): Promise<void> {
  const answer = await client.post(EVENTS, { tracking_id, event_type: 'aprobado', event_id })
  expect(answer.status, answer.text).toBe(201)
}

async function pay({ relationship }: Funnel, total_amount: string, days: number): Promise<number> {
  const period = { period_start: addDays(dateInMexico(), -days), period_end: dateInMexico() }
  const form = { ...paymentForm(relationship.id), ...period, total_amount, payment_status: 'paid' }
  const answer = await admin.post('/api/v1/payments/', form)
  expect(answer.status, answer.text).toBe(201)
  return answer.json().data.id
}

/** Another commission pays what was taken back. */
async function settle(funnel: Funnel): Promise<number> {
  const other = await makeLead(server.db, funnel.ids)
  await report(funnel, 'otro', other.tracking_id)
  return pay(funnel, '0.00', 5)
}

async function apply({ lead, issuer }: Funnel, state: string): Promise<Import> {
  const owner = await server.as({ role: 'issuer', issuerId: issuer.id })
  return applied(owner, await simulated(owner, csvOf([[lead.tracking_id, state, '']]), mappingOf({ reasons: [] })))
}

async function undo({ id }: Import): Promise<void> {
  await admin.post(at(id, 'undo-preview/'))
  const { previewed_at } = await whenDone(admin, id)
  const answer = await admin.post(at(id, 'undo/'), { reason: 'Archivo equivocado', previewed_at })
  expect(answer.status, answer.text).toBe(202)
  await whenDone(admin, id)
}

const lineOf = async ({ lead }: Funnel) =>
  (await entriesOf(server, lead.id)).map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)

/** The last entry of the lead, as its affiliate reads it. */
async function lastOf({ lead, affiliate }: Funnel): Promise<Explanation> {
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const entry = (await entriesOf(server, lead.id)).at(-1)
  const answer = await own.get(`/api/v1/explain/entry/${entry?.id}/`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

const kindsOf = ({ nodes }: Explanation) => nodes.map(({ kind }) => kind)
const reportedAgain = ({ issuer, steps }: Funnel) => `${issuer.company_name} reportó de nuevo «${steps.aprobado.name}»`

test('what a file earned and its undoing took back is told so, also when the step was reported again', async () => {
  const funnel = await makeFunnel(server)
  const file = await apply(funnel, 'APROBADA')
  const payment = await pay(funnel, '500.00', 3)
  await undo(file)
  const why = new RegExp(
    `^-\\$500\\.00 porque el .{16} se anuló el evento que ganó la comisión del lead .{8}…, que ya se había pagado en el pago ${payment}\\.`,
  )
  const charged = await lastOf(funnel)
  expect(charged.sentence).toMatch(why)
  expect(charged.sentence).toMatch(/ Se descontará de un pago próximo\.$/)
  await report(funnel, 'otra vez')
  expect(await lineOf(funnel)).toEqual(['commission 500.00 paid', 'reversal -500.00 reversed'])
  const lifted = await lastOf(funnel)
  expect(lifted.sentence).toMatch(why)
  expect(lifted.sentence).toMatch(/ Se reportó de nuevo\.$/)
  expect(kindsOf(lifted)).toEqual(['rate', 'click', 'import', 'event', 'payment', 'void', 'entry', 'event'])
  expect(lifted.nodes.at(-1)).toMatchObject({ title: reportedAgain(funnel), amount: null })
  expect(JSON.stringify(lifted)).not.toContain('otra vez')
})

test('what a new report gave back after the charge was settled names that report', async () => {
  const funnel = await makeFunnel(server)
  const file = await apply(funnel, 'APROBADA')
  await pay(funnel, '500.00', 3)
  await undo(file)
  const payment = await settle(funnel)
  await report(funnel, 'otra vez')
  expect((await lineOf(funnel)).at(-1)).toBe('restoration 500.00 accrued')
  const { sentence, nodes } = await lastOf(funnel)
  expect(sentence).toMatch(
    new RegExp(
      `^\\$500\\.00 porque el .{16} la comisión del lead .{8}…, que se había descontado en el pago ${payment}, `,
    ),
  )
  expect(sentence).toContain(
    `, volvió a valer: ${reportedAgain(funnel)}. Se reportó de nuevo: espera entrar en un pago.`,
  )
  expect(nodes.map(({ title }) => title)).toContain(reportedAgain(funnel))
})

test('what was free when its file was undone counts again by the report, not by a person', async () => {
  const funnel = await makeFunnel(server)
  await undo(await apply(funnel, 'APROBADA'))
  await report(funnel, 'otra vez')
  expect(await lineOf(funnel)).toEqual(['commission 500.00 accrued'])
  const { sentence, nodes } = await lastOf(funnel)
  expect(sentence).toMatch(/ Se reportó de nuevo: espera entrar en un pago\.$/)
  expect(nodes.at(-1)?.title).toBe(reportedAgain(funnel))
})

test('a rejection that was undone with its file is neither a reactivation nor told as one', async () => {
  const funnel = await makeFunnel(server)
  await report(funnel, 'folio-1')
  await pay(funnel, '500.00', 3)
  const file = await apply(funnel, 'RECHAZADA')
  expect((await lastOf(funnel)).sentence).toContain('se rechazó el lead ')
  const payment = await settle(funnel)
  await undo(file)
  const { sentence, nodes } = await lastOf(funnel)
  expect(sentence).toMatch(/^\$500\.00 porque el .{16} se anuló el rechazo del lead /)
  expect(sentence).toContain(`pago ${payment}. Se anuló el rechazo: espera entrar en un pago.`)
  expect(nodes.map(({ kind }) => kind)).not.toContain('restore')
})

test('a charge that came back after a reactivation says what it is for now', async () => {
  const funnel = await makeFunnel(server)
  const file = await apply(funnel, 'APROBADA')
  await pay(funnel, '500.00', 3)
  for (const [what, form] of [
    ['reject', { reason_code: 'zona' }],
    ['restore', { note: 'El banco lo aclaró' }],
  ] as const)
    expect((await admin.post(`/api/v1/leads/${funnel.lead.id}/${what}/`, form)).status).toBe(200)
  expect((await lastOf(funnel)).sentence).toMatch(/ se rechazó el lead .* Reactivada\.$/)
  await undo(file)
  expect(await lineOf(funnel)).toEqual(['commission 500.00 paid', 'reversal -500.00 accrued'])
  expect((await lastOf(funnel)).sentence).toContain(' se anuló el evento que ganó la comisión ')
})

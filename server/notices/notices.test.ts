import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notices } from '#contract/notices.ts'
import { addDays, dateInMexico, dayFirst } from '#contract/time.ts'
import { makeEntry, makeEvent, makeReceiver, makeUser } from '#db/factories.ts'
import { bearing, makeAccount, PASSWORD } from '../auth/testing.ts'
import { until } from '../deliveries/deliveries.testing.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { retainOnce } from '../privacy/retention.ts'
import {
  makeLead,
  makePair,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { announceSilence } from './silence.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const NOTICES = '/api/v1/notices/'
const noticesOf = async (client: TestClient): Promise<Notices> => (await client.get(NOTICES)).json().data
const textsOf = async (client: TestClient) => (await noticesOf(client)).results.map(({ text }) => text)

async function peopleOf({ affiliate, issuer }: Pick<Funnel, 'affiliate' | 'issuer'>) {
  return {
    ofAffiliate: await server.as({ role: 'affiliate', affiliateId: affiliate.id }),
    ofIssuer: await server.as({ role: 'issuer', issuerId: issuer.id }),
  }
}

const send = async ({ client, lead }: Funnel, event_type: TypeName, event_id: string, more: object = {}) =>
  expect((await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type, event_id, ...more })).status).toBe(201)

const rowsOf = (affiliateId: number) =>
  server.db
    .selectFrom('notice')
    .selectAll()
    .where('company_id', '=', affiliateId)
    .where('role', '=', 'affiliate')
    .execute()

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** As if nothing had been fanned out: what is there already must stay as it is. */
const fanOutAgain = () => sql`select make_notices(0, (select max(id) from occurrence))`.execute(server.db)

test('what an affiliate earns is one sentence a day, told once whatever is repeated', async () => {
  const funnel = await makeFunnel(server)
  const { ofAffiliate, ofIssuer } = await peopleOf(funnel)
  for (const id of ['a', 'b', 'c'])
    await send({ ...funnel, lead: await makeLead(server.db, funnel.ids) }, 'aprobado', id)
  await send(funnel, 'step_1', 'd')
  await until(() => textsOf(ofAffiliate)).toEqual([`3 comisiones por $1,500.00 de ${funnel.product.name}`])
  const before = await rowsOf(funnel.affiliate.id)
  await fanOutAgain()
  expect(await rowsOf(funnel.affiliate.id)).toEqual(before)
  expect(before).toHaveLength(3)
  expect(await textsOf(ofIssuer)).toEqual([])
})

test('a rejection is told with its reason, a financial one with its group alone, and what it takes back', async () => {
  const funnel = await makeFunnel(server)
  const { ofAffiliate } = await peopleOf(funnel)
  await send(funnel, 'aprobado', 'a')
  await send(funnel, 'rechazado', 'b', { reason_code: 'buro' })
  const [reason] = await server.db.selectFrom('reject_reason').selectAll().where('code', '=', 'buro').execute()
  const of = `de ${funnel.product.name}`
  await until(() => textsOf(ofAffiliate)).toHaveLength(3)
  const texts = await textsOf(ofAffiliate)
  expect(texts).toContain(`1 comisión por $500.00 ${of}`)
  expect(texts.join()).toContain(`1 lead rechazado ${of}. Motivo: ${reason?.group_label}`)
  expect(texts.join()).toContain(`1 comisión revertida por $500.00 ${of}`)
  expect(texts.join()).not.toContain(reason?.label)
})

test('a payment is told to both sides, in their own words', async () => {
  const pair = await makePair(server.db)
  const { ofAffiliate, ofIssuer } = await peopleOf(pair)
  await makeEntry(server.db, pair.ids, { earned_at: '2025-03-10T18:00:00Z' })
  const form = { ...paymentForm(pair.ids.relationship_id), total_amount: '500.00' }
  const { id } = (await admin.post('/api/v1/payments/', form)).json().data
  await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'paid' })
  const period = 'periodo del 01/03/2025 al 31/03/2025'
  await until(() => textsOf(ofAffiliate)).toEqual([
    `Pago realizado por $500.00 de ${pair.issuer.company_name}, ${period}`,
    `Nuevo pago por $500.00 de ${pair.issuer.company_name}, ${period}`,
  ])
  expect(await textsOf(ofIssuer)).toEqual([
    `Pago realizado por $500.00 a ${pair.affiliate.company_name}, ${period}`,
    `Nuevo pago por $500.00 a ${pair.affiliate.company_name}, ${period}`,
  ])
  expect((await noticesOf(ofAffiliate)).results[0]).toMatchObject({ type: 'payment.paid', payment: id, is_read: false })
})

test('another commission is told to who earns it, a default to who has no commission', async () => {
  const funnel = await makeFunnel(server)
  const { product, ids } = funnel
  const { ofAffiliate, ofIssuer } = await peopleOf(funnel)
  const other = await makePair(server.db)
  await makeRelationship(server.db, { affiliate_id: other.affiliate.id, issuer_id: ids.issuer_id })
  const without = await server.as({ role: 'affiliate', affiliateId: other.affiliate.id })
  const RATES = '/api/v1/rates/'
  const valid_from = '2099-12-01T06:00:00Z'
  await ofIssuer.put(`/api/v1/payouts/${funnel.commission.id}/`, { payout: '550' })
  const announced = { commission_id: funnel.commission.id, amount: '600', valid_from }
  const made = await ofIssuer.post(RATES, announced)
  expect(made.status, made.text).toBe(201)
  await until(() => textsOf(ofAffiliate)).toHaveLength(2)
  expect((await ofIssuer.post(`${RATES}${made.json().data.id}/cancel/`)).status).toBeLessThan(300)
  expect((await ofIssuer.post(RATES, { product_id: product.id, amount: '100' })).status).toBe(201)
  const what = `Tu comisión de ${product.name}`
  await until(() => textsOf(ofAffiliate)).toEqual([
    `${what}: se canceló el cambio programado`,
    `${what} será de $600.00 desde el 1 de diciembre de 2099`,
    `${what} es de $550.00`,
  ])
  await until(() => textsOf(without)).toEqual([`${what} es de $100.00`])
})

test('what is held and let go is told to who earned it and to other administrators, with its reason alone', async () => {
  const { ids, affiliate, issuer, product } = await makePair(server.db)
  const { ofAffiliate, ofIssuer } = await peopleOf({ affiliate, issuer })
  const other = await server.as({ role: 'admin' })
  const entries = [await makeEntry(server.db, ids, {}), await makeEntry(server.db, ids, {})]
  for (const { id } of entries) {
    const form = { reason: 'aclaracion', note: 'Se revisa con el banco' }
    expect((await admin.post(`/api/v1/commission-entries/${id}/hold/`, form)).status).toBe(200)
  }
  const [first] = entries
  const note = 'El banco lo aclaró'
  expect((await admin.post(`/api/v1/commission-entries/${first?.id}/release/`, { note })).status).toBe(200)
  const [two, one] = [`2 comisiones por $1,000.00 de ${product.name}`, `1 comisión por $500.00 de ${product.name}`]
  await until(() => textsOf(ofAffiliate)).toEqual([
    `Se liberó ${one}`,
    `Se retuvieron ${two}. Motivo: Aclaración en curso`,
  ])
  const told = async (client: TestClient) => (await textsOf(client)).filter((text) => text.includes(product.name))
  const name = affiliate.company_name
  expect(await told(other)).toEqual([
    `Se liberó ${one} a ${name}`,
    `Se retuvieron ${two} a ${name}. Motivo: Aclaración en curso`,
  ])
  expect(await told(admin)).toEqual([])
  expect(await textsOf(ofIssuer)).toEqual([])
  // Where it leads: to the lead, of what is of one.
  const leads = (await noticesOf(other)).results.filter(({ text }) => text.includes(product.name))
  expect(leads.map(({ lead }) => lead)).toEqual([first?.lead_id, null])
})

test('what is held of a lead and of a bonus is of no one lead', async () => {
  const { ids, product } = await makePair(server.db)
  const other = await server.as({ role: 'admin' })
  const { id } = await makeEntry(server.db, ids, {})
  const note = 'Se revisa con el banco'
  const form = { relationship: ids.relationship_id, product_id: product.id, kind: 'bonus', amount: '100.00', note }
  const bonus = (await admin.post('/api/v1/adjustments/', form)).json().data
  for (const each of [id, bonus.id])
    await admin.post(`/api/v1/commission-entries/${each}/hold/`, { reason: 'aclaracion', note })
  const told = async () => (await noticesOf(other)).results.filter(({ text }) => text.includes(product.name))
  await until(told).toMatchObject([{ text: expect.stringContaining('2 comisiones por $600.00'), lead: null }])
})

test('conditions of payment are told to whom they hold for, and that they are cancelled', async () => {
  const [mine, other] = [await makePair(server.db), await makePair(server.db)]
  await makeRelationship(server.db, { affiliate_id: other.affiliate.id, issuer_id: mine.ids.issuer_id })
  const [me, they] = [(await peopleOf(mine)).ofAffiliate, (await peopleOf(other)).ofAffiliate]
  const stranger = (await peopleOf(await makePair(server.db))).ofAffiliate
  const [soon, later] = [addDays(dateInMexico(), 400), addDays(dateInMexico(), 401)]
  const make = async (form: object): Promise<number> => {
    return (await admin.post('/api/v1/terms/', { valid_from: soon, ...form })).json().data.id
  }
  const { issuer, product } = mine
  await make({ relationship_id: mine.relationship.id, validation: 'explicit' })
  await make({ product_id: product.id, validation_days: 30 })
  const id = await make({ issuer_id: issuer.id, validation_days: 0, validation: 'automatic' })
  expect((await admin.post(`/api/v1/terms/${id}/cancel/`)).status).toBe(200)
  await make({ valid_from: later })
  const of = (whom: string) => `ondiciones de pago de ${whom} desde el ${dayFirst(soon)}`
  const ofAll = `Nuevas condiciones de pago de toda la red desde el ${dayFirst(later)}: como las más generales`
  const ofIssuer = [
    `Se cancelaron las c${of(issuer.company_name)}`,
    `Nuevas c${of(issuer.company_name)}: sin días de validación, sin aprobación`,
    `Nuevas c${of(product.name)}: 30 días de validación`,
  ]
  await until(() => textsOf(stranger)).toEqual([ofAll])
  expect(await textsOf(they)).toEqual([ofAll, ...ofIssuer])
  expect(await textsOf(me)).toEqual([ofAll, ...ofIssuer, `Nuevas c${of(issuer.company_name)}: con aprobación`])
})

test('links that stop and go on are told to who has them', async () => {
  const pair = await makePair(server.db)
  const { ofAffiliate } = await peopleOf(pair)
  const { product, issuer, relationship } = pair
  for (const product_status of ['inactive', 'inactive', 'active'])
    await admin.put(`/api/v1/products/${product.id}/`, { product_status })
  await until(() => textsOf(ofAffiliate)).toHaveLength(2)
  await admin.put(`/api/v1/relationships/${relationship.id}/`, { relationship_status: 'inactive' })
  await until(() => textsOf(ofAffiliate)).toEqual([
    `Terminó tu relación con ${issuer.company_name}: sus enlaces no reciben clics`,
    `${product.name} está activo otra vez: sus enlaces ya reciben clics`,
    `${product.name} está en pausa: sus enlaces no reciben clics`,
  ])
})

test('an issuer that stops, goes on or is deleted is one notice each, and none to who does not promote it', async () => {
  const pair = await makePair(server.db)
  const { issuer } = pair
  await makeProduct(server.db, { issuer_id: issuer.id })
  const other = (await makePair(server.db)).affiliate
  await makeRelationship(server.db, { affiliate_id: other.id, issuer_id: issuer.id, relationship_status: 'inactive' })
  const { ofAffiliate } = await peopleOf(pair)
  const without = await server.as({ role: 'affiliate', affiliateId: other.id })
  for (const user_status of ['inactive', 'inactive', 'active'])
    expect((await admin.put(`/api/v1/issuers/${issuer.id}/`, { user_status })).status).toBe(200)
  await until(() => textsOf(ofAffiliate)).toHaveLength(2)
  expect((await admin.delete(`/api/v1/issuers/${issuer.id}/`)).status).toBe(204)
  await until(() => textsOf(ofAffiliate)).toEqual([
    `Terminó tu relación con ${issuer.company_name}: sus enlaces no reciben clics`,
    `${issuer.company_name} está activo otra vez: sus enlaces ya reciben clics`,
    `${issuer.company_name} está en pausa: sus enlaces no reciben clics`,
  ])
  expect(await textsOf(without)).toEqual([])
})

test('links that do not work stop no more: neither those of an issuer whose products are paused, nor of an inactive pair', async () => {
  const pair = await makePair(server.db)
  const { ofAffiliate } = await peopleOf(pair)
  await admin.put(`/api/v1/products/${pair.product.id}/`, { product_status: 'inactive' })
  await until(() => textsOf(ofAffiliate)).toHaveLength(1) // it is told to who promotes it at that moment
  await admin.put(`/api/v1/issuers/${pair.issuer.id}/`, { user_status: 'inactive' })
  await admin.put(`/api/v1/relationships/${pair.relationship.id}/`, { relationship_status: 'inactive' })
  expect((await admin.delete(`/api/v1/relationships/${pair.relationship.id}/`)).status).toBe(204)
  const { affiliate_id, issuer_id } = pair.ids
  expect((await admin.post('/api/v1/relationships/', { affiliate_id, issuer_id })).status).toBe(201)
  await until(() => textsOf(ofAffiliate)).toEqual([
    `Ya puedes promover los productos de ${pair.issuer.company_name}`,
    `Terminó tu relación con ${pair.issuer.company_name}: sus enlaces no reciben clics`,
    `${pair.product.name} está en pausa: sus enlaces no reciben clics`,
  ])
})

test('keys are told to who may read them', async () => {
  const { affiliate } = await makePair(server.db)
  const actor = { role: 'affiliate', affiliateId: affiliate.id } as const
  const [owner, colleague, reader] = [await server.as(actor), await server.as(actor), await server.as(actor)]
  const readers = await server.db
    .selectFrom('user')
    .select('id')
    .where('affiliate_id', '=', affiliate.id)
    .orderBy('id')
    .execute()
  await server.db
    .updateTable('user')
    .set({ duty: 'reader' })
    .where('id', '=', readers.at(-1)?.id ?? 0)
    .execute()
  const path = `/api/v1/affiliates/${affiliate.id}/`
  expect((await owner.post(`${path}api-key/`, {})).status).toBeLessThan(300)
  await owner.get(path)
  await until(() => textsOf(colleague)).toEqual([
    'Ana Prueba vio las claves de la empresa',
    'Se cambió una clave de la empresa: API key',
  ])
  // Who looked need not be told; that it was changed is told to everybody who may read it.
  expect(await textsOf(owner)).toEqual(['Se cambió una clave de la empresa: API key'])
  expect(await textsOf(reader)).toEqual([])
})

test('who signs in on a device that is new to them is told so, not with the first and not again', async () => {
  const { email, id } = await makeAccount(server)
  const enter = async (browser: string) => {
    const headers = { 'user-agent': `${browser} (Windows NT 10.0; Win64; x64)` }
    const answer = await server.anonymous.post('/api/v1/auth/login/', { email, password: PASSWORD }, { headers })
    return bearing(server, answer.json().data.access)
  }
  for (const browser of ['Firefox/140', 'Firefox/141', 'Chrome/150', 'Firefox/141']) await enter(browser)
  const client = await enter('Chrome/151')
  await until(() => textsOf(client)).toEqual(['Inicio de sesión en un dispositivo nuevo: Chrome en Windows'])
  const announced = await server.db.selectFrom('occurrence').select('type').where('user_id', '=', id).execute()
  expect(announced).toHaveLength(1)
})

test('notices are read up to what was seen, or one by one, and nobody reads or marks those of others', async () => {
  const [mine, theirs] = [await makePair(server.db), await makePair(server.db)]
  const me = (await peopleOf(mine)).ofAffiliate
  const they = (await peopleOf(theirs)).ofAffiliate
  for (const { product } of [mine, theirs])
    for (const product_status of ['inactive', 'active', 'inactive'])
      await admin.put(`/api/v1/products/${product.id}/`, { product_status })
  await until(async () => (await noticesOf(they)).unread).toBe(3)
  await until(async () => (await noticesOf(me)).unread).toBe(3)
  const own = (await noticesOf(me)).results
  const foreign = (await noticesOf(they)).results
  expect((await me.post(`${NOTICES}read/`, { through: foreign[0]?.id, only: true })).status).toBe(204)
  expect((await noticesOf(they)).unread).toBe(3)
  expect((await noticesOf(me)).unread).toBe(3)
  await me.post(`${NOTICES}read/`, { through: own[1]?.id, only: true })
  expect((await noticesOf(me)).results.map(({ is_read }) => is_read)).toEqual([false, true, false])
  await me.post(`${NOTICES}read/`, { through: own[2]?.id })
  expect((await noticesOf(me)).results.map(({ is_read }) => is_read)).toEqual([false, true, true])
  await me.post(`${NOTICES}read/`, { through: own[0]?.id })
  expect((await noticesOf(me)).unread).toBe(0)
  expect((await noticesOf(they)).unread).toBe(3)
})

test('who goes to another company reads nothing more of the one before', async () => {
  const [before, after] = [await makePair(server.db), await makePair(server.db)]
  const me = (await peopleOf(before)).ofAffiliate
  await admin.put(`/api/v1/products/${before.product.id}/`, { product_status: 'inactive' })
  await until(async () => (await noticesOf(me)).unread).toBe(1)
  await server.db
    .updateTable('user')
    .set({ affiliate_id: after.affiliate.id })
    .where('affiliate_id', '=', before.affiliate.id)
    .execute()
  await until(() => noticesOf(me)).toEqual({ results: [], unread: 0 })
})

test('nobody who is suspended is told anything', async () => {
  const { product, affiliate } = await makePair(server.db)
  await makeUser(server.db, { role: 'affiliate', affiliateId: affiliate.id }, { user_status: 'suspended' })
  const active = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  await admin.put(`/api/v1/products/${product.id}/`, { product_status: 'inactive' })
  await until(async () => (await noticesOf(active)).unread).toBe(1)
  expect(await rowsOf(affiliate.id)).toHaveLength(1)
})

test('a receiver that is paused is told to its owner and to the network, one that fails to its owner alone', async () => {
  const { affiliate } = await makePair(server.db)
  const owner = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const { id, name } = await makeReceiver(server.db, { affiliate_id: affiliate.id })
  const row = { affiliate_id: affiliate.id, receiver_id: id }
  await server.db
    .insertInto('occurrence')
    .values([
      { ...row, type: 'receiver.failing' },
      { ...row, type: 'receiver.paused' },
    ])
    .execute()
  await until(() => textsOf(owner)).toEqual([
    `«${name}» está en pausa: corrige la dirección y reanúdalo`,
    `«${name}» no responde bien: lo que debe recibir espera`,
  ])
  const ofNetwork = (await textsOf(admin)).filter((text) => text.includes(name))
  expect(ofNetwork).toEqual([`«${name}» de ${affiliate.company_name} está en pausa: corrige la dirección y reanúdalo`])
})

test('an issuer that fell silent is told of once, to itself and to the network, and again with its next silence', async () => {
  const { ids, product, issuer } = await makePair(server.db)
  const ofIssuer = await server.as({ role: 'issuer', issuerId: issuer.id })
  const step = await makeStep(server.db, { product_id: product.id })
  const send = async (days: number) =>
    makeEvent(server.db, { ...(await makeLead(server.db, ids)), issuer_id: issuer.id }, step, { created_at: ago(days) })
  for (const days of [9, 8, 7]) await send(days)
  for (let each = 0; each < 2; each++) await announceSilence(server.appDb)
  await until(() => textsOf(ofIssuer)).toHaveLength(1)
  for (const days of [6, 5, 4]) await send(days)
  for (let each = 0; each < 2; each++) await announceSilence(server.appDb)
  await until(() => textsOf(ofIssuer)).toEqual([
    expect.stringContaining('No llegan eventos de tu sistema desde el '),
    expect.stringContaining('No llegan eventos de tu sistema desde el '),
  ])
  const toNetwork = (await noticesOf(admin)).results.filter(({ text }) =>
    text.includes(`No llegan eventos de ${issuer.company_name}`),
  )
  expect(toNetwork.map((notice) => notice.issuer)).toEqual([issuer.id, issuer.id])
})

test('notices are kept for ninety days', async () => {
  const { affiliate } = await makePair(server.db)
  const user = await makeUser(server.db, { role: 'affiliate', affiliateId: affiliate.id })
  await sql`truncate notice`.execute(server.db)
  const row = { user_id: user.id, role: 'affiliate', company_id: affiliate.id, type: 'device.new', params: '{}' }
  await server.db
    .insertInto('notice')
    .values(
      [91, 91, 89].map((days, index) => ({
        ...row,
        occurrence_id: -1 - index,
        in_product: true,
        mail: 'off',
        created_at: ago(days),
      })),
    )
    .execute()
  const terms = { rejectedDays: 90, addressDays: 30, dataMonths: 24, recordYears: 5 }
  expect((await retainOnce(server.appDb, terms)).notice).toBe(2)
  expect(await rowsOf(affiliate.id)).toHaveLength(1)
})

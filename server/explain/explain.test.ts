import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Explainable, Explanation } from '#contract/explain.ts'
import { sumAmounts } from '#contract/money.ts'
import { LATER_CHANGE } from '#contract/payment-texts.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeAdjustment } from '#db/factories.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { asOwner, makeDefault, makeLead, makePair, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

async function send({ client, lead }: Funnel, event_type: TypeName, more: object = {}): Promise<void> {
  const answer = await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type, ...more })
  expect(answer.status, answer.text).toBe(201)
}

async function pay({ relationship }: Funnel): Promise<number> {
  const period = { period_start: addDays(dateInMexico(), -1), period_end: dateInMexico() }
  const form = { ...paymentForm(relationship.id), ...period, total_amount: '500.00', payment_status: 'paid' }
  const answer = await admin.post('/api/v1/payments/', form)
  expect(answer.status, answer.text).toBe(201)
  return answer.json().data.id
}

async function explained(client: TestClient, id: number): Promise<Explanation> {
  const answer = await client.get(`/api/v1/explain/entry/${id}/`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

const idsOf = async ({ lead }: Funnel) => (await entriesOf(server, lead.id)).map(({ id }) => id)
const asAffiliate = ({ affiliate }: Funnel) => server.as({ role: 'affiliate', affiliateId: affiliate.id })

test('an amount leads back over its payment, event and click to its rate', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado', { event_id: 'folio-77' })
  const payment = await pay(funnel)
  const [id = 0] = await idsOf(funnel)
  const whole = await explained(admin, id)
  expect(whole.subject).toEqual({ kind: 'entry', id, amount: '500.00', standing: 'paid' })
  expect(whole.nodes.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['rate', null],
    ['click', null],
    ['event', '500.00'],
    ['payment', '500.00'],
  ])
  expect(whole.nodes.at(-1)).toMatchObject({
    title: `La comisión se pagó en el pago ${payment}`,
    link: { id: payment },
  })
  expect((await wholeOf(admin, 'payment', payment)).sentence).toContain('1 comisión que suma $500.00.')
  expect(whole.gaps).toEqual([])
  const start = `\\$500\\.00 porque el \\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2} ${funnel.issuer.company_name} reportó «`
  expect(whole.sentence).toMatch(new RegExp(`^${start}`))
  expect(whole.sentence).toContain(`por el enlace de ${funnel.affiliate.company_name} el `)
  expect(whole.sentence).toMatch(/Tarifa vigente desde el .* Pagada en el pago \d+\.?/)
  const event = whole.nodes.find(({ kind }) => kind === 'event')
  expect(event?.facts).toContainEqual({ label: 'ID del evento', value: 'folio-77' })
  const own = await explained(await asAffiliate(funnel), id)
  expect(own.sentence).toContain('que llegó por tu enlace el ')
  expect(JSON.stringify(own)).not.toMatch(/folio-77|Huella|Red de origen/)
})

const factsIn = ({ nodes }: Explanation, kind: string) =>
  Object.fromEntries(nodes.find((node) => node.kind === kind)?.facts.map(({ label, value }) => [label, value]) ?? [])

test('an event says how it came: by which way, with which key, signed or not', async () => {
  const funnel = await makeFunnel(server)
  const { client, key, token, issuer, ids } = funnel
  const leads = await Promise.all([1, 2, 3].map(() => makeLead(server.db, ids)))
  const [alone, among, posted] = leads as [Funnel['lead'], Funnel['lead'], Funnel['lead']]
  await send({ ...funnel, lead: alone }, 'aprobado', { event_data: { plan: 'Oro' } })
  const events = [{ tracking_id: among.tracking_id, event_type: 'aprobado' }]
  expect((await client.post(`${EVENTS}batch/`, { events })).json().data.results[0].status).toBe(201)
  const parameters = new URLSearchParams({ token, click_id: posted.tracking_id, event: 'aprobado' })
  expect((await server.anonymous.get(`/api/v1/events/postback/?${parameters}`)).status).toBe(200)
  const owned = await server.as({ role: 'issuer', issuerId: issuer.id })
  const seen = async (viewer: TestClient, lead: Funnel['lead']) => {
    const [entry] = await entriesOf(server, lead.id)
    return factsIn(await explained(viewer, entry?.id ?? 0), 'event')
  }
  const Clave = `${key.slice(0, 8)}…`
  const single = {
    'Llegó por': 'API, un evento por llamada',
    Clave,
    Firma: 'Sin firma',
    'Red de origen': '127.0.0.0/24',
  }
  expect(await seen(owned, alone)).toMatchObject({ ...single, Contenido: '{"plan":"Oro"}' })
  expect(await seen(admin, among)).toMatchObject({ 'Llegó por': 'API, en lote', Clave })
  expect(await seen(admin, posted)).toMatchObject({
    'Llegó por': 'Postback por parámetros',
    Clave: `${token.slice(0, 8)}…`,
  })
  const own = await seen(await asAffiliate(funnel), alone)
  expect(Object.keys(own)).toEqual(['Producto', 'Fuente', 'Llegó por'])
  // Sent again in another way it is the same event.
  const again = await client.post(`${EVENTS}batch/`, {
    events: [{ tracking_id: alone.tracking_id, event_type: 'aprobado', event_data: { plan: 'Oro' } }],
  })
  expect(again.json().data.results[0]).toMatchObject({ status: 200, data: { duplicate: true } })
  const rejected = await owned.post(`/api/v1/leads/${alone.id}/reject/`, { reason_code: 'duplicado' })
  expect(rejected.status, rejected.text).toBe(200)
  const [entry] = await entriesOf(server, alone.id)
  expect(factsIn(await explained(admin, entry?.id ?? 0), 'rejection')).toMatchObject({ 'Llegó por': 'Panel' })
})

test('what a default paid by a step says so', async () => {
  const funnel = await makeFunnel(server)
  const { product, steps, commission } = funnel
  await makeDefault(server.db, { product_id: product.id }, '300.00')
  await makeDefault(server.db, { product_id: product.id, event_step_id: steps.aprobado.id }, '350.00')
  await server.db.updateTable('commission').set({ archived_at: new Date() }).where('id', '=', commission.id).execute()
  const lead = await makeLead(server.db, funnel.ids)
  await send({ ...funnel, lead }, 'aprobado')
  const [entry] = await entriesOf(server, lead.id)
  const whole = await explained(await asAffiliate(funnel), entry?.id ?? 0)
  expect(whole.nodes[0]).toMatchObject({
    title: 'Tarifa general del producto: $350.00 por lead',
    facts: [{ label: 'Paso', value: steps.aprobado.name }],
  })
  expect(whole.sentence).toContain('Tarifa general vigente desde el ')
  expect(whole.gaps).toEqual([])
})

test('a tracking id, or the number of a lead, a commission or a payment finds what may be explained', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const payment = await pay(funnel)
  const { lead, issuer, affiliate } = funnel
  const [entry = 0] = await idsOf(funnel)
  const found = async (client: TestClient, q: string | number) => {
    const answer = await client.get(`/api/v1/explain/?q=${q}`)
    expect(answer.status, answer.text).toBe(200)
    return (answer.json().data as Explainable[]).map(({ kind, id }) => `${kind} ${id}`)
  }
  const owned = [await asAffiliate(funnel), await server.as({ role: 'issuer', issuerId: issuer.id }), admin]
  for (const client of owned) {
    expect(await found(client, lead.tracking_id)).toEqual([`lead ${lead.id}`])
    expect(await found(client, lead.tracking_id.toUpperCase())).toEqual([`lead ${lead.id}`])
    expect(await found(client, entry)).toContain(`entry ${entry}`)
    expect(await found(client, payment)).toContain(`payment ${payment}`)
    expect(await found(client, lead.id)).toContain(`lead ${lead.id}`)
    for (const nothing of ['', 'abc', '0', '99999999999999999999', lead.tracking_id.slice(0, 8)])
      expect(await found(client, nothing)).toEqual([])
  }
  const [answer] = (await admin.get(`/api/v1/explain/?q=${payment}`)).json().data as Explainable[]
  if (answer?.kind === 'payment') expect(answer.title).toContain(affiliate.company_name)
  const other = await makePair(server.db)
  for (const actor of [
    { role: 'issuer', issuerId: other.issuer.id },
    { role: 'affiliate', affiliateId: other.affiliate.id },
  ] as const)
    for (const q of [lead.tracking_id, entry, payment, lead.id])
      expect(await found(await server.as(actor), q)).toEqual([])
})

test('what was taken back and given back is told for each of its entries, and adds up', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const payment = await pay(funnel)
  await send(funnel, 'rechazado', { reason_code: 'buro' })
  const [first = 0, back = 0] = await idsOf(funnel)
  const taken = await explained(admin, back)
  expect(taken.subject.amount).toBe('-500.00')
  expect(taken.sentence).toMatch(/^-\$500\.00 porque el .* se rechazó el lead .* ya se había pagado en el pago/)
  expect(taken.sentence).toContain(`pago ${payment}. Se descontará de un pago próximo.`)
  expect(taken.nodes.map(({ kind }) => kind)).toEqual(['rate', 'click', 'event', 'payment', 'rejection', 'entry'])
  const seen = await explained(await asAffiliate(funnel), first)
  expect(seen.nodes.find(({ kind }) => kind === 'rejection')?.facts).toContainEqual({
    label: 'Motivo',
    value: 'Política de crédito',
  })
  const restored = await admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, { note: 'El banco lo aclaró' })
  expect(restored.status, restored.text).toBe(200)
  const after = await explained(admin, first)
  expect(after.nodes.map(({ kind }) => kind)).toContain('restore')
  expect(after.nodes.find(({ kind }) => kind === 'entry')?.title).toBe('Cargo por cancelación (ya no cuenta)')
})

test('what was earned before rates had dates says what it cannot tell', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const [id = 0] = await idsOf(funnel)
  await asOwner(server.databaseUrl, async (owner) => {
    await owner.updateTable('commission_entry').set({ rate_id: null }).where('id', '=', id).execute()
  })
  const { gaps, nodes, sentence } = await explained(admin, id)
  expect(gaps).toEqual(['Es anterior al registro de tarifas con fecha: no consta desde cuándo valía.'])
  expect(nodes.map(({ kind }) => kind)).toEqual(['click', 'event'])
  expect(sentence).not.toContain('Tarifa')
  await send(funnel, 'entregado')
  expect((await wholeOf(admin, 'lead', funnel.lead.id)).gaps).toEqual(gaps)
})

const wholeOf = async (client: TestClient, kind: string, id: number): Promise<Explanation> => {
  const answer = await client.get(`/api/v1/explain/${kind}/${id}/`)
  expect(answer.status, answer.text).toBe(200)
  const explanation: Explanation = answer.json().data
  expect(sumAmounts(explanation.parts.map(({ amount }) => amount))).toBe(explanation.subject.amount)
  return explanation
}

test('a lead is the sum of its commissions, and a payment of its own with what was typed beside them', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  await send(funnel, 'entregado')
  const { lead, relationship } = funnel
  const whole = await wholeOf(admin, 'lead', lead.id)
  expect(whole.sentence).toMatch(/^\$1,000\.00 por 2 comisiones del lead .* por el enlace de /)
  expect(whole.parts.map(({ amount, standing }) => [amount, standing])).toEqual([
    ['500.00', 'payable'],
    ['500.00', 'payable'],
  ])
  expect(whole.nodes.filter(({ kind }) => kind === 'event')).toHaveLength(2)
  const period = { period_start: addDays(dateInMexico(), -1), period_end: dateInMexico() }
  const form = {
    ...paymentForm(relationship.id),
    ...period,
    total_amount: '1250.00',
    adjustment_reason: 'Bono de mayo',
  }
  const made = await admin.post('/api/v1/payments/', form)
  expect(made.status, made.text).toBe(201)
  const { id } = made.json().data
  const paid = await wholeOf(await asAffiliate(funnel), 'payment', id)
  expect(paid.parts.at(-1)).toEqual({ entry: null, standing: null, title: 'Ajuste: Bono de mayo', amount: '250.00' })
  expect(paid.sentence).toContain('2 comisiones que suman $1,000.00 y un ajuste de $250.00')
  await send(funnel, 'rechazado')
  expect((await wholeOf(admin, 'lead', lead.id)).sentence).toMatch(/^\$0\.00 por 0 comisiones .* Está rechazado: /)
  const changed = await wholeOf(admin, 'payment', id)
  const none = { entry: null, standing: null }
  expect(changed.parts).toEqual([
    { ...none, title: LATER_CHANGE, amount: '1000.00' },
    { ...none, title: 'Ajuste: Bono de mayo', amount: '250.00' },
  ])
  expect(changed.sentence).toContain(
    '0 comisiones que suman $0.00, un cambio posterior de comisiones de $1,000.00 y un ajuste de $250.00.',
  )
  const cancelled = { payment_status: 'cancelled', cancel_reason: 'Se repite el pago' }
  expect((await admin.put(`/api/v1/payments/${id}/`, cancelled)).status).toBe(200)
  expect((await wholeOf(admin, 'payment', id)).subject.amount).toBe('0.00')
})

test('a payment names its bonuses and adjustments by what they are for, and counts them apart', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const { relationship, issuer, ids } = funnel
  await makeAdjustment(server.db, ids, { amount: '250.00', note: 'Meta de volumen' })
  await makeAdjustment(server.db, ids, { kind: 'adjustment', amount: '-50.00', note: 'Se pagó de más' })
  const period = { period_start: addDays(dateInMexico(), -1), period_end: dateInMexico() }
  const made = await admin.post('/api/v1/payments/', {
    ...paymentForm(relationship.id),
    ...period,
    total_amount: '700',
  })
  const { id } = made.json().data
  for (const client of [admin, await server.as({ role: 'issuer', issuerId: issuer.id }), await asAffiliate(funnel)]) {
    const { parts, sentence } = await wholeOf(client, 'payment', id)
    expect(parts.map(({ title, amount }) => [title, amount])).toEqual([
      [expect.stringMatching(/, lead \d+$/), '500.00'],
      ['Bono: Meta de volumen', '250.00'],
      ['Ajuste: Se pagó de más', '-50.00'],
    ])
    expect(sentence).toContain('1 comisión, 1 bono y 1 ajuste que suman $700.00. Está pendiente.')
  }
})

test('of a payment that holds many, the first are named, and the rest is counted and added up', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const { relationship, ids } = funnel
  const bonus = () => makeAdjustment(server.db, ids, { amount: '1.00' })
  await Promise.all(Array.from({ length: 201 }, bonus))
  for (let times = 0; times < 2; times += 1)
    await makeAdjustment(server.db, ids, { kind: 'adjustment', amount: '-0.50', note: 'Se pagó de más' })
  const period = { period_start: addDays(dateInMexico(), -1), period_end: dateInMexico() }
  const form = { ...paymentForm(relationship.id), ...period, total_amount: '700' }
  const made = await admin.post('/api/v1/payments/', form)
  expect(made.status, made.text).toBe(201)
  const { parts, sentence } = await wholeOf(admin, 'payment', made.json().data.id)
  expect(parts).toHaveLength(201)
  expect(parts[0]?.title).toMatch(/, lead \d+$/)
  expect(parts.at(-1)).toEqual({ entry: null, standing: null, title: '2 bonos y 2 ajustes más', amount: '1.00' })
  expect(sentence).toContain('1 comisión, 201 bonos y 2 ajustes que suman $700.00. Está pendiente.')
})

test('a stranger finds no entry', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado')
  const [id = 0] = await idsOf(funnel)
  const { issuer, affiliate } = await makePair(server.db)
  for (const actor of [
    { role: 'issuer', issuerId: issuer.id },
    { role: 'affiliate', affiliateId: affiliate.id },
  ] as const)
    expect((await (await server.as(actor)).get(`/api/v1/explain/entry/${id}/`)).status).toBe(404)
})

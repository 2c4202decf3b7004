import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeLead, makePayingStep, makeStep, startServer, type TestServer } from '../testing.ts'
import { promisedRepeats, repeatEvent } from './repeats.testing.ts'
import { EVENTS, entriesOf, eventsOf, makeFunnel, rejectedOf } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('a paying event and its commission entry are stored in full', async () => {
  const { client, lead, steps, commission, ids } = await makeFunnel(server)
  const body = {
    tracking_id: lead.tracking_id.toUpperCase().replaceAll('-', ''),
    event_type: 'Aprobado',
    event_id: 'e1',
  }
  const answer = await client.post(EVENTS, { ...body, event_data: { folio: 'A-1' } })
  expect(answer.status).toBe(201)
  const [event] = await eventsOf(server, lead.id)
  expect(answer.json().data).toEqual({
    id: event?.id,
    event_id: 'e1',
    lead_id: lead.id,
    tracking_id: lead.tracking_id,
    step_id: steps.aprobado.id,
    step_name: steps.aprobado.name,
    duplicate: false,
    commission: { amount: '500.00', currency: 'MXN', status: 'accrued' },
  })
  const where = {
    lead_id: lead.id,
    tracking_id: lead.tracking_id,
    issuer_id: ids.issuer_id,
    step_id: steps.aprobado.id,
  }
  const said = { event_id: 'e1', source: 'api', event_data: { folio: 'A-1' } }
  expect(event).toMatchObject({ ...where, ...said, step_name: steps.aprobado.name, event_type_name: 'aprobado' })
  const [entry, ...others] = await entriesOf(server, lead.id)
  expect(others).toEqual([])
  const earned = { amount: '500.00', state: 'accrued', reason: null, converts: 1, reversal_of: null }
  expect(entry).toMatchObject({ ...ids, ...where, ...earned, commission_id: commission.id, lead_event_id: event?.id })
})

test('each of the four selectors finds the step; none or two are refused', async () => {
  const { client, lead, steps } = await makeFunnel(server)
  const step = steps.entregado
  const send = (selector: Record<string, unknown>, event_id: string) =>
    client.post(EVENTS, { tracking_id: lead.tracking_id, event_id, ...selector })
  const selectors = [{ step_id: step.id }, { event_type_id: 5 }, { event_type: 'entregado' }, { step_order: 5 }]
  for (const [index, selector] of selectors.entries()) {
    const answer = await send(selector, `s${index}`)
    expect([answer.status, answer.json().data.step_id]).toEqual([201, step.id])
  }
  for (const selector of [{}, { step_order: 5, event_type: 'entregado' }]) {
    const answer = await send(selector, 'none')
    expect(answer.status).toBe(422)
    expect(answer.json().errors).toEqual(['Indica exactamente uno de step_id, event_type_id, event_type o step_order'])
  }
  expect(await entriesOf(server, lead.id)).toHaveLength(1)
})

test('a step archived and made anew pays no lead a second time; two live ones of a type pay each', async () => {
  const { client, lead, steps, product, ids } = await makeFunnel(server)
  const send = async (tracking_id: string, step_id: number, event_id: string) =>
    (await client.post(EVENTS, { tracking_id, step_id, event_id })).json().data.commission
  const twin = await makePayingStep(server.db, { product_id: product.id, step_order: 6 })
  const other = await makeLead(server.db, ids)
  expect(await send(lead.tracking_id, steps.aprobado.id, 'a1')).toMatchObject({ amount: '500.00' })
  expect(await send(other.tracking_id, steps.aprobado.id, 'b1')).toMatchObject({ amount: '500.00' })
  expect(await send(other.tracking_id, twin.id, 'b2')).toMatchObject({ amount: '500.00' })
  const now = sql<string>`now()`
  await server.db.updateTable('event_step').set({ archived_at: now }).where('id', '=', steps.aprobado.id).execute()
  const anew = await makePayingStep(server.db, { product_id: product.id, step_order: 7 })
  expect(await send(lead.tracking_id, anew.id, 'a2')).toBeNull()
  expect(await entriesOf(server, lead.id)).toHaveLength(1)
  expect(await eventsOf(server, lead.id)).toHaveLength(2)
  // The twin stood beside the archived one.
  expect(await send(lead.tracking_id, twin.id, 'a4')).toMatchObject({ amount: '500.00' })
  // Another type, and a lead that never earned by the old step.
  expect(await send(lead.tracking_id, steps.entregado.id, 'a3')).toMatchObject({ amount: '500.00' })
  const fresh = await makeLead(server.db, ids)
  expect(await send(fresh.tracking_id, anew.id, 'c1')).toMatchObject({ amount: '500.00' })
})

test('the same event a hundred times at once, changed, and a month later is stored once', async () => {
  const owner = connect(server.databaseUrl, { max: 1 })
  try {
    expect(await repeatEvent(owner, await makeFunnel(server), 'mismo')).toEqual(promisedRepeats)
  } finally {
    await owner.destroy()
  }
})

test('an event whose sender hangs up is stored with what it earns', async () => {
  const { lead, key } = await makeFunnel(server)
  const hangUp = new AbortController()
  const owner = connect(server.databaseUrl, { max: 2 })
  try {
    await owner.transaction().execute(async (tx) => {
      await sql`lock table lead_event in share mode`.execute(tx)
      const answer = fetch(server.origin + EVENTS, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ tracking_id: lead.tracking_id, event_type: 'aprobado' }),
        signal: hangUp.signal,
      })
      await vi.waitFor(async () => {
        const waiting = await sql`select from pg_locks where not granted and relation = 'lead_event'::regclass`.execute(
          owner,
        )
        expect(waiting.rows).not.toEqual([])
      }, 20_000)
      hangUp.abort()
      await expect(answer).rejects.toThrow('aborted')
    })
  } finally {
    await owner.destroy()
  }
  await vi.waitFor(async () => expect(await eventsOf(server, lead.id)).toHaveLength(1), 20_000)
  expect(await eventsOf(server, lead.id)).toMatchObject([{ source: 'api', event_type_name: 'aprobado' }])
  expect(await entriesOf(server, lead.id)).toMatchObject([{ amount: '500.00', state: 'accrued' }])
})

test('one event_id for two leads at once belongs to the first', async () => {
  const { client, lead, ids } = await makeFunnel(server)
  const others = await server.db
    .insertInto('lead')
    .values(Array.from({ length: 9 }, () => ({ ...ids, tracking_id: crypto.randomUUID() })))
    .returning('tracking_id')
    .execute()
  const answers = await Promise.all(
    [lead, ...others].map(({ tracking_id }) =>
      client.post(EVENTS, { tracking_id, event_type: 'aprobado', event_id: 'disputado' }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 422)])
})

test('without event_id the step and the transaction tell events apart, also after the step is gone', async () => {
  const { client, lead, steps } = await makeFunnel(server)
  const send = (more: Record<string, unknown> = {}) =>
    client.post(EVENTS, { tracking_id: lead.tracking_id, step_id: steps.step_1.id, ...more })
  const statuses = [await send(), await send(), await send({ transaction_id: 't2' }), await send({ event_data: 'x' })]
  expect(statuses.map((answer) => answer.status)).toEqual([201, 200, 201, 200])
  const archived_at = new Date().toISOString()
  await server.db.updateTable('event_step').set({ archived_at }).where('id', '=', steps.step_1.id).execute()
  expect((await send()).json().data).toMatchObject({ duplicate: true, event_id: null })
  expect((await send({ transaction_id: 't3' })).json().meta.code).toBe('UNKNOWN_EVENT')
})

test('an order that is a step of another type by now names another event; of the same type, the same one', async () => {
  const { client, lead, steps, issuer, product, ids } = await makeFunnel(server)
  const other = await makeLead(server.db, ids)
  const admin = await server.as({ role: 'admin' })
  const replaceLast = async (stepId: number, event_type_id: number): Promise<number> => {
    expect((await admin.delete(`/api/v1/events/product-steps/${stepId}/`)).status).toBe(204)
    const form = { issuer_id: issuer.id, product_id: product.id, event_type_id, name: 'Último' }
    const isPaying = { is_payout_event: event_type_id === 3 }
    const made = (await admin.post('/api/v1/events/product-steps/', { ...form, ...isPaying })).json().data
    expect(made.step_order).toBe(5)
    return made.id
  }
  const sendSingle = async () =>
    (await client.post(EVENTS, { tracking_id: lead.tracking_id, step_order: 5 })).json().data
  const sendBatch = async () => {
    const events = [{ tracking_id: other.tracking_id, step_order: 5 }]
    return (await client.post(`${EVENTS}batch/`, { events })).json().data.results[0].data
  }
  const first = await replaceLast(steps.entregado.id, 2)
  expect([await sendSingle(), await sendBatch()]).toMatchObject([{ step_id: first }, { step_id: first }])
  const paying = await replaceLast(first, 3)
  const stored = { step_id: paying, duplicate: false, commission: { amount: '500.00' } }
  expect([await sendSingle(), await sendBatch()]).toMatchObject([stored, stored])
  await replaceLast(paying, 3)
  const repeated = { ...stored, duplicate: true }
  expect([await sendSingle(), await sendBatch()]).toMatchObject([repeated, repeated])
})

test('Idempotency-Key is another name for event_id', async () => {
  const { client, lead } = await makeFunnel(server)
  const body = { tracking_id: lead.tracking_id, event_type: 'step_1' }
  const first = await client.post(EVENTS, body, { headers: { 'idempotency-key': 'k-1' } })
  expect(first.json().data.event_id).toBe('k-1')
  expect((await client.post(EVENTS, { ...body, event_id: 'k-1' })).status).toBe(200)
})

test('unknown, malformed and foreign leads get the same answer', async () => {
  const [mine, other] = [await makeFunnel(server), await makeFunnel(server)]
  for (const tracking_id of [crypto.randomUUID(), 'no-es-un-id', other.lead.tracking_id]) {
    const answer = await mine.client.post(EVENTS, { tracking_id, event_type: 'aprobado' })
    expect([answer.status, answer.json().meta.code]).toEqual([404, 'UNKNOWN_TRACKING_ID'])
    expect(answer.json().errors).toEqual(['tracking_id desconocido'])
  }
  expect(await eventsOf(server, other.lead.id)).toEqual([])
})

test('unknown and ambiguous events are refused and stored; a step of another product is unknown', async () => {
  const [mine, other] = [await makeFunnel(server), await makeFunnel(server)]
  const { client, lead, issuer, product } = mine
  const twin = await makeStep(server.db, { product_id: product.id, event_type_id: 1, step_order: 9 })
  const send = async (selector: Record<string, unknown>) => {
    const answer = await client.post(EVENTS, {
      tracking_id: lead.tracking_id,
      ...selector,
      event_data: '4111 1111 1111 1111',
    })
    return [answer.status, answer.json().meta.code]
  }
  expect(await send({ event_type: 'inventado' })).toEqual([422, 'UNKNOWN_EVENT'])
  expect(await send({ step_id: other.steps.aprobado.id })).toEqual([422, 'UNKNOWN_EVENT'])
  expect(await send({ event_type: 'step_1', event_id: 'a-1' })).toEqual([422, 'AMBIGUOUS_EVENT'])
  const kept = await rejectedOf(server, issuer.id)
  expect(kept.map(({ code }) => code)).toEqual(['UNKNOWN_EVENT', 'UNKNOWN_EVENT', 'AMBIGUOUS_EVENT'])
  expect(kept[0]?.body).toMatchObject({ event_type: 'inventado', event_data: '[tarjeta omitida]' })
  expect(await eventsOf(server, lead.id)).toEqual([])
  // Once the flow is mended it is the first of its id.
  await server.db.updateTable('event_step').set({ archived_at: new Date() }).where('id', '=', twin.id).execute()
  expect((await send({ event_type: 'step_1', event_id: 'a-1' }))[0]).toBe(201)
})

test('without a valid key nothing is revealed', async () => {
  const { lead, key, token } = await makeFunnel(server)
  const body = { tracking_id: lead.tracking_id, event_type: 'aprobado' }
  const wrong = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  const bearer = await server.as({ role: 'admin' })
  const attempts = [undefined, '', 'iss_', wrong, token].map((given) =>
    server.anonymous.post(EVENTS, body, { headers: given === undefined ? {} : { 'x-api-key': given } }),
  )
  for (const answer of await Promise.all([...attempts, bearer.post(EVENTS, {}), server.anonymous.get(EVENTS)])) {
    expect([answer.status, answer.json().meta.code]).toEqual([401, 'INVALID_API_KEY'])
  }
})

test('a signature is checked when there is one', async () => {
  const { client, lead, key } = await makeFunnel(server)
  const rawBody = JSON.stringify({ tracking_id: lead.tracking_id, event_type: 'step_1', event_data: 'firmado ñ' })
  const send = (changes: Record<string, string>, seconds = 0) => {
    const timestamp = String(Math.floor(Date.now() / 1000) + seconds)
    const mac = createHmac('sha256', key).update(`msg_1.${timestamp}.${rawBody}`).digest('base64')
    const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA v1,${mac}` }
    return client.request('POST', EVENTS, {
      rawBody,
      headers: { 'content-type': 'application/json', ...signed, ...changes },
    })
  }
  expect((await send({})).status).toBe(201)
  const bad = [send({ 'webhook-id': 'msg_2' }), send({ 'webhook-signature': 'v1,AAAA' }), send({}, -310), send({}, 310)]
  for (const answer of await Promise.all([...bad, send({ 'webhook-timestamp': 'ayer' })])) {
    expect([answer.status, answer.json().meta.code]).toEqual([401, 'INVALID_SIGNATURE'])
  }
})

test('a signed event cannot be repeated under another Idempotency-Key, which is not signed', async () => {
  const { client, lead, key } = await makeFunnel(server)
  const send = (event: object, idempotencyKey?: string) => {
    const rawBody = JSON.stringify({ tracking_id: lead.tracking_id, event_type: 'step_1', ...event })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const mac = createHmac('sha256', key).update(`msg_1.${timestamp}.${rawBody}`).digest('base64')
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': 'msg_1' },
      ...{ 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` },
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    return client.request('POST', EVENTS, { rawBody, headers })
  }
  expect((await send({})).status).toBe(201)
  const repeated = await send({}, 'otra-1')
  expect([repeated.status, repeated.json().errors]).toEqual([
    422,
    ['La firma no cubre Idempotency-Key: manda event_id en el cuerpo de un evento firmado'],
  ])
  expect((await send({ event_id: 'f-1' })).status).toBe(201)
  for (const other of ['otra-2', '']) expect((await send({ event_id: 'f-1' }, other)).json().data.duplicate).toBe(true)
  expect(await eventsOf(server, lead.id)).toHaveLength(2)
})

test('the sender’s moment is stored, shown and never trusted', async () => {
  const { client, lead } = await makeFunnel(server)
  const ahead = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const send = (occurred_at: string) =>
    client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'step_1', event_id: occurred_at, occurred_at })
  await send('2025-03-04T10:00:00-06:00')
  await send(ahead)
  const [past, future] = await eventsOf(server, lead.id)
  expect(past).toMatchObject({ occurred_at: '2025-03-04T16:00:00.000Z', clock_skew: false })
  expect(past?.event_data).toEqual({ occurred_at: '2025-03-04T10:00:00-06:00' })
  expect(future).toMatchObject({ clock_skew: true, event_data: { occurred_at: ahead, clock_skew: true } })
  for (const bad of ['ayer', '0000-01-01T00:00:00Z', '2025-02-30T00:00:00Z']) {
    const answer = await send(bad)
    expect([answer.status, answer.json().meta.warnings]).toEqual([201, ['OCCURRED_AT_IGNORED']])
  }
})

test('card numbers and CURPs are masked and the sender is warned', async () => {
  const { client, lead } = await makeFunnel(server)
  const event_data = { nota: 'pagó con 4111-1111-1111-1111', curp: 'GODE561231HDFRRN04', monto: 1500 }
  const answer = await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'step_1', event_data })
  expect(answer.json().meta.warnings).toEqual(['CARD_NUMBER_MASKED', 'CURP_MASKED'])
  const [event] = await eventsOf(server, lead.id)
  expect(event?.event_data).toEqual({ nota: 'pagó con [tarjeta omitida]', curp: '[CURP omitida]', monto: 1500 })
})

test('hostile bodies are refused or cleaned, never a 500', async () => {
  const { client, lead } = await makeFunnel(server)
  const base = { tracking_id: lead.tracking_id, event_type: 'step_1' }
  const json = { 'content-type': 'application/json' }
  const raw = (rawBody: string, headers: Record<string, string> = json) =>
    client.request('POST', EVENTS, { rawBody, headers })
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  const answers = [
    await raw('{'),
    await raw(''),
    await raw('null'),
    await raw('[1]'),
    await raw(JSON.stringify([base, base])),
    await raw('a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded' }),
    await raw(`{"__proto__":{"x":1},"tracking_id":"${lead.tracking_id}"}`),
    await raw(JSON.stringify({ ...base, other: 'x' }).replace('"x"', deep)),
    await raw('<a/>', { 'content-type': 'text/xml' }),
    await client.post(EVENTS, { ...base, event_data: 'x'.repeat(70_000) }),
    await client.post(EVENTS, { ...base, step_order: 2 ** 31, event_type: undefined }),
    await client.post(EVENTS, { ...base, step_id: 2 ** 63, event_type: undefined }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([400, 400, 422, 422, 422, 422, 400, 400, 415, 413, 422, 422])
  const left = await raw(JSON.stringify({ ...base, event_id: 'hondo', event_data: 'x' }).replace('"x"', deep))
  expect([left.status, left.json().meta.warnings]).toEqual([201, ['EVENT_DATA_IGNORED']])
  const dirty = { 'cla\u0000ve': 'a\u0000b\u202ec\ud800', n: 1 }
  expect((await client.post(EVENTS, { ...base, event_id: 'a\u0000b', event_data: dirty })).status).toBe(201)
  expect((await eventsOf(server, lead.id))[1]).toMatchObject({ event_id: 'ab', event_data: { clave: 'abc', n: 1 } })
})

test('a batch answers each event in order and can be sent again', async () => {
  const { client, lead, issuer } = await makeFunnel(server)
  const event = (event_id: string, more: Record<string, unknown> = {}) => ({
    tracking_id: lead.tracking_id,
    event_type: 'aprobado',
    event_id,
    ...more,
  })
  const nested = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }
  const events = [
    event('b1', { event_data: nested }),
    event('b1', { event_data: nested }),
    event('b2', { event_type: 'no' }),
    'x',
    event('b2', { event_type: 'no' }),
  ]
  const send = () => client.post(`${EVENTS}batch/`, { events })
  const first = await send()
  expect(first.status).toBe(200)
  const codes = (answer: typeof first) => answer.json().data.results.map((r: { code: string }) => r.code)
  const refused = ['UNKNOWN_EVENT', 'VALIDATION_ERROR', 'UNKNOWN_EVENT']
  expect(codes(first)).toEqual(['STORED', 'DUPLICATE', ...refused])
  for (const again of await Promise.all([send(), send()]))
    expect(codes(again)).toEqual(['DUPLICATE', 'DUPLICATE', ...refused])
  expect(await entriesOf(server, lead.id)).toHaveLength(1)
  // Refused six times, and kept once, of its last time; with other content it is another.
  const [kept, ...others] = await rejectedOf(server, issuer.id)
  expect([kept?.body, others]).toEqual([expect.objectContaining({ event_id: 'b2' }), []])
  await client.post(EVENTS, event('b2', { event_type: 'no', occurred_at: '2026-03-04T10:00:00Z' }))
  await client.post(EVENTS, event('b2', { event_type: 'no', event_data: 'otro' }))
  const [again, other, ...more] = await rejectedOf(server, issuer.id)
  expect([again?.body, other?.body, more]).toEqual([
    expect.objectContaining({ occurred_at: '2026-03-04T10:00:00Z' }),
    expect.objectContaining({ event_data: 'otro' }),
    [],
  ])
  expect(again?.id).toBeGreaterThan(kept?.id ?? Number.POSITIVE_INFINITY)
  const many = Array.from({ length: 501 }, () => event('b3'))
  expect((await client.post(`${EVENTS}batch/`, { events: many })).status).toBe(422)
})

test('an issuer looks up its events by lead and by cursor, never another’s', async () => {
  const [mine, other] = [await makeFunnel(server), await makeFunnel(server)]
  for (const event_id of ['1', '2', '3'])
    await mine.client.post(EVENTS, { tracking_id: mine.lead.tracking_id, event_type: 'step_1', event_id })
  await other.client.post(EVENTS, { tracking_id: other.lead.tracking_id, event_type: 'step_1', event_id: '1' })
  const idsIn = async (query: string) => {
    const { data } = (await mine.client.get(`${EVENTS}?${query}`)).json()
    return { ids: data.results.map((event: { event_id: string }) => event.event_id), next: data.next as string | null }
  }
  expect(await idsIn(`tracking_id=${mine.lead.tracking_id}`)).toEqual({ ids: ['1', '2', '3'], next: null })
  const page = await idsIn('since=0&limit=2')
  expect(page.ids).toEqual(['1', '2'])
  expect(await idsIn(`since=${page.next}`)).toEqual({ ids: ['3'], next: null })
  for (const limit of ['0', '501', '1.5', 'abc']) {
    const refused = await mine.client.get(`${EVENTS}?since=0&limit=${limit}`)
    expect([refused.status, refused.json().message]).toEqual([400, 'limit debe ser un número entero de 1 a 500'])
  }
  const foreign = await mine.client.get(`${EVENTS}?tracking_id=${other.lead.tracking_id}`)
  expect([foreign.status, foreign.json().meta.code]).toEqual([404, 'UNKNOWN_TRACKING_ID'])
})

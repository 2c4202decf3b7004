import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../testing.ts'
import { entriesOf, eventsOf, makeFunnel } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const PATH = '/api/v1/events/postback/'
const get = (parameters: Record<string, string>) => server.anonymous.get(`${PATH}?${new URLSearchParams(parameters)}`)

test('a postback by macros is stored, and is 200 the second time too', async () => {
  const { token, lead } = await makeFunnel(server)
  const parameters = {
    token,
    tracking_id: lead.tracking_id,
    event: 'aprobado',
    event_id: 'm1',
    amount: '99.90',
    sub: 'x',
  }
  const first = await get(parameters)
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(first.json().data).toMatchObject({ duplicate: false, commission: { amount: '500.00', status: 'accrued' } })
  const second = await get(parameters)
  expect([second.status, second.json().data.duplicate]).toEqual([200, true])
  const [event, ...others] = await eventsOf(server, lead.id)
  expect(others).toEqual([])
  expect(event).toMatchObject({ source: 'postback', event_id: 'm1', event_data: { amount: '99.90', sub: 'x' } })
  expect(JSON.stringify(event)).not.toContain(token)
})

test.for(['click_id', 'clickid', 'cid', 'subid'])('%s is the tracking id by another name', async (name) => {
  const { token, lead, steps } = await makeFunnel(server)
  const event = { status: String(steps.step_2.id), txid: 't' }
  const answer = await get({ token, [name]: lead.tracking_id, ...event })
  expect(answer.json().data).toMatchObject({ step_id: steps.step_2.id, event_id: 't' })
})

test('a form does the same; goal and tid are aliases too', async () => {
  const { token, lead } = await makeFunnel(server)
  const rawBody = new URLSearchParams({ token, cid: lead.tracking_id, goal: 'aprobado', tid: 'f' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await server.anonymous.request('POST', PATH, { rawBody, headers })
  expect([answer.status, answer.json().data.event_id]).toEqual([200, 'f'])
  expect(await entriesOf(server, lead.id)).toHaveLength(1)
})

test('a rejection says why, as any event; a reason that the list does not have is kept as it was sent', async () => {
  const { token, lead } = await makeFunnel(server)
  const rejected = { token, tracking_id: lead.tracking_id, event: 'rechazado' }
  const known = await get({ ...rejected, event_id: 'r1', reason_code: 'BURO' })
  expect([known.status, known.json().meta.warnings]).toEqual([200, undefined])
  const unknown = await get({ ...rejected, event_id: 'r2', reason_code: 'porque sí', sub: 'x' })
  expect([unknown.status, unknown.json().meta.warnings]).toEqual([200, ['UNKNOWN_REASON']])
  const unfilled = await get({ ...rejected, event_id: 'r3', reason_code: '' })
  expect([unfilled.status, unfilled.json().meta.warnings]).toEqual([200, undefined])
  expect(await eventsOf(server, lead.id)).toMatchObject([
    { event_id: 'r1', reason_code: 'buro', event_data: null },
    { event_id: 'r2', reason_code: 'sin_motivo', event_data: { reason_code: 'porque sí', sub: 'x' } },
    { event_id: 'r3', reason_code: null, event_data: null },
  ])
})

test('more than twenty parameters of its own, and long ones, are cut', async () => {
  const { token, lead } = await makeFunnel(server)
  const extras = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`p${index}`, 'ñ'.repeat(300)]))
  const rawBody = new URLSearchParams({
    ...extras,
    tracking_id: lead.tracking_id,
    event: 'step_1',
    amount: '1',
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await server.anonymous.request('POST', `${PATH}?token=${token}`, { rawBody, headers })
  expect(answer.status).toBe(200)
  const data = (await eventsOf(server, lead.id))[0]?.event_data as Record<string, string>
  expect(Object.keys(data)).toHaveLength(21)
  expect([data.amount, data.p0?.length]).toEqual(['1', 255])
})

test('a number that a cut would split is masked before', async () => {
  const { token, lead } = await makeFunnel(server)
  const nota = `${'x'.repeat(243)} 4111 1111 1111 1111`
  const answer = await get({ token, tracking_id: lead.tracking_id, event: 'step_1', nota, [nota]: 'nombre' })
  expect([answer.status, answer.json().meta.warnings]).toEqual([200, ['CARD_NUMBER_MASKED']])
  const data = (await eventsOf(server, lead.id))[0]?.event_data as Record<string, string>
  expect(data.nota).toBe(`${'x'.repeat(243)} [tarjeta om`)
  expect(JSON.stringify(data)).not.toContain('4111')
})

test('a rejection is never 200', async () => {
  const { token, key, lead } = await makeFunnel(server)
  const other = await makeFunnel(server)
  const good = { token, tracking_id: lead.tracking_id, event: 'aprobado', event_id: 'r' }
  await get(good)
  const answers = [
    await get({ ...good, token: 'pbt_x' }),
    await get({ ...good, token: key }),
    await get({ tracking_id: lead.tracking_id, event: 'aprobado' }),
    await get({ ...good, tracking_id: other.lead.tracking_id }),
    await get({ ...good, event: 'nada', event_id: 'r2' }),
    await get({ token, tracking_id: lead.tracking_id }),
    await get({ token, event: 'aprobado' }),
    await server.anonymous.request('HEAD', `${PATH}?${new URLSearchParams({ ...good, event_id: 'head' })}`),
    await server.anonymous.put(`${PATH}?${new URLSearchParams(good)}`, {}),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 404, 422, 422, 422, 405, 405])
  expect(await eventsOf(server, lead.id)).toHaveLength(1)
})

test('two hundred at once are accepted, the rest are asked to wait', async () => {
  const { token } = await makeFunnel(server)
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 230 }, () => get({ token, tracking_id: crypto.randomUUID(), event: 'step_1', event_id: 'z' })),
  )
  const refused = answers.filter((answer) => answer.status === 429)
  // On a slow machine more are accepted, four seconds after the first.
  const spans = 1 + Math.floor((performance.now() - began) / 4_000)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(200)
  expect(answers.length - refused.length).toBeLessThanOrEqual(200 * spans)
  for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})

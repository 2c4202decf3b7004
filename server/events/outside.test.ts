import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historiesOr } from '#db/testing.ts'
import { makeLead, startServer, type TestServer } from '../testing.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel, makeFunnel, rejectedOf } from './testing.ts'

let server: TestServer
let funnel: Funnel
beforeAll(async () => {
  server = await startServer()
  funnel = await makeFunnel(server)
})
afterAll(() => server.stop())

const PATH = '/api/v1/events/postback/'
const newLead = async () => (await makeLead(server.db, funnel.ids)).tracking_id
const leadOf = (trackingId: string) =>
  server.db.selectFrom('lead').select('id').where('tracking_id', '=', trackingId).executeTakeFirstOrThrow()
const storedFor = async (trackingId: string) => eventsOf(server, (await leadOf(trackingId)).id)

/** What was answered: the status, the id that was read, and the warnings. */
const readAnswer = (answer: Awaited<ReturnType<typeof funnel.client.get>>) => {
  const { data, meta, message } = answer.json()
  return [answer.status, data ? data.event_id : message, meta.warnings]
}

test('what systems send in place of a transaction is no id: each lead is told once, with a warning', async () => {
  const placeholders = [
    '{transaction_id}',
    '%7Btransaction_id%7D',
    '[TXID]',
    'null',
    'undefined',
    '0',
    '%20',
    '%%TXID%%',
  ]
  for (const sent of placeholders)
    for (const alias of ['event_id', 'txid']) {
      const lead = await newLead()
      const send = async () =>
        readAnswer(
          await server.anonymous.get(`${PATH}?token=${funnel.token}&cid=${lead}&event=aprobado&${alias}=${sent}`),
        )
      expect([sent, await send(), await send()]).toEqual([
        sent,
        ...[
          [200, null, ['EVENT_ID_IGNORED']],
          [200, null, ['EVENT_ID_IGNORED']],
        ],
      ])
      expect(await storedFor(lead)).toHaveLength(1)
    }
})

test('of several names the first that can be an id counts, however they are spelt and joined', async () => {
  const address = (lead: string) => [
    `tracking_id={clickid}&subid=${lead}&event={status}&goal=aprobado&event_id={tid}&txid=R1`,
    `tracking_id=&tracking_id=${lead}&event=aprobado&txid=R1`,
    `clickId=${lead}&EVENT=aprobado&TxId=R1`,
    `%20CLICK_ID%20=${lead}&event=aprobado&txid=R1`,
    `click_id=${lead}&amp;event=aprobado&amp;txid=R1`,
    `click_id=${lead}&amp;amp;event=aprobado&%23038;txid=R1`,
    `click_id=${lead}?event=aprobado&txid=R1`,
    `?click_id=%7B${lead.toUpperCase()}%7D%20&event=%22aprobado%22&txid=%C2%A0R1%0A`,
    `click_id=urn:uuid:${lead}.&event=APROBADO%E2%80%8B&txid=R1&nota=%E0%A4%A`,
  ]
  for (const place of address('').keys()) {
    const lead = await newLead()
    const query = (address(lead)[place] as string).replaceAll('R1', `R-${place}`)
    for (const duplicate of [false, true]) {
      const answer = await server.anonymous.get(`${PATH}?token=%20${funnel.token}%20&${query}`)
      const { data } = answer.json()
      expect([query, answer.status, data]).toMatchObject([
        ...[query, 200],
        { tracking_id: lead, event_id: `R-${place}`, duplicate, commission: { amount: '500.00' } },
      ])
    }
  }
})

test('bytes of windows-1252 and unreplaced amounts are what they are', async () => {
  const lead = await newLead()
  const query = `token=${funnel.token}&click_id=${lead}&event=aprobado&ciudad=Le%F3n&estado=México&amount={payout}`
  const answer = await server.anonymous.get(`${PATH}?${query}`)
  expect([answer.status, answer.json().meta.warnings]).toEqual([200, ['AMOUNT_IGNORED']])
  expect((await storedFor(lead))[0]?.event_data).toEqual({ ciudad: 'León', estado: 'México' })
})

test('a postback comes as a form, as JSON, in parts, or all in the address under any type', async () => {
  const form = 'application/x-www-form-urlencoded'
  const parts = (fields: Record<string, string>) =>
    `${Object.entries(fields)
      .map(([name, text]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
      .join('')}--x--\r\n`
  const bodies = (fields: Record<string, string>): [string | undefined, BodyInit, boolean][] => {
    const text = new URLSearchParams(fields).toString()
    const json = JSON.stringify({ ...fields, amount: 1500.5, items: [1] })
    return [
      [form, text, false],
      [`${form}; charset=ISO-8859-1`, text, false],
      ['text/plain', text, false],
      ['text/plain', json, false],
      [form, json, false],
      ['application/json', json, false],
      ['application/json', `\uFEFF${json}`, false],
      ['application/json', Buffer.from(json.replace('"items"', '"a\u00F1o"'), 'latin1'), false],
      ['multipart/form-data; boundary=x', parts(fields), false],
      ...[undefined, form, 'application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml'].map(
        (type): [string | undefined, BodyInit, boolean] => [type, '', true],
      ),
    ]
  }
  for (const place of bodies({}).keys()) {
    const lead = await newLead()
    const fields = { tracking_id: lead, event: 'aprobado', event_id: `P-${place}`, amount: '1500.5' }
    const [type, rawBody, isInAddress] = bodies(fields)[place] as [string | undefined, BodyInit, boolean]
    const query = new URLSearchParams({ token: funnel.token, ...(isInAddress && fields) })
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    const answer = await server.anonymous.request('POST', `${PATH}?${query}`, { rawBody, headers })
    expect([type, rawBody, answer.status]).toEqual([type, rawBody, 200])
    expect((await storedFor(lead))[0]).toMatchObject({ event_id: `P-${place}`, event_data: { amount: '1500.5' } })
  }
  const xml = { rawBody: '<a/>', headers: { 'content-type': 'application/xml' } }
  const refused = await server.anonymous.request('POST', `${PATH}?token=${funnel.token}`, xml)
  expect([refused.status, refused.json().message]).toEqual([
    415,
    'El cuerpo debe ser un formulario (application/x-www-form-urlencoded o multipart/form-data) o JSON (application/json)',
  ])
})

test('what is optional is never a reason to refuse: it is read, or left out with a warning', async () => {
  const { steps } = funnel
  const rows: [sent: Record<string, unknown>, kept: Record<string, unknown>, warnings?: string[]][] = [
    [{ event_id: null }, { event_id: null }, ['EVENT_ID_IGNORED']],
    [{ event_id: 1001 }, { event_id: '1001' }],
    [{ event_id: 'x'.repeat(256) }, { event_id: null }, ['EVENT_ID_IGNORED']],
    [
      { event_id: { a: 1 }, transaction_id: '{tid}' },
      { event_id: null },
      ['EVENT_ID_IGNORED', 'TRANSACTION_ID_IGNORED'],
    ],
    [{ occurred_at: '' }, { occurred_at: null }, ['OCCURRED_AT_IGNORED']],
    [{ occurred_at: '2026-11-27 10:00:00' }, { occurred_at: '2026-11-27T16:00:00.000Z' }, ['OCCURRED_AT_WITHOUT_ZONE']],
    [{ occurred_at: 1764230400 }, { occurred_at: '2025-11-27T08:00:00.000Z' }],
    [{ occurred_at: '2026-11-27t10:00:00z' }, { occurred_at: '2026-11-27T10:00:00.000Z' }],
    [{ source: 'x'.repeat(80) }, { source: 'x'.repeat(50) }],
    [
      { source: null, reason_code: {} },
      { source: 'api', reason_code: null },
      ['SOURCE_IGNORED', 'REASON_CODE_IGNORED'],
    ],
    [{ event_data: [1, 2] }, { event_data: '[1,2]' }],
    [{ event_data: 'x'.repeat(20_000) }, { event_data: null }, ['EVENT_DATA_IGNORED']],
    [{ event_data: '' }, { event_data: null }, ['EVENT_DATA_IGNORED']],
    [{ event_type: undefined, step_id: ` ${steps.step_1.id} ` }, { step_id: steps.step_1.id }],
    [{ event_type: undefined, step_order: '1' }, { step_id: steps.step_1.id }],
    [{ step_id: null, step_order: '' }, { step_id: steps.step_1.id }, ['STEP_ID_IGNORED', 'STEP_ORDER_IGNORED']],
    [{ event_type: undefined, eventType: ' "Step_1" ' }, { step_id: steps.step_1.id }],
  ]
  for (const [sent, kept, warnings] of rows) {
    const lead = await newLead()
    const answer = await funnel.client.post(EVENTS, { tracking_id: `{${lead}} `, event_type: 'step_1', ...sent })
    expect([sent, answer.status, answer.json().meta.warnings]).toEqual([sent, 201, warnings])
    expect((await storedFor(lead))[0]).toMatchObject(kept)
  }
})

test('an event is read in whatever body it comes; several of them say where they belong', async () => {
  const lead = await newLead()
  const text = JSON.stringify({ tracking_id: lead, event_type: 'step_1', event_id: 'C-1', event_data: 'Núñez' })
  const bodies: [string | undefined, BodyInit][] = [
    ['application/json', text],
    ['application/json', `\uFEFF${text}`],
    ['application/json', Buffer.from(text, 'latin1')],
    ['application/json', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['text/plain', text],
    ['application/x-www-form-urlencoded', text],
    ['application/vnd.banco+json', `[${text}]`],
    ['application/x-www-form-urlencoded', `tracking_id=${lead}&event_type=step_1&event_id=C-1`],
  ]
  for (const [type, rawBody] of bodies) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    const answer = await funnel.client.request('POST', EVENTS, { rawBody, headers })
    expect([type, rawBody, answer.status]).toEqual([type, rawBody, expect.toBeOneOf([200, 201])])
  }
  expect(await storedFor(lead)).toMatchObject([{ event_id: 'C-1', event_data: 'Núñez' }])
  const several = await funnel.client.post(EVENTS, [JSON.parse(text), JSON.parse(text)])
  expect(readAnswer(several)).toEqual([
    422,
    'Manda varios eventos juntos a /api/v1/events/lead-events/batch/, en events',
    undefined,
  ])
  for (const body of [[JSON.parse(text)], JSON.parse(text)]) {
    const batch = await funnel.client.post(`${EVENTS}batch/`, body)
    expect(batch.json().data.results).toMatchObject([{ code: 'DUPLICATE' }])
  }
})

test('what names no lead is refused in words that are true', async () => {
  const [lead, other] = [await newLead(), await newLead()]
  const rows: [unknown, number, string][] = [
    [`${lead},${other}`, 422, 'tracking_id trae dos identificadores distintos: manda uno por evento'],
    ['x'.repeat(3000), 422, 'tracking_id no puede exceder 2048 caracteres: manda solo el identificador'],
    ['{clickid}', 404, 'tracking_id desconocido: llegó sin reemplazar por el del lead'],
    [null, 422, 'tracking_id es requerido'],
    [12345, 404, 'tracking_id desconocido'],
  ]
  for (const [tracking_id, ...expected] of rows)
    expect(readAnswer(await funnel.client.post(EVENTS, { tracking_id, event_type: 'step_1' })).slice(0, 2)).toEqual(
      expected,
    )
  expect(await storedFor(lead)).toEqual([])
})

test('a look-up reads the id as events do', async () => {
  const lead = await newLead()
  await funnel.client.post(EVENTS, { tracking_id: lead, event_type: 'step_1' })
  const found = await funnel.client.get(`${EVENTS}?tracking_id=%7B${lead.toUpperCase()}%7D%20`)
  expect(found.json().data.results).toHaveLength(1)
})

const blanks = fc.array(fc.constantFrom(' ', '\n', '\t', '\u00A0', '\u200B', '\uFEFF', '\u202A'), { maxLength: 3 })
const wrap = fc.constantFrom(['', ''], ['"', '"'], ['{', '}'], ["'", "'"], ['="', '"'], ['<', '>'], ['urn:uuid:', ''])
const junk = fc.option(
  fc.oneof(
    fc.constantFrom(null, '', '{x}', 'null', 0, [], {}, true),
    fc.string(),
    fc.double(),
    fc.date({ noInvalidDate: true }).map(String),
  ),
  { nil: undefined },
)
const dirt = fc.record({
  before: blanks,
  after: blanks,
  around: wrap,
  isUpper: fc.boolean(),
  isForm: fc.boolean(),
  id: junk,
  occurred_at: junk,
  source: junk,
  reason_code: junk,
  event_data: junk,
  amount: junk,
})

test('dirt around an event finds its lead again, or is refused in words; nothing is stored twice', async () => {
  await fc.assert(
    fc.asyncProperty(dirt, async ({ before, after, around: [open, end], isUpper, isForm, id, ...more }) => {
      const lead = await newLead()
      const told = `${before.join('')}${open}${isUpper ? lead.toUpperCase() : lead}${end}${after.join('')}`
      const event = { tracking_id: told, event_id: id, ...more }
      const send = () =>
        isForm
          ? server.anonymous.post(`${PATH}?token=${funnel.token}`, { ...event, event: 'aprobado' })
          : funnel.client.post(EVENTS, { ...event, event_type: 'aprobado' })
      const answers = [...(await Promise.all([send(), send()])), await send()]
      const mismatched = answers.every((answer) => answer.json().meta.code === 'IDEMPOTENCY_MISMATCH')
      expect(answers.map(({ status }) => status).every((status) => status < 300) || mismatched).toBe(true)
      const { id: leadId } = await leadOf(lead)
      const [events, entries] = [await eventsOf(server, leadId), await entriesOf(server, leadId)]
      expect([events.length, entries.length]).toEqual(mismatched ? [0, 0] : [1, 1])
    }),
    { numRuns: historiesOr(15) },
  )
  expect(await rejectedOf(server, funnel.issuer.id)).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FoundLead, PrivacyFile } from '#contract/privacy.ts'
import { EVENTS, entriesOf, eventsOf, type Funnel, makeFunnel, rejectedOf } from '../events/testing.ts'
import { closeAll } from '../leads/partitions.testing.ts'
import { makeLead, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { expectNoDrift } from '../totals/testing.ts'

const BASE = '/api/v1/privacy/'
const grounds = { folio: 'ARCO-2026-014', reason: 'Solicitud del titular' }

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

/** A lead whose person left traces everywhere: campaign, click, events, a repetition, a refusal. */
async function makePerson() {
  const funnel = await makeFunnel(server)
  const mark = `marta${unique()}`
  const lead = await makeLead(server.db, {
    ...funnel.ids,
    external_id: `${mark}@correo.mx`,
    utm_source: `${mark} origen`,
    utm_term: `${mark} término`,
    lead_data: JSON.stringify({ params: { sub1: `${mark} sub` } }),
  })
  const event = { tracking_id: lead.tracking_id, step_id: funnel.steps.aprobado.id, event_id: `folio-${unique()}` }
  const sent = { ...event, event_data: { nombre: mark } }
  await funnel.client.post(EVENTS, sent)
  await funnel.client.post(EVENTS, sent)
  const refused = { tracking_id: lead.tracking_id, event_type: 'inventado', event_data: { nombre: mark } }
  await funnel.client.post(EVENTS, { ...refused, tracking_id: lead.tracking_id.toUpperCase().replaceAll('-', '') })
  return { ...funnel, lead, mark, event }
}

const search = async (text: string): Promise<FoundLead[]> => (await admin.post(`${BASE}search/`, { text })).json().data
const fileOf = async (id: number): Promise<PrivacyFile> =>
  (await admin.post(`${BASE}leads/${id}/file/`, grounds)).json().data
const auditOf = (id: number) =>
  server.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('entity', '=', 'lead')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()
const listed = async (query: string): Promise<number> =>
  (await admin.get(`/api/v1/leads/?${query}`)).json().data.pagination.count

test("a person's leads are found by tracking id in any spelling, by reference and by event id, whole and exact", async () => {
  const { lead, ids, mark, event } = await makePerson()
  const again = await makeLead(server.db, { ...ids, external_id: lead.external_id })
  const spellings = [lead.tracking_id, lead.tracking_id.toUpperCase(), lead.tracking_id.replaceAll('-', '')]
  for (const text of [...spellings, event.event_id]) expect((await search(text)).map(({ id }) => id)).toEqual([lead.id])
  expect((await search(` ${lead.external_id} `)).map(({ id }) => id)).toEqual([again.id, lead.id])
  for (const text of [mark, `${lead.external_id}x`, lead.tracking_id.slice(0, 20), '%'])
    expect(await search(text)).toEqual([])
  await closeAll(server)
  expect((await search(lead.external_id)).map(({ id }) => id)).toEqual([again.id, lead.id])
})

test('access gives everything that is held, and the trail says who asked and why, not what for', async () => {
  const { lead, mark, event } = await makePerson()
  const file = await fileOf(lead.id)
  expect(file.lead).toMatchObject({
    tracking_id: lead.tracking_id,
    external_id: `${mark}@correo.mx`,
    utm_source: `${mark} origen`,
    lead_data: { params: { sub1: `${mark} sub` } },
  })
  expect(file.events).toMatchObject([{ event_id: event.event_id, event_data: { nombre: mark } }])
  expect(file.receipts.map(({ code }) => code)).toEqual(['DUPLICATE', 'UNKNOWN_EVENT'])
  expect(file.rejected).toMatchObject([{ code: 'UNKNOWN_EVENT', body: { event_data: { nombre: mark } } }])
  const [entry, ...others] = await auditOf(lead.id)
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    action: 'privacy_access',
    label: lead.tracking_id,
    changes: { folio: [null, grounds.folio], reason: [null, grounds.reason] },
  })
  expect(JSON.stringify(entry)).not.toContain(mark)
})

test('a correction changes what is named, in lists and searches too; the trail names the fields alone', async () => {
  const { lead, mark, ids } = await makePerson()
  await closeAll(server)
  const body = { ...grounds, external_id: 'otra-referencia', utm_term: '' }
  const answer = await admin.put(`${BASE}leads/${lead.id}/`, body)
  expect([answer.status, answer.json().message]).toEqual([200, 'Datos rectificados'])
  expect((await fileOf(lead.id)).lead).toMatchObject({
    external_id: 'otra-referencia',
    utm_term: '',
    utm_source: `${mark} origen`,
  })
  const of = `issuer_id=${ids.issuer_id}`
  expect([await listed(`${of}&external_id=OTRA-ref`), await listed(`${of}&external_id=${mark}`)]).toEqual([1, 0])
  expect((await search('otra-referencia')).map(({ id }) => id)).toEqual([lead.id])
  const [entry] = await auditOf(lead.id)
  expect(entry).toMatchObject({ action: 'privacy_correct', changes: { fields: [null, 'external_id, utm_term'] } })
  expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${mark}|otra-referencia`))
})

const leftOf = async ({ lead, issuer }: Pick<Funnel, 'lead' | 'issuer'>): Promise<string> =>
  JSON.stringify([
    await server.db.selectFrom('lead').selectAll().where('id', '=', lead.id).execute(),
    await eventsOf(server, lead.id),
    await rejectedOf(server, issuer.id),
    await server.db.selectFrom('event_receipt').selectAll().where('issuer_id', '=', issuer.id).execute(),
    await auditOf(lead.id),
  ])

test('an erasure leaves ids, moments, money and sums, and nothing of the person', async () => {
  const person = await makePerson()
  const { lead, mark, ids, event, client, steps } = person
  await closeAll(server)
  expect(await leftOf(person)).toContain(mark)
  const [before, entries] = [await eventsOf(server, lead.id), await entriesOf(server, lead.id)]
  const answer = await admin.post(`${BASE}leads/${lead.id}/erase/`, grounds)
  expect(answer.json()).toMatchObject({
    message: 'Datos suprimidos',
    data: { events: 1, receipts: 2, rejected: 1, file_rows: 0, deliveries: 0, identifying_ids: 0 },
  })
  expect(await leftOf(person)).not.toContain(mark)
  expect(await eventsOf(server, lead.id)).toEqual(before.map((row) => ({ ...row, event_data: null })))
  expect(await entriesOf(server, lead.id)).toEqual(entries)
  expect(await search(lead.external_id)).toEqual([])
  expect([
    await listed(`issuer_id=${ids.issuer_id}`),
    await listed(`issuer_id=${ids.issuer_id}&utm_source=${mark}`),
  ]).toEqual([2, 0])
  await expectNoDrift(server.db)
  // Twice is as once; and the lead lives on.
  const again = await admin.post(`${BASE}leads/${lead.id}/erase/`, grounds)
  const nothing = { events: 0, receipts: 0, rejected: 0, file_rows: 0, deliveries: 0, identifying_ids: 0 }
  expect(again.json().data).toEqual(nothing)
  const repeated = await client.post(EVENTS, { ...event, event_data: { nombre: mark } })
  expect([repeated.status, repeated.json().data.duplicate]).toEqual([200, true])
  const later = await client.post(EVENTS, { tracking_id: lead.tracking_id, step_id: steps.entregado.id })
  expect([later.status, later.json().data.commission.amount]).toEqual([201, '500.00'])
  await expectNoDrift(server.db)
  const actions = (await auditOf(lead.id)).map(({ action }) => action)
  expect(actions).toEqual(['privacy_erase', 'privacy_erase'])
})

test('the words in which an issuer gave a reason are told and erased with the rest', async () => {
  const person = await makePerson()
  const { client, lead, mark } = person
  const reason_code = `No localizamos a ${mark}`
  await client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'rechazado', reason_code })
  expect((await fileOf(lead.id)).events.at(-1)).toMatchObject({ event_data: { reason_code } })
  await admin.post(`${BASE}leads/${lead.id}/erase/`, grounds)
  expect(await leftOf(person)).not.toContain(mark)
})

test('an erasure says how many ids of the issuer, which stay, seem to tell who the person is', async () => {
  const { client, steps, lead, mark, event } = await makePerson()
  const step = { tracking_id: lead.tracking_id, step_id: steps.step_1.id }
  const given = { ...step, event_id: `alta ${mark.toUpperCase()}@correo.mx` }
  await client.post(EVENTS, given)
  await client.post(EVENTS, { ...step, event_id: `tel 55 1234 5678 ${unique()}` })
  const answer = await admin.post(`${BASE}leads/${lead.id}/erase/`, grounds)
  expect(answer.json().data).toMatchObject({ events: 1, identifying_ids: 2 })
  const kept = (await eventsOf(server, lead.id)).map(({ event_id }) => event_id)
  expect(kept).toEqual(expect.arrayContaining([event.event_id, given.event_id]))
  const repeated = await client.post(EVENTS, given)
  expect([repeated.status, repeated.json().data.duplicate]).toEqual([200, true])
  expect(JSON.stringify(await auditOf(lead.id)).toLowerCase()).not.toContain(mark)
})

test('an erasure and an event of the same lead wait for each other', async () => {
  const { lead, client, steps } = await makePerson()
  const erasing = Array.from({ length: 5 }, () => admin.post(`${BASE}leads/${lead.id}/erase/`, grounds))
  const sending = Array.from({ length: 5 }, (_, place) =>
    client.post(EVENTS, { tracking_id: lead.tracking_id, step_id: steps.step_1.id, event_id: `a la vez ${place}` }),
  )
  const answers = await Promise.all([...erasing, ...sending])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 201, 201, 201, 201, 201])
  await expectNoDrift(server.db)
})

test('a stored answer that holds the file goes with the erasure', async () => {
  const { lead, mark } = await makePerson()
  const headers = { 'idempotency-key': `archivo-${unique()}` }
  await admin.post(`${BASE}leads/${lead.id}/file/`, grounds, { headers })
  await admin.post(`${BASE}leads/${lead.id}/erase/`, grounds)
  const kept = await server.db.selectFrom('idempotency').select('body').execute()
  expect(JSON.stringify(kept)).not.toContain(mark)
})

test('without folio or reason nothing is shown or done, and what identifies somebody in them is masked', async () => {
  const { lead, mark } = await makePerson()
  for (const body of [
    {},
    { ...grounds, folio: ' ' },
    { ...grounds, reason: 'no' },
    { ...grounds, reason: 'x'.repeat(201) },
  ])
    for (const path of ['file/', 'erase/'])
      expect((await admin.post(`${BASE}leads/${lead.id}/${path}`, body)).status).toBe(422)
  expect((await admin.put(`${BASE}leads/${lead.id}/`, { external_id: 'x' })).status).toBe(422)
  expect((await fileOf(lead.id)).lead.external_id).toContain(mark)
  await admin.post(`${BASE}leads/${lead.id}/erase/`, { ...grounds, reason: 'Lo pide GODE561231HDFRRN04' })
  expect((await auditOf(lead.id)).at(-1)?.changes).toMatchObject({ reason: [null, 'Lo pide [CURP omitida]'] })
})

test('a correction says what, and of the lead in its address', async () => {
  const { lead } = await makePerson()
  const before = await fileOf(lead.id)
  const correct = (body: object) => admin.put(`${BASE}leads/${lead.id}/`, { ...grounds, ...body })
  const empty = await correct({})
  expect([empty.status, empty.json().errors]).toEqual([422, ['Indica al menos un dato que corregir']])
  const other = await correct({ id: lead.id + 1, utm_term: '' })
  expect([other.status, other.json().errors]).toEqual([400, ['El id del cuerpo no coincide con el de la dirección']])
  expect(await fileOf(lead.id)).toEqual(before)
  expect((await correct({ id: lead.id, utm_term: '' })).status).toBe(200)
})

test('a lead that does not exist is a 404, and is not audited', async () => {
  for (const path of ['file/', 'erase/'])
    expect((await admin.post(`${BASE}leads/999999999/${path}`, grounds)).status).toBe(404)
  expect((await admin.put(`${BASE}leads/999999999/`, { ...grounds, utm_term: '' })).status).toBe(404)
  expect(await auditOf(999_999_999)).toEqual([])
})

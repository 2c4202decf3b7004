import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Explanation } from '#contract/explain.ts'
import type { Import } from '#contract/imports.ts'
import { makePayment } from '#db/factories.ts'
import { applied, at, csvOf, makeWorld, simulated, type World, whenDone } from '../imports/testing.ts'
import { FILES, makePair, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())

let world: World
let lead: Awaited<ReturnType<World['lead']>>
/** Who may see the lead: the administrator, its issuer, its affiliate. */
let admin: TestClient
let issuer: TestClient
let affiliate: TestClient
beforeEach(async () => {
  world = await makeWorld(server.db)
  lead = await world.lead()
  admin = await server.as({ role: 'admin' })
  issuer = await server.as({ role: 'issuer', issuerId: world.ids.issuer_id })
  affiliate = await server.as({ role: 'affiliate', affiliateId: world.ids.affiliate_id })
})

const apply = async (state: string, by = issuer): Promise<Import> =>
  applied(
    by,
    await simulated(
      issuer,
      csvOf([
        ['', 'PENDIENTE', ''],
        [lead.tracking_id, state, 'buró'],
      ]),
    ),
  )

const UNDO = 'El banco mandó otro archivo'
async function undo({ id }: Import): Promise<void> {
  await admin.post(at(id, 'undo-preview/'))
  const { previewed_at } = await whenDone(admin, id)
  expect((await admin.post(at(id, 'undo/'), { reason: UNDO, previewed_at })).status).toBe(202)
  await whenDone(admin, id)
}

async function explained(client: TestClient, kind: 'entry' | 'lead', id: number): Promise<Explanation> {
  const answer = await client.get(`/api/v1/explain/${kind}/${id}/`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

const entryIds = async (): Promise<number[]> => {
  const rows = await server.db
    .selectFrom('commission_entry')
    .select('id')
    .where('lead_id', '=', lead.id)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

const node = ({ nodes }: Explanation, kind: string) => nodes.find((one) => one.kind === kind)
const facts = (explanation: Explanation, kind: string) =>
  Object.fromEntries(node(explanation, kind)?.facts.map(({ label, value }) => [label, value]) ?? [])

test('a commission leads back over its event to the row of the file, and to who applied it', async () => {
  const file = await apply('APROBADA')
  const [id = 0] = await entryIds()
  for (const client of [admin, issuer]) {
    const whole = await explained(client, 'entry', id)
    expect(whole.nodes.map(({ kind }) => kind)).toEqual(['rate', 'click', 'import', 'event'])
    expect(node(whole, 'import')?.title).toBe(`Renglón 3 de la conciliación ${file.id}`)
    expect(facts(whole, 'import')).toEqual({
      Archivo: 'marzo.csv',
      'Huella del archivo': file.sha256,
      Autor: file.applied_by_name,
    })
    expect(facts(whole, 'event').Fuente).toBe('Conciliación por archivo')
    expect(whole.gaps).toEqual([])
    expect((await explained(client, 'lead', lead.id)).nodes).toEqual(whole.nodes)
  }
})

test('an issuer reads the names of its own people alone', async () => {
  const file = await apply('APROBADA', admin)
  expect([file.created_by_name, file.applied_by_name]).toEqual([expect.stringMatching(/\S+ \S+/), expect.any(String)])
  await undo(file)
  const { undone_by_name } = (await admin.get(at(file.id))).json().data
  expect(undone_by_name).toBe(file.applied_by_name)
  const seen = (await issuer.get(at(file.id))).json().data
  expect(seen).toMatchObject({ created_by_name: file.created_by_name, applied_by_name: null, undone_by_name: null })
  const whole = await explained(issuer, 'lead', lead.id)
  expect([facts(whole, 'import').Autor, facts(whole, 'void').Autor]).toEqual([undefined, undefined])
})

test('that the file was undone is told with who did it and why, and the commission counts no more', async () => {
  const file = await apply('APROBADA')
  const [id = 0] = await entryIds()
  await undo(file)
  for (const client of [admin, issuer]) {
    const whole = await explained(client, 'entry', id)
    expect(whole.nodes.map(({ kind }) => kind)).toEqual(['rate', 'click', 'import', 'event', 'void'])
    expect(node(whole, 'void')?.title).toBe(`La conciliación ${file.id} se deshizo: lo que registró se anuló`)
    expect(facts(whole, 'void').Motivo).toBe(UNDO)
    expect(facts(whole, 'void').Autor).toEqual(client === admin ? expect.stringMatching(/\S+ \S+/) : undefined)
    expect(whole.sentence).toMatch(/ Evento anulado\.$/)
  }
  expect((await explained(issuer, 'lead', lead.id)).subject.amount).toBe('0.00')
})

test('its affiliate reads what happened and what it moved, never the file, the people or their reasons', async () => {
  const file = await apply('APROBADA')
  const [id = 0] = await entryIds()
  await undo(file)
  for (const [kind, of] of [
    ['entry', id],
    ['lead', lead.id],
  ] as const) {
    const whole = await explained(affiliate, kind, of)
    expect(whole.nodes.map((one) => one.kind)).toEqual(['rate', 'click', 'import', 'event', 'void'])
    expect([node(whole, 'import')?.facts, node(whole, 'void')?.facts]).toEqual([[], []])
    const text = JSON.stringify(whole)
    for (const hidden of ['marzo.csv', file.sha256, file.applied_by_name ?? '', UNDO])
      expect(text).not.toContain(hidden)
  }
})

test('what a file took back of a paid commission names both files and the undoing', async () => {
  await apply('APROBADA')
  const [first = 0] = await entryIds()
  const payment = await makePayment(server.db, world.ids, { payment_status: 'paid' })
  const paid = { state: 'paid', payment_id: payment.id }
  await server.db.updateTable('commission_entry').set(paid).where('id', '=', first).execute()
  const rejection = await apply('RECHAZADA')
  const [, back = 0] = await entryIds()
  const taken = await explained(issuer, 'entry', back)
  expect(taken.subject.amount).toBe('-500.00')
  expect(taken.nodes.filter(({ kind }) => kind === 'import')).toHaveLength(2)
  expect(facts(taken, 'rejection')).toMatchObject({ Motivo: 'Historial en buró de crédito' })
  await undo(rejection)
  const after = await explained(issuer, 'entry', back)
  expect(node(after, 'void')?.title).toContain(`conciliación ${rejection.id}`)
  expect(node(after, 'entry')?.title).toBe('Cargo por cancelación (ya no cuenta)')
  const seen = await explained(affiliate, 'entry', back)
  expect(facts(seen, 'rejection')).toMatchObject({ Motivo: 'Política de crédito' })
  expect(JSON.stringify(seen)).not.toContain('marzo.csv')
})

test('strangers find nothing of it', async () => {
  await apply('APROBADA')
  const [id = 0] = await entryIds()
  const other = await makePair(server.db)
  for (const actor of [
    { role: 'issuer', issuerId: other.issuer.id },
    { role: 'affiliate', affiliateId: other.affiliate.id },
  ] as const) {
    const stranger = await server.as(actor)
    expect((await stranger.get(`/api/v1/explain/entry/${id}/`)).status).toBe(404)
    expect((await stranger.get(`/api/v1/explain/lead/${lead.id}/`)).status).toBe(404)
  }
})

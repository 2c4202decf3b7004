import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventStep } from '#contract/event-steps.ts'
import {
  makeIssuer,
  makeLead,
  makePair,
  makeProduct,
  makeStep,
  startServer,
  type TestAnswer,
  type TestClient,
  type TestServer,
} from '../testing.ts'

const PATH = '/api/v1/events/product-steps/'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const ids = (answer: TestAnswer): number[] => answer.json().data.map((step: EventStep) => step.id)
const tenTimes = <T>(run: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 10 }, (_, i) => run(i)))

async function makeFlow(orders: number[] = []) {
  const issuer = await makeIssuer(server.db)
  const product = await makeProduct(server.db, { issuer_id: issuer.id })
  const steps = []
  for (const step_order of orders) steps.push(await makeStep(server.db, { product_id: product.id, step_order }))
  const form = { issuer_id: issuer.id, product_id: product.id, event_type_id: 1, name: 'Solicitud' }
  return { issuer, product, form, steps: steps.map((step) => step.id) }
}

const ordersOf = async (productId: number): Promise<[id: number, order: number][]> => {
  const answer = await admin.get(`${PATH}by-product/${productId}/`)
  return answer.json().data.map((step: EventStep) => [step.id, step.step_order])
}
const reorder = (pairs: [step_id: number, new_order: number][]) =>
  admin.post(`${PATH}reorder/`, { step_orders: pairs.map(([step_id, new_order]) => ({ step_id, new_order })) })
const trailOf = (entity: string, id: number) =>
  server.db
    .selectFrom('audit_entry')
    .select(['action', 'changes'])
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()

test('event types come by id and cannot be written', async () => {
  const path = '/api/v1/events/event-types/'
  const types = ['step_1', 'step_2', 'aprobado', 'rechazado', 'entregado'].map((name, i) => ({ id: i + 1, name }))
  expect((await admin.get(path)).json().data).toEqual(types)
  expect((await admin.get(`${path}3/`)).json().data).toEqual({ id: 3, name: 'aprobado' })
  expect((await admin.get(`${path}6/`)).status).toBe(404)
  expect((await admin.post(path, { name: 'otro' })).status).toBe(405)
  expect((await server.anonymous.get(path)).status).toBe(401)
})

describe('creating', () => {
  test('a step goes to the end of its flow', async () => {
    const { form, issuer, product } = await makeFlow([1, 4])
    const answer = await admin.post(PATH, { ...form, name: '  Paso uno  ', is_payout_event: true })
    expect(answer.status).toBe(201)
    expect(answer.json()).toMatchObject({
      message: 'Paso de evento creado exitosamente',
      data: {
        product_id: product.id,
        product_name: product.name,
        issuer_id: issuer.id,
        issuer_name: issuer.company_name,
        event_type_id: 1,
        event_type_name: 'step_1',
        name: 'Paso uno',
        description: '',
        step_order: 5,
        is_payout_event: true,
      },
    })
    const { id } = answer.json().data
    expect((await admin.get(`${PATH}${id}`)).json().data).toEqual(answer.json().data)
    expect(await trailOf('event_step', id)).toMatchObject([{ action: 'create', changes: { step_order: [null, 5] } }])
  })

  test('the first step of a product has order 1, and archived ones do not count', async () => {
    const { form, product } = await makeFlow()
    await makeStep(server.db, { product_id: product.id, step_order: 7, archived_at: new Date() })
    expect((await admin.post(PATH, { ...form, step_order: null })).json().data.step_order).toBe(1)
  })

  test('an order of the caller is taken when free', async () => {
    const { form } = await makeFlow([1, 3])
    expect((await admin.post(PATH, { ...form, step_order: 2 })).json().data.step_order).toBe(2)
    const taken = await admin.post(PATH, { ...form, step_order: 3 })
    expect(taken.status).toBe(409)
    expect(taken.json().message).toBe('Ya existe un paso con ese orden en el flujo del producto')
  })

  test('ten at once get the orders 1 to 10', async () => {
    const { form } = await makeFlow()
    const answers = await tenTimes(() => admin.post(PATH, form))
    const orders = answers.map((answer) => answer.json().data.step_order)
    expect(orders.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('of ten that want the same order one gets it', async () => {
    const { form, product } = await makeFlow()
    const answers = await tenTimes(() => admin.post(PATH, { ...form, step_order: 4 }))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect(await ordersOf(product.id)).toHaveLength(1)
  })

  test.each([
    ['issuer_id', undefined, 'Debe seleccionar un emisor'],
    ['product_id', undefined, 'Debe seleccionar un producto'],
    ['product_id', 999_999_999, 'Debe seleccionar un producto'],
    ['event_type_id', undefined, 'Debe seleccionar un tipo de evento'],
    ['event_type_id', 6, 'Debe seleccionar un tipo de evento'],
    ['name', ' ab ', 'El nombre debe tener al menos 3 caracteres'],
    ['name', 'a'.repeat(256), 'El nombre no puede exceder 255 caracteres'],
    ['description', 'a'.repeat(501), 'La descripción no puede exceder 500 caracteres'],
    ['step_order', 0, 'El orden empieza en 1'],
  ])('%s %j: %s', async (field, value, message) => {
    const { form, product } = await makeFlow()
    const answer = await admin.post(PATH, { ...form, [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.json().meta.field_errors).toEqual({ [field]: [message] })
    expect(await ordersOf(product.id)).toEqual([])
  })

  test('the longest name and description fit', async () => {
    const { form } = await makeFlow()
    const longest = { name: 'ñ'.repeat(255), description: 'á'.repeat(500) }
    expect((await admin.post(PATH, { ...form, ...longest })).status).toBe(201)
  })

  test('the product must be of the issuer that is sent, and alive', async () => {
    const [{ form }, other] = [await makeFlow(), await makeFlow()]
    expect((await admin.post(PATH, { ...form, issuer_id: other.issuer.id })).status).toBe(422)
    await admin.delete(`/api/v1/products/${form.product_id}/`)
    expect((await admin.post(PATH, form)).status).toBe(422)
  })
})

describe('changing', () => {
  test('a step keeps its product and what the body does not name', async () => {
    const { steps, product } = await makeFlow([1])
    const other = await makeFlow()
    const body = { id: steps[0], event_type_id: 3, name: 'Aprobada', product_id: other.product.id, issuer_id: 1 }
    const answer = await admin.put(`${PATH}${steps[0]}/`, body)
    expect(answer.json().message).toBe('Paso actualizado exitosamente')
    expect(answer.json().data).toMatchObject({ product_id: product.id, event_type_name: 'aprobado', step_order: 1 })
    expect((await trailOf('event_step', steps[0] as number))[0]?.changes).toMatchObject({ event_type_id: [1, 3] })
    expect((await admin.put(`${PATH}${steps[0]}/`, { event_type_id: 9 })).status).toBe(422)
  })

  test('its order moves when free; its own and a free one are no conflict', async () => {
    const { steps, product } = await makeFlow([1, 2])
    const put = (step_order: number) => admin.put(`${PATH}${steps[0]}/`, { step_order })
    expect((await put(1)).status).toBe(200)
    expect((await put(2)).status).toBe(409)
    expect((await put(5)).status).toBe(200)
    expect(await ordersOf(product.id)).toEqual([
      [steps[1], 2],
      [steps[0], 5],
    ])
  })

  test('an edit of what somebody else has edited is refused', async () => {
    const { steps } = await makeFlow([1])
    const { updated_at } = (await admin.get(`${PATH}${steps[0]}/`)).json().data
    const seen = { headers: { 'if-match': `"${updated_at}"` } }
    expect((await admin.put(`${PATH}${steps[0]}/`, { name: 'Primera' }, seen)).status).toBe(200)
    expect((await admin.put(`${PATH}${steps[0]}/`, { name: 'Segunda' }, seen)).status).toBe(412)
    expect((await admin.put(`${PATH}${steps[0]}/`, { id: 1_000_000 })).status).toBe(400)
  })

  test('a removed step leaves its order and its events behind', async () => {
    const { ids: pair } = await makePair(server.db)
    const step = await makeStep(server.db, { product_id: pair.product_id, step_order: 1, name: 'Registro' })
    const lead = await makeLead(server.db, pair)
    const event = { issuer_id: pair.issuer_id, step_id: step.id, step_name: step.name, event_type_name: 'step_1' }
    const proof = { source: 'api', idempotency_key: 'uno', fingerprint: Buffer.from('uno') }
    await server.db
      .insertInto('lead_event')
      .values({ lead_id: lead.id, tracking_id: lead.tracking_id, event_type_id: 1, ...event, ...proof })
      .execute()
    const answers = await tenTimes(() => admin.delete(`${PATH}${step.id}/`))
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array(9).fill(404)])
    expect((await admin.put(`${PATH}${step.id}/`, { name: 'Otra' })).status).toBe(404)
    expect(await ordersOf(pair.product_id)).toEqual([])
    const timeline = (await admin.get(`/api/v1/leads/${lead.id}/`)).json().data.events
    expect(timeline[0].step_name).toBe('Registro')
    const form = { issuer_id: pair.issuer_id, product_id: pair.product_id, event_type_id: 1, name: 'Otro registro' }
    expect((await admin.post(PATH, { ...form, step_order: 1 })).status).toBe(201)
    expect((await trailOf('event_step', step.id)).map((entry) => entry.action)).toEqual(['delete'])
  })
})

describe('reordering', () => {
  test('two neighbours trade places in one call', async () => {
    const { product, steps } = await makeFlow([1, 2, 3])
    const [a, b, c] = steps as [number, number, number]
    const answer = await reorder([
      [a, 2],
      [b, 1],
    ])
    expect(answer.json().message).toBe('Pasos reordenados exitosamente')
    expect(ids(answer)).toEqual([b, a, c])
    expect(await ordersOf(product.id)).toEqual([
      [b, 1],
      [a, 2],
      [c, 3],
    ])
    expect(await trailOf('product', product.id)).toEqual([
      { action: 'reorder', changes: { [`step_${a}`]: [1, 2], [`step_${b}`]: [2, 1] } },
    ])
  })

  test('gaps are allowed', async () => {
    const { product, steps } = await makeFlow([1, 2])
    await reorder([[steps[0] as number, 40]])
    expect((await ordersOf(product.id)).map(([, order]) => order)).toEqual([2, 40])
  })

  test('what cannot be done whole is not done at all', async () => {
    const { product, steps } = await makeFlow([1, 2, 3])
    const other = await makeFlow([1])
    const [a, b] = steps as [number, number]
    const before = await ordersOf(product.id)
    const refused: [number, [number, number][]][] = [
      [409, [[a, 3]]],
      [422, [[a, 5], [b, 5]]], // biome-ignore format: pairs
      [422, [[a, 5], [a, 6]]], // biome-ignore format: pairs
      [422, [[a, 5], [other.steps[0] as number, 6]]], // biome-ignore format: pairs
      [404, [[a, 5], [999_999_999, 6]]], // biome-ignore format: pairs
      [422, [[a, 0]]],
      [422, []],
    ]
    for (const [status, pairs] of refused) expect((await reorder(pairs)).status, JSON.stringify(pairs)).toBe(status)
    expect(await ordersOf(product.id)).toEqual(before)
    expect(await trailOf('product', product.id)).toEqual([])
  })

  test('ten at once leave one of the wanted orders whole', async () => {
    const { product, steps } = await makeFlow([1, 2, 3, 4, 5])
    const rotated = (by: number) => steps.map((step, i): [number, number] => [step, ((i + by) % 5) + 1])
    const answers = await tenTimes((i) => reorder(rotated(i)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
    const result = new Map(await ordersOf(product.id))
    expect(
      [0, 1, 2, 3, 4].filter((by) => rotated(by).every(([step, order]) => result.get(step) === order)),
    ).toHaveLength(1)
  })

  test('creating, moving, removing and reordering at once neither fail nor collide', async () => {
    const { form, product, steps } = await makeFlow([1, 2, 3])
    const [a, b, c] = steps as [number, number, number]
    const swap = (turn: number) => reorder(turn % 2 ? [[a, 1], [b, 2]] : [[a, 2], [b, 1]]) // biome-ignore format: pairs
    const answers = await Promise.all([
      ...[0, 1, 2, 3].map(swap),
      ...[0, 1, 2].map(() => admin.post(PATH, form)),
      admin.put(`${PATH}${c}/`, { step_order: 50 }),
      admin.put(`${PATH}${a}/`, { name: 'Renombrado' }),
    ])
    expect(answers.every((answer) => answer.status < 300)).toBe(true)
    const orders = (await ordersOf(product.id)).map(([, order]) => order)
    expect(new Set(orders).size).toBe(6)
  })
})

describe('who sees and may do what', () => {
  test('the list comes by product and order, and narrows', async () => {
    const [one, two] = [await makeFlow([2, 1]), await makeFlow([1])]
    const all = ids(await admin.get(PATH))
    const wanted = [one.steps[1], one.steps[0], two.steps[0]]
    expect(all.filter((id) => wanted.includes(id))).toEqual(wanted)
    expect(ids(await admin.get(`${PATH}?issuer_id=${two.issuer.id}`))).toEqual(two.steps)
    expect(ids(await admin.get(`${PATH}?product_id=${two.product.id}`))).toEqual(two.steps)
    expect(ids(await admin.get(`${PATH}?product_id=${two.product.id}&issuer_id=${one.issuer.id}`))).toEqual([])
    expect((await admin.get(`${PATH}?product_id=1&product_id=2`)).status).toBe(400)
  })

  test('an issuer sees the flows of its products, an affiliate those of its partners', async () => {
    const { affiliate, issuer, product, relationship } = await makePair(server.db)
    const step = await makeStep(server.db, { product_id: product.id })
    const foreign = await makeFlow([1])
    const clients = [
      await server.as({ role: 'issuer', issuerId: issuer.id }),
      await server.as({ role: 'affiliate', affiliateId: affiliate.id }),
    ] as const
    for (const client of clients) {
      expect(ids(await client.get(PATH))).toEqual([step.id])
      expect(ids(await client.get(`${PATH}by-product/${product.id}`))).toEqual([step.id])
      expect(ids(await client.get(`${PATH}?product_id=${foreign.product.id}`))).toEqual([])
      const strange = await client.get(`${PATH}by-product/${foreign.product.id}/`)
      const missing = await client.get(`${PATH}by-product/999999999/`)
      expect([strange.status, strange.json().message]).toEqual([missing.status, missing.json().message])
      expect(missing.status).toBe(404)
      expect((await client.get(`${PATH}${foreign.steps[0]}/`)).status).toBe(404)
    }
    await server.db
      .updateTable('relationship')
      .set({ relationship_status: 'inactive' })
      .where('id', '=', relationship.id)
      .execute()
    expect(ids(await clients[1].get(PATH))).toEqual([])
    expect((await clients[1].get(`${PATH}${step.id}/`)).status).toBe(404)
  })

  test('only the administrator writes', async () => {
    const { affiliate, issuer, product } = await makePair(server.db)
    const step = await makeStep(server.db, { product_id: product.id })
    const cases = [
      [server.anonymous, 401],
      [await server.as({ role: 'issuer', issuerId: issuer.id }), 403],
      [await server.as({ role: 'affiliate', affiliateId: affiliate.id }), 403],
    ] as const
    for (const [client, status] of cases) {
      const form = { issuer_id: issuer.id, product_id: product.id, event_type_id: 1, name: 'Intento' }
      expect((await client.post(PATH, form)).status).toBe(status)
      expect((await client.put(`${PATH}${step.id}/`, { name: 'Intento' })).status).toBe(status)
      expect((await client.delete(`${PATH}${step.id}/`)).status).toBe(status)
      const step_orders = [{ step_id: step.id, new_order: 1 }]
      expect((await client.post(`${PATH}reorder/`, { step_orders })).status).toBe(status)
    }
    expect((await server.anonymous.get(PATH)).status).toBe(401)
  })
})

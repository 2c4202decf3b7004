import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Actor,
  makeAffiliate,
  makeCommission,
  makeIssuer,
  makeLead,
  makePair,
  makeRelationship,
  makeUser,
  startServer,
  type TestClient,
  type TestServer,
  unique,
} from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const cases = [
  {
    noun: 'affiliate' as const,
    column: 'affiliate_id' as const,
    title: 'Afiliado',
    path: '/api/v1/affiliates/',
    make: makeAffiliate,
    actor: (id: number): Actor => ({ role: 'affiliate', affiliateId: id }),
    keyKinds: ['api'],
    rfcInUse: 'Ya existe un afiliado con este RFC',
  },
  {
    noun: 'issuer' as const,
    column: 'issuer_id' as const,
    title: 'Emisor',
    path: '/api/v1/issuers/',
    make: makeIssuer,
    actor: (id: number): Actor => ({ role: 'issuer', issuerId: id }),
    keyKinds: ['api', 'postback', 'signing'],
    rfcInUse: 'Ya existe un emisor con este RFC',
  },
]

/** No check digit is a B. */
const newRfc = () => `CRE010101${unique().toString(36).toUpperCase().padStart(2, '0').slice(-2)}B`
const form = (changes: Record<string, unknown> = {}) => ({
  company_name: 'Crédito Fácil',
  rfc: newRfc(),
  address: 'Av. Juárez 10, Puebla',
  contact_name: 'Íñigo Núñez',
  contact_phone: '+525512345678',
  contact_email: 'Contacto@Credito.example.mx',
  url: 'https://credito.example.mx',
  ...changes,
})
const person = (changes: Record<string, unknown> = {}) => ({
  email: `nueva${unique()}@credito.example.mx`,
  first_name: 'Sofía',
  last_name: 'Ruiz',
  password: 'tres caballos azules',
  ...changes,
})

describe.each(cases)('$noun', ({ noun, column, title, path, make, actor, keyKinds, rfcInUse }) => {
  const ids = (answer: { json: () => { data: { id: number }[] } }) => answer.json().data.map((row) => row.id)
  const keysOf = (id: number) =>
    server.db.selectFrom('api_key').selectAll().where(column, '=', id).orderBy('kind').execute()
  const trailOf = async (id: number) =>
    (
      await server.db
        .selectFrom('audit_entry')
        .select('action')
        .where('entity', '=', noun)
        .where('entity_id', '=', id)
        .orderBy('id')
        .execute()
    ).map((entry) => entry.action)
  const countAll = async () =>
    (
      await server.db
        .selectFrom(noun)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count

  test('is created with its keys, which the administrator never sees', async () => {
    const answer = await admin.post(path, form({ rfc: ` ${newRfc().toLowerCase()} ` }))
    expect(answer.status).toBe(201)
    const { data, message, meta } = answer.json()
    expect(message).toBe(`${title} creado exitosamente`)
    expect(data).toMatchObject({
      company_name: 'Crédito Fácil',
      contact_email: 'contacto@credito.example.mx',
      user_status: 'active',
      users: [],
    })
    expect(data.rfc).toMatch(/^CRE010101/)
    expect(meta.warnings).toEqual(['RFC_CHECK_DIGIT'])
    const keys = await keysOf(data.id)
    expect(keys.map((key) => key.kind)).toEqual(keyKinds)
    expect(data.api_key_prefix).toBe(keys[0]?.prefix)
    expect(answer.text).not.toMatch(/"(api_key|postback_token|signing_secret)"/)
    expect(await trailOf(data.id)).toEqual(['create'])
  })

  test('is created together with its first person', async () => {
    const user = person()
    const { data } = (await admin.post(path, form({ user }))).json()
    expect(data.users).toEqual([
      { id: expect.any(Number), first_name: 'Sofía', last_name: 'Ruiz', full_name: 'Sofía Ruiz', email: user.email },
    ])
    const row = await server.db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', data.users[0].id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ role: noun, [column]: data.id })
    const login = await server.anonymous.post('/api/v1/auth/login/', { email: user.email, password: user.password })
    expect(login.status).toBe(200)
  })

  test('nothing is written when the e-mail of its person is taken', async () => {
    const taken = (await makeUser(server.db, { role: 'admin' })).email
    const [before, rfc] = [await countAll(), newRfc()]
    const answer = await admin.post(path, form({ rfc, user: person({ email: taken }) }))
    expect([answer.status, answer.json().message]).toEqual([409, 'Ya existe un usuario con este email'])
    expect(await countAll()).toBe(before)
    expect((await admin.post(path, form({ rfc }))).status).toBe(201)
  })

  test('nothing is written when the password of its person is one that everybody tries', async () => {
    const before = await countAll()
    const answer = await admin.post(path, form({ user: person({ password: 'password123' }) }))
    expect(answer.status).toBe(422)
    expect(answer.json().meta.field_errors).toHaveProperty(['user.password'])
    expect(await countAll()).toBe(before)
  })

  test('ten creations with one RFC at once make one company', async () => {
    const body = form()
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(path, body)))
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(refused).toHaveLength(9)
    for (const answer of refused) {
      expect([answer.status, answer.json().message]).toEqual([409, rfcInUse])
      expect(answer.json().meta).toMatchObject({ code: 'DUPLICATE_RFC', field_errors: { rfc: [rfcInUse] } })
    }
    const rows = await server.db.selectFrom(noun).select('id').where('rfc', '=', body.rfc).execute()
    expect(rows).toHaveLength(1)
  })

  test('a generic RFC belongs to many, and a correct one warns of nothing', async () => {
    for (const rfc of ['XAXX010101000', 'XAXX010101000', 'XEXX010101000', 'XEXX010101000']) {
      const answer = await admin.post(path, form({ rfc }))
      expect(answer.status).toBe(201)
      expect(answer.json().meta.warnings).toBeUndefined()
    }
    expect((await admin.post(path, form({ rfc: 'SAT971301NN3' }))).json().meta.warnings).toContain('RFC_DATE')
  })

  test.each([
    ['company_name', 'X', 'Debe tener al menos 2 caracteres'],
    ['company_name', 'x'.repeat(101), 'No puede exceder 100 caracteres'],
    ['rfc', 'ABC010101AB', 'RFC debe tener entre 12 y 13 caracteres'],
    ['rfc', 'ABCDE010101AB1', 'RFC debe tener entre 12 y 13 caracteres'],
    ['rfc', '1BC010101AB1', 'RFC debe tener 12 o 13 caracteres en formato válido'],
    ['rfc', 'ABCD010101AB', 'RFC debe tener 12 o 13 caracteres en formato válido'],
    ['contact_name', 'L33t', 'Solo se permiten letras, espacios y acentos'],
    ['contact_phone', '+5255', 'Teléfono debe tener el formato +525512345678'],
    ['contact_phone', '+52abc1234567', 'Solo se permiten números después de +52'],
    ['contact_email', 'sin arroba', 'Formato de email inválido. Ejemplo: usuario@empresa.com'],
    ['user_status', 'suspended', 'Estado es requerido'],
    ['user', { ...person(), password: 'corta' }, 'La contraseña debe tener al menos 8 caracteres'],
    ['company_name', undefined, 'Este campo es requerido'],
  ])('%s %j is refused', async (field, value, message) => {
    const answer = await admin.post(path, form({ [field]: value }))
    expect(answer.status).toBe(422)
    expect(answer.json().errors).toContain(message)
  })

  test.each(['Ñ&C010101AB1', 'ABCD010101AB1'])('the RFC %s is accepted', async (rfc) => {
    expect((await admin.post(path, form({ rfc }))).status).toBe(201)
  })

  test('phone and URL may be left out', async () => {
    const { contact_phone: _, url: __, ...body } = form()
    expect((await admin.post(path, body)).json().data).toMatchObject({ contact_phone: '', url: '' })
  })

  test('a change touches what it names and nothing else', async () => {
    const { id } = await make(server.db)
    const before = (await admin.get(`${path}${id}/`)).json().data
    const body = {
      id,
      company_name: 'Otro Nombre',
      user_status: 'inactive',
      created_at: '2001-01-01',
      archived_at: '2001-01-01',
    }
    const answer = await admin.put(`${path}${id}/`, body)
    expect(answer.json()).toMatchObject({ success: true, message: `${title} actualizado exitosamente` })
    const { updated_at, ...after } = answer.json().data
    const { updated_at: seen, ...rest } = before
    expect(after).toEqual({ ...rest, company_name: 'Otro Nombre', user_status: 'inactive' })
    expect(updated_at > seen).toBe(true)
    const entry = await server.db
      .selectFrom('audit_entry')
      .select('changes')
      .where('entity', '=', noun)
      .where('entity_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(entry.changes).toEqual({
      company_name: [before.company_name, 'Otro Nombre'],
      user_status: ['active', 'inactive'],
    })
    expect((await admin.put(`${path}${id}/`, {})).status).toBe(200)
  })

  test('a change is refused over another id, an older version and a taken RFC', async () => {
    const [one, two] = [await make(server.db), await make(server.db)]
    expect((await admin.put(`${path}${one.id}/`, { id: two.id })).status).toBe(400)
    const stale = { headers: { 'if-match': `"${one.updated_at}"` } }
    expect((await admin.put(`${path}${one.id}/`, { address: 'Calle 5' }, stale)).status).toBe(200)
    expect((await admin.put(`${path}${one.id}/`, { address: 'Calle 6' }, stale)).status).toBe(412)
    const taken = await admin.put(`${path}${one.id}/`, { rfc: two.rfc })
    expect([taken.status, taken.json().message]).toEqual([409, rfcInUse])
    expect((await admin.put(`${path}${one.id}/`, { rfc: one.rfc })).status).toBe(200)
    expect((await admin.put(`${path}999999/`, { address: 'Calle 7' })).status).toBe(404)
  })

  test('search wants every word in name, RFC or e-mail, accents and case aside', async () => {
    const { id, rfc } = (await admin.post(path, form({ company_name: `Búsqueda Única ${noun}` }))).json().data
    const found = async (search: string) => ids(await admin.get(`${path}?search=${encodeURIComponent(search)}`))
    expect(await found(`UNICA busque ${rfc.slice(-6)}`)).toEqual([id])
    expect(await found(`unica ${noun} contacto@credito`)).toEqual([id])
    expect(await found(`«Búsqueda Única ${noun}», S.A. de C.V.`)).toEqual([id])
    expect(await found('unica puebla')).toEqual([])
    expect(await found('%')).toEqual([])
  })

  test('lists are in one order, by pages when asked, and by status', async () => {
    const inactive = await make(server.db, { user_status: 'inactive' })
    const all = ids(await admin.get(path))
    expect(all).toEqual(all.toSorted((a, b) => a - b))
    expect(ids(await admin.get(`${path}?page=2&page_size=2`))).toEqual(all.slice(2, 4))
    expect(ids(await admin.get(`${path}?status=active`))).not.toContain(inactive.id)
    expect(ids(await admin.get(`${path}?status=inactive`))).toContain(inactive.id)
    expect((await admin.get(`${path}?status=otro`)).status).toBe(400)
  })

  test('its first person leads the list of its people', async () => {
    const { id } = await make(server.db)
    const people = [await makeUser(server.db, actor(id)), await makeUser(server.db, actor(id))]
    await makeUser(server.db, actor(id), { archived_at: new Date() })
    const users = (await admin.get(`${path}${id}/`)).json().data.users
    expect(users.map((user: { id: number }) => user.id)).toEqual(people.map((user) => user.id))
  })

  test('a removal takes access, keys, relationships and commissions along; history keeps the name', async () => {
    const pair = await makePair(server.db)
    const company = pair[noun]
    await makeCommission(server.db, pair.ids)
    const lead = await makeLead(server.db, pair.ids)
    const own = await server.as(actor(company.id))
    await own.post(`${path}${company.id}/api-key/`)
    const counts = (await admin.get(`${path}${company.id}/dependents/`)).json().data
    const products = noun === 'issuer' ? 1 : 0
    const none = { payments: 0, open_balance: '0.00' }
    expect(counts).toEqual({ users: 1, relationships: 1, products, commissions: 1, leads: 1, ...none })

    expect((await admin.delete(`${path}${company.id}/`)).status).toBe(204)
    expect((await admin.get(`${path}${company.id}/`)).status).toBe(404)
    expect((await admin.delete(`${path}${company.id}/`)).status).toBe(404)
    expect((await admin.get(`${path}${company.id}/dependents/`)).status).toBe(404)
    expect(ids(await admin.get(path))).not.toContain(company.id)
    expect((await own.get('/api/v1/products/')).status).toBe(401)
    const [user] = await server.db.selectFrom('user').selectAll().where(column, '=', company.id).execute()
    expect(user).toMatchObject({ user_status: 'inactive', archived_at: null })
    const session = server.db
      .selectFrom('session')
      .select('revoked_reason')
      .where('user_id', '=', user?.id ?? 0)
    expect(await session.execute()).toEqual([{ revoked_reason: 'company_archived' }])
    const relationship = await admin.get(`/api/v1/relationships/${pair.relationship.id}/`)
    expect(relationship.status).toBe(404)
    const commission = await server.db
      .selectFrom('commission')
      .selectAll()
      .where(column, '=', company.id)
      .executeTakeFirstOrThrow()
    expect(commission.archived_at).not.toBeNull()
    expect((await admin.get(`/api/v1/products/${pair.product.id}/`)).status).toBe(noun === 'issuer' ? 404 : 200)
    expect((await keysOf(company.id)).every((key) => Date.parse(key.expires_at ?? '') <= Date.now())).toBe(true)
    expect((await admin.get(`/api/v1/leads/${lead.id}/`)).json().data[`${noun}_name`]).toBe(company.company_name)
    expect(await trailOf(company.id)).toEqual(['rotate_key', 'reveal_key', 'delete'])
    expect((await admin.post(path, form({ rfc: company.rfc }))).status).toBe(201)
  })

  test('ten removals at once remove once', async () => {
    const { id } = await make(server.db)
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.delete(`${path}${id}/`)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([204, ...Array(9).fill(404)])
    expect(await trailOf(id)).toEqual(['delete'])
  })

  test('its own people see its key and change it; the administrator changes it without seeing it', async () => {
    const { id } = (await admin.post(path, form())).json().data
    const own = await server.as(actor(id))
    const first = (await own.get(`${path}${id}/`)).json().data
    expect(first.api_key).toMatch(noun === 'issuer' ? /^iss_/ : /^aff_/)
    expect(first).not.toHaveProperty('users')
    expect(first).not.toHaveProperty('api_key_prefix')
    const rotated = (await own.post(`${path}${id}/api-key/`)).json()
    expect(rotated.message).toBe('API key actualizada exitosamente')
    expect(rotated.data.api_key).not.toBe(first.api_key)
    const byAdmin = await admin.post(`${path}${id}/api-key/`)
    expect(byAdmin.status).toBe(200)
    expect(byAdmin.text).not.toMatch(/"(api_key|postback_token|signing_secret)"/)
    const last = (await own.get(`${path}${id}/`)).json().data.api_key
    expect(last.slice(0, 8)).toBe(byAdmin.json().data.api_key_prefix)
    expect(await trailOf(id)).toEqual(['create', 'reveal_key', 'rotate_key', 'reveal_key', 'rotate_key', 'reveal_key'])
  })

  test("another company's key is nobody's, and an inactive company only looks", async () => {
    const [mine, other] = [await make(server.db), await make(server.db)]
    const own = await server.as(actor(mine.id))
    expect((await own.get(`${path}${other.id}/`)).status).toBe(404)
    expect((await own.post(`${path}${other.id}/api-key/`)).status).toBe(404)
    expect(await keysOf(other.id)).toEqual([])
    expect((await own.get(`${path}999999/`)).json().message).toBe(`${title} no encontrado`)
    await admin.put(`${path}${mine.id}/`, { user_status: 'inactive' })
    const looking = await server.as(actor(mine.id))
    expect((await looking.get(`${path}${mine.id}/`)).status).toBe(200)
    expect((await looking.post(`${path}${mine.id}/api-key/`)).status).toBe(403)
  })

  test('only the administrator writes, and strangers learn nothing', async () => {
    const { id, company_name } = await make(server.db)
    const pair = await makePair(server.db)
    const [issuer, affiliate] = [
      await server.as({ role: 'issuer', issuerId: pair.issuer.id }),
      await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id }),
    ]
    for (const client of [issuer, affiliate]) {
      expect((await client.post(path, {})).status).toBe(403)
      expect((await client.put(`${path}${id}/`, {})).status).toBe(403)
      expect((await client.delete(`${path}${id}/`)).status).toBe(403)
      expect((await client.get(`${path}${id}/dependents/`)).status).toBe(403)
      expect((await client.get(`${path}${id}/`)).status).toBe(404)
    }
    const other = noun === 'issuer' ? affiliate : issuer
    expect((await other.post(`${path}${pair[noun].id}/api-key/`)).status).toBe(403)
    expect((await (noun === 'issuer' ? issuer : affiliate).get(path)).status).toBe(403)
    for (const answer of [await server.anonymous.get(path), await server.anonymous.get(`${path}${id}/`)]) {
      expect(answer.status).toBe(401)
      expect(answer.text).not.toContain(company_name)
    }
  })

  test('the other side sees whom it works with, and the relationship', async () => {
    const pair = await makePair(server.db)
    const partner: Actor =
      noun === 'issuer'
        ? { role: 'affiliate', affiliateId: pair.affiliate.id }
        : { role: 'issuer', issuerId: pair.issuer.id }
    const ended = await make(server.db)
    const pairIds = { affiliate_id: pair.affiliate.id, issuer_id: pair.issuer.id, [column]: ended.id }
    const inactive = await makeRelationship(server.db, { ...pairIds, relationship_status: 'inactive' })
    const stranger = await makePair(server.db)
    const client = await server.as(partner)
    const list = await client.get(path)
    expect(list.json().data).toEqual([
      expect.objectContaining({ id: pair[noun].id, relationship_id: pair.relationship.id }),
    ])
    expect(list.text).not.toMatch(/api_key|postback_token/)
    expect((await client.get(`${path}${ended.id}/`)).status).toBe(404)
    expect(ids(await client.get(`${path}?relationship_id=${pair.relationship.id}`))).toEqual([pair[noun].id])
    expect(ids(await client.get(`${path}?relationship_id=${stranger.relationship.id}`))).toEqual([])
    expect(ids(await admin.get(`${path}?relationship_id=${inactive.id}`))).toEqual([ended.id])
  })
})

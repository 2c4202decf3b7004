import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '#contract/users.ts'
import { makeAccount, openSession, PASSWORD, refreshWith, signIn, trailOf } from '../auth/testing.ts'
import {
  makeAffiliate,
  makeIssuer,
  makeUser,
  startServer,
  type TestClient,
  type TestServer,
  unique,
} from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const USERS = '/api/v1/auth/users/'
const PROFILE = '/api/v1/auth/profile/'
const person = (columns: Record<string, unknown> = {}) => ({
  email: `nueva${unique()}@pruebas.mx`,
  first_name: 'Sofía',
  last_name: 'Núñez',
  password: 'una clave larga',
  role: 'admin',
  ...columns,
})
const stored = (id: number) => server.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const put = (id: number, form: unknown, headers = {}) => admin.put(`${USERS}${id}/`, form, { headers })
const idsOf = async (query: string) => (await admin.get(`${USERS}?${query}`)).json().data.map((user: User) => user.id)

test('the administrator creates, reads, changes and removes a user', async () => {
  const affiliate = await makeAffiliate(server.db)
  const created = await admin.post(USERS, person({ role: 'affiliate', affiliate_id: affiliate.id, issuer_id: null }))
  expect([created.status, created.json().message]).toEqual([201, 'Usuario creado exitosamente'])
  const user = created.json().data as User
  expect(user).toEqual({
    id: expect.any(Number),
    email: expect.stringMatching(/^nueva\d+@pruebas\.mx$/),
    first_name: 'Sofía',
    last_name: 'Núñez',
    full_name: 'Sofía Núñez',
    role: 'affiliate',
    duty: 'owner',
    user_status: 'active',
    last_login: null,
    created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    updated_at: expect.stringMatching(/Z$/),
    issuer_id: null,
    affiliate_id: affiliate.id,
    affiliate_name: affiliate.company_name,
    issuer_name: null,
  })
  expect((await admin.get(`${USERS}${user.id}/`)).json().data).toEqual(user)
  const changed = await put(user.id, { id: user.id, first_name: 'Luz', user_status: 'inactive' })
  expect([changed.status, changed.json().message]).toEqual([200, 'Usuario actualizado exitosamente'])
  expect(changed.json().data).toMatchObject({
    full_name: 'Luz Núñez',
    user_status: 'inactive',
    affiliate_id: affiliate.id,
  })
  const removed = await admin.delete(`${USERS}${user.id}/`)
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect((await admin.delete(`${USERS}${user.id}/`)).status).toBe(404)
  expect((await admin.get(`${USERS}${user.id}/`)).json().message).toBe('Usuario no encontrado')
  expect(await idsOf('')).not.toContain(user.id)
  expect(await trailOf(server, user.id)).toEqual(['create', 'update', 'delete'])
  const entries = await server.db
    .selectFrom('audit_entry')
    .select('changes')
    .where('entity_id', '=', user.id)
    .where('action', '=', 'update')
    .execute()
  expect(entries[0]?.changes).toEqual({ first_name: ['Sofía', 'Luz'], user_status: ['active', 'inactive'] })
})

test('nobody but the administrator reaches users', async () => {
  const issuer = await makeIssuer(server.db)
  const affiliate = await makeAffiliate(server.db)
  const others = [
    await server.as({ role: 'issuer', issuerId: issuer.id }),
    await server.as({ role: 'affiliate', affiliateId: affiliate.id }),
  ]
  const calls = (client: TestClient) => [
    client.get(USERS),
    client.get(`${USERS}1/`),
    client.post(USERS, {}),
    client.put(`${USERS}1/`, {}),
    client.delete(`${USERS}1/`),
    client.post(`${USERS}1/password/`, {}),
    client.delete(`${USERS}1/sessions/`),
  ]
  for (const client of others) for (const call of calls(client)) expect((await call).status).toBe(403)
  for (const call of calls(server.anonymous)) expect((await call).status).toBe(401)
})

describe('the form', () => {
  const association = 'Debe seleccionar la asociación correspondiente según el rol'
  test.each([
    [{ email: '' }, 'email', 'El correo electrónico es requerido'],
    [{ email: 'ana+1@mail.com' }, 'email', 'Formato de email inválido. Ejemplo: usuario@empresa.com'],
    [{ first_name: 'A' }, 'first_name', 'Debe tener al menos 2 caracteres'],
    [{ last_name: 'R2D2' }, 'last_name', 'Solo se permiten letras, espacios y acentos'],
    [{ last_name: 'a'.repeat(101) }, 'last_name', 'No puede exceder 100 caracteres'],
    [{ password: '1234567' }, 'password', 'La contraseña debe tener al menos 8 caracteres'],
    [{ password: 'a'.repeat(129) }, 'password', 'La contraseña no puede exceder 128 caracteres'],
    [{ password: 'password1' }, 'password', 'Esta contraseña es demasiado común. Elige otra.'],
    [{ password: undefined }, 'password', 'Este campo es requerido'],
    [{ role: 'jefe' }, 'role', 'Rol es requerido'],
    [{ role: 'affiliate' }, 'affiliate_id', association],
    [{ role: 'issuer', affiliate_id: 1 }, 'issuer_id', association],
    [{ role: 'issuer', issuer_id: 987_654_321 }, 'issuer_id', association],
    [{ role: 'affiliate', affiliate_id: 987_654_321 }, 'affiliate_id', association],
  ])('%o is refused with its message', async (columns, field, message) => {
    const answer = await admin.post(USERS, person(columns))
    expect(answer.status).toBe(422)
    expect(answer.json().meta).toMatchObject({ code: 'VALIDATION_ERROR', field_errors: { [field]: [message] } })
    expect(answer.json().message).toContain(message)
  })

  test('what the form does not have is never bound', async () => {
    const id = (
      await admin.post(
        USERS,
        person({ id: 987_654, user_status: 'suspended', password_hash: 'x', created_at: '2001-01-01' }),
      )
    ).json().data.id
    expect(id).not.toBe(987_654)
    await put(id, {
      password: 'otra clave larga',
      password_hash: 'x',
      full_name: 'Otra',
      last_login: '2001-01-01',
      archived_at: '2001-01-01',
    })
    const row = await stored(id)
    expect(row).toMatchObject({ user_status: 'active', last_login: null, archived_at: null, first_name: 'Sofía' })
    expect(row.password_hash).toMatch(/^\$argon2id/)
    expect((await signIn(server, row.email, 'una clave larga')).status).toBe(200)
  })

  test('an empty password is ignored on update', async () => {
    const { id } = await makeAccount(server)
    expect((await put(id, { first_name: 'Luz', password: '' })).status).toBe(200)
  })

  test('a company that was archived takes no new people', async () => {
    const issuer = await makeIssuer(server.db, { archived_at: new Date() })
    expect((await admin.post(USERS, person({ role: 'issuer', issuer_id: issuer.id }))).status).toBe(422)
  })

  test('another id in the body is refused, the same one is not', async () => {
    const { id } = await makeAccount(server)
    expect((await put(id, { id: id + 1 })).status).toBe(400)
    expect((await put(id, { id })).status).toBe(200)
  })

  test('a save over somebody else\u2019s is refused when the caller asks for it', async () => {
    const user = await makeAccount(server)
    expect((await put(user.id, { first_name: 'Luz' }, { 'if-match': `"${user.updated_at}"` })).status).toBe(200)
    expect((await put(user.id, { first_name: 'Mar' }, { 'if-match': `"${user.updated_at}"` })).status).toBe(412)
  })
})

describe('the address', () => {
  const taken = { message: 'Ya existe un usuario con este email', meta: { code: 'DUPLICATE_EMAIL' } }

  test('is unique whatever its case, and free again after removal', async () => {
    const form = person()
    const { id } = (await admin.post(USERS, form)).json().data
    const again = await admin.post(USERS, { ...form, email: ` ${form.email.toUpperCase()} ` })
    expect([again.status, again.json()]).toMatchObject([409, taken])
    const other = await makeAccount(server)
    const moved = await put(other.id, { email: form.email })
    expect([moved.status, moved.json()]).toMatchObject([409, taken])
    await admin.delete(`${USERS}${id}/`)
    expect((await admin.post(USERS, form)).status).toBe(201)
  })

  test('ten creations of one address at once leave one user', async () => {
    const form = person()
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(USERS, form)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
    for (const answer of answers) if (answer.status === 409) expect(answer.json()).toMatchObject(taken)
    const rows = await server.db.selectFrom('user').select('id').where('email', '=', form.email).execute()
    expect(rows).toHaveLength(1)
  })
})

describe('role and company', () => {
  test('a change of role clears the other company and ends the sessions', async () => {
    const [affiliate, issuer] = [await makeAffiliate(server.db), await makeIssuer(server.db)]
    const user = await makeAccount(server, { role: 'affiliate', affiliate_id: affiliate.id })
    const { client, refresh } = await openSession(server, user.email)
    expect((await client.get(PROFILE)).status).toBe(200)
    const changed = await put(user.id, { role: 'issuer', issuer_id: issuer.id })
    expect(changed.json().data).toMatchObject({
      role: 'issuer',
      issuer_id: issuer.id,
      affiliate_id: null,
      affiliate_name: null,
    })
    expect([(await client.get(PROFILE)).status, (await refreshWith(server, refresh)).status]).toEqual([401, 401])
    expect((await put(user.id, { role: 'admin', issuer_id: issuer.id })).json().data).toMatchObject({
      role: 'admin',
      issuer_id: null,
    })
    for (const [role, field] of [
      ['affiliate', 'affiliate_id'],
      ['issuer', 'issuer_id'],
    ] as const) {
      const refused = await put(user.id, { role })
      expect([refused.status, Object.keys(refused.json().meta.field_errors)]).toEqual([422, [field]])
    }
  })

  test('an edit of the name leaves the session alone', async () => {
    const user = await makeAccount(server)
    const { client } = await openSession(server, user.email)
    await put(user.id, { first_name: 'Mar' })
    expect((await client.get(PROFILE)).json().data.full_name).toBe('Mar Prueba')
  })
})

describe('access ends at once', () => {
  test.each([
    ['suspension', (id: number) => put(id, { user_status: 'suspended' })],
    ['deactivation', (id: number) => put(id, { user_status: 'inactive' })],
    ['removal', (id: number) => admin.delete(`${USERS}${id}/`)],
    ['ending the sessions', (id: number) => admin.delete(`${USERS}${id}/sessions/`)],
    ['a new password', (id: number) => admin.post(`${USERS}${id}/password/`, { password: 'la clave de después' })],
  ])('with %s', async (_, end) => {
    const user = await makeAccount(server)
    const { client, refresh } = await openSession(server, user.email)
    expect((await client.get(PROFILE)).status).toBe(200)
    expect((await end(user.id)).status).toBeLessThan(300)
    expect((await client.get(PROFILE)).status).toBe(401)
    expect((await refreshWith(server, refresh)).status).toBe(401)
  })

  test('and comes back with a sign-in only', async () => {
    const user = await makeAccount(server)
    const { client } = await openSession(server, user.email)
    await put(user.id, { user_status: 'suspended' })
    await put(user.id, { user_status: 'active' })
    expect((await client.get(PROFILE)).status).toBe(401)
    expect((await signIn(server, user.email)).status).toBe(200)
  })
})

test('a reset password replaces the old one; nobody resets their own this way', async () => {
  const user = await makeAccount(server)
  const reset = (password: string) => admin.post(`${USERS}${user.id}/password/`, { password })
  expect((await reset('la clave de después')).json().message).toBe('Contraseña restablecida exitosamente')
  expect((await signIn(server, user.email, PASSWORD)).status).toBe(401)
  expect((await signIn(server, user.email, 'la clave de después')).status).toBe(200)
  expect((await reset('corta')).status).toBe(422)
  expect((await reset('PASSWORD1')).json().message).toBe('Esta contraseña es demasiado común. Elige otra.')
  const { client } = await openSession(server, (await makeAccount(server)).email)
  const own = (await client.get(PROFILE)).json().data.id
  const answer = await client.post(`${USERS}${own}/password/`, { password: 'la clave de después' })
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'SELF_ACTION'])
  expect(await trailOf(server, user.id)).toContain('reset_password')
  expect((await admin.post(`${USERS}987654321/password/`, { password: 'la clave de después' })).status).toBe(404)
})

describe('the list', () => {
  test('is found by every word in any of its fields, accents and case aside', async () => {
    const issuer = await makeIssuer(server.db, { company_name: 'Crédito Única 77' })
    const user = await makeUser(
      server.db,
      { role: 'issuer', issuerId: issuer.id },
      { first_name: 'Zoé', last_name: 'Ibáñez', email: 'zoe.buscada@pruebas.mx' },
    )
    for (const words of ['zoe ibanez', 'IBÁÑEZ zoé', 'unica', 'credito zoe', 'zoe.buscada', 'issuer unica zoe'])
      expect([words, await idsOf(`search=${encodeURIComponent(words)}`)]).toEqual([words, [user.id]])
    for (const words of ['zoe nadie', '%', 'z_e', 'afiliado zoe'])
      expect(await idsOf(`search=${encodeURIComponent(words)}`)).toEqual([])
  })

  test('narrows by role, status and association', async () => {
    const [issuer, affiliate] = [await makeIssuer(server.db), await makeAffiliate(server.db)]
    const banker = await makeUser(server.db, { role: 'issuer', issuerId: issuer.id })
    const partner = await makeUser(
      server.db,
      { role: 'affiliate', affiliateId: affiliate.id },
      { user_status: 'suspended' },
    )
    expect(await idsOf(`association_type=issuer&association_id=${issuer.id}`)).toEqual([banker.id])
    expect(await idsOf(`association_type=affiliate&association_id=${affiliate.id}`)).toEqual([partner.id])
    expect(await idsOf('role=issuer')).toContain(banker.id)
    expect(await idsOf('role=issuer')).not.toContain(partner.id)
    expect(await idsOf('user_status=suspended')).toContain(partner.id)
    expect(await idsOf('user_status=suspended')).not.toContain(banker.id)
    expect(await idsOf('association_type=affiliate')).toContain(partner.id)
    const free = (await admin.get(`${USERS}?association=none`)).json().data as User[]
    expect(free.every((user) => user.role === 'admin' && user.issuer_id === null && user.affiliate_id === null)).toBe(
      true,
    )
    expect(await idsOf('page=1&page_size=2')).toHaveLength(2)
    for (const bad of ['role=jefe', 'user_status=x', 'association_id=0', 'role=admin&role=issuer'])
      expect((await admin.get(`${USERS}?${bad}`)).status).toBe(400)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, openSession, signIn, trailOf } from '../auth/testing.ts'
import { makeAffiliate, makeIssuer, startServer, type TestClient, type TestServer, unique } from '../testing.ts'

const PEOPLE = '/api/v1/people/'
const NOT_INCLUDED = 'Tu perfil no incluye esta acción'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1', PUBLIC_URL: 'https://red.example.mx' })
})
afterAll(() => server.stop())

type Company = { issuer_id: number } | { affiliate_id: number }
const newIssuer = async (): Promise<Company> => ({ issuer_id: (await makeIssuer(server.db)).id })
const newAffiliate = async (): Promise<Company> => ({ affiliate_id: (await makeAffiliate(server.db)).id })
const roleOf = (company: Company) => ('issuer_id' in company ? 'issuer' : 'affiliate')

/** Somebody of a company who has signed in. */
async function join(company: Company, columns: Record<string, unknown> = {}) {
  const user = await makeAccount(server, { role: roleOf(company), ...company, ...columns })
  return { ...user, client: (await openSession(server, user.email)).client }
}
const invitation = () => ({
  email: `colega${unique()}@empresa.mx`,
  first_name: 'Nora',
  last_name: 'Colega',
  duty: 'finance',
})
const codeOf = (answer: { status: number; json: () => { meta: { code: string } } }) => [
  answer.status,
  answer.json().meta.code,
]
const listed = async (client: TestClient) => (await client.get(PEOPLE)).json().data

describe.each([
  ['issuer', newIssuer],
  ['affiliate', newAffiliate],
] as const)('an owner of an %s', (role, newCompany) => {
  test('reads the people of the own company and nobody else', async () => {
    const company = await newCompany()
    const owner = await join(company)
    const colleague = await makeAccount(server, { role, ...company, duty: 'reader', first_name: 'Luz' })
    await makeAccount(server, { role, ...(await newCompany()) })
    await server.db
      .insertInto('second_factor')
      .values({ user_id: colleague.id, kind: 'totp', label: 'x', secret: Buffer.from('x'), kek_id: 'x' })
      .execute()
    expect(await listed(owner.client)).toMatchObject([
      { id: owner.id, duty: 'owner', user_status: 'active', second_factor: false, last_login: expect.any(String) },
      { id: colleague.id, full_name: 'Luz Prueba', duty: 'reader', second_factor: false, last_login: null },
    ])
    const confirmed_at = new Date().toISOString()
    await server.db.updateTable('second_factor').set({ confirmed_at }).where('user_id', '=', colleague.id).execute()
    expect((await listed(owner.client))[1]).toMatchObject({ id: colleague.id, second_factor: true })
  })

  test('invites a colleague, who chooses a password with the link', async () => {
    const company = await newCompany()
    const owner = await join(company)
    const person = invitation()
    const answer = await owner.client.post(PEOPLE, person)
    expect(answer.status).toBe(201)
    const { id, invitation: link, ...shown } = answer.json().data
    expect(shown).toMatchObject({ email: person.email, duty: 'finance', user_status: 'active', last_login: null })
    expect(link).toMatchObject({ purpose: 'invite', delivered: 'shown' })
    const stored = await server.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ role, ...company, duty: 'finance' })
    const again = await owner.client.post(`${PEOPLE}${id}/invitation/`)
    expect(again.status).toBe(201)
    const choose = (url: string) =>
      server.anonymous.post('/api/v1/auth/password/reset/', {
        token: url.split('#')[1],
        password: 'otra orilla del río',
      })
    expect((await choose(link.url)).status).toBe(410)
    expect((await choose(again.json().data.url)).status).toBe(200)
    expect((await signIn(server, person.email, 'otra orilla del río')).status).toBe(200)
    expect(await trailOf(server, id)).toEqual(['create', 'give_link', 'give_link', 'use_link', 'login'])
    // Who has come in once is given no link by a colleague, who could open the account with it.
    expect(codeOf(await owner.client.post(`${PEOPLE}${id}/invitation/`))).toEqual([409, 'ALREADY_ENTERED'])
  })

  test('changes a duty, suspends and reactivates, which ends sessions at once and is in the trail', async () => {
    const company = await newCompany()
    const owner = await join(company)
    const colleague = await join(company)
    const change = (body: object) => owner.client.put(`${PEOPLE}${colleague.id}/`, body)
    expect((await change({ duty: 'reader' })).json().data).toMatchObject({ duty: 'reader', user_status: 'active' })
    expect((await colleague.client.get(PEOPLE)).status).toBe(403)
    expect((await change({ user_status: 'suspended' })).json().data).toMatchObject({ suspended_by_company: true })
    expect((await colleague.client.get('/api/v1/auth/profile/')).status).toBe(401)
    expect((await signIn(server, colleague.email)).status).toBe(401)
    expect((await change({ user_status: 'active' })).json().data).toMatchObject({
      user_status: 'active',
      suspended_by_company: false,
    })
    expect((await signIn(server, colleague.email)).status).toBe(200)
    const trail = await server.db
      .selectFrom('audit_entry')
      .select(['actor_id', 'changes'])
      .where('entity_id', '=', colleague.id)
      .where('entity', '=', 'user')
      .where('action', '=', 'update')
      .orderBy('id')
      .execute()
    expect(trail).toEqual([
      { actor_id: owner.id, changes: { duty: ['owner', 'reader'] } },
      {
        actor_id: owner.id,
        changes: { user_status: ['active', 'suspended'], suspended_by_company: [false, true] },
      },
      {
        actor_id: owner.id,
        changes: { user_status: ['suspended', 'active'], suspended_by_company: [true, false] },
      },
    ])
  })

  test('a suspension ends the invitation of whom it keeps out, also once they are let in again', async () => {
    const owner = await join(await newCompany())
    const { id, invitation: link } = (await owner.client.post(PEOPLE, invitation())).json().data
    const open = () => server.anonymous.post('/api/v1/auth/password/link/', { token: link.url.split('#')[1] })
    expect((await open()).status).toBe(200)
    for (const user_status of ['suspended', 'active']) {
      expect((await owner.client.put(`${PEOPLE}${id}/`, { user_status })).status).toBe(200)
      expect((await open()).status).toBe(410)
    }
  })

  test('whom it suspended does not keep the company from being deleted', async () => {
    const company = await newCompany()
    const owner = await join(company)
    const colleague = await makeAccount(server, { role, ...company, duty: 'reader' })
    const suspended = await owner.client.put(`${PEOPLE}${colleague.id}/`, { user_status: 'suspended' })
    expect(suspended.json().data).toMatchObject({ suspended_by_company: true })
    const admin = await server.as({ role: 'admin' })
    const [id] = Object.values(company)
    expect((await admin.delete(`/api/v1/${role}s/${id}/`)).status).toBe(204)
    const stored = server.db.selectFrom('user').selectAll().where('id', '=', colleague.id)
    expect(await stored.executeTakeFirst()).toMatchObject({ user_status: 'inactive', suspended_by_company: false })
  })

  test("finds a stranger's person no more than a missing one", async () => {
    const owner = await join(await newCompany())
    const strangers = [
      await makeAccount(server),
      await makeAccount(server, { role, ...(await newCompany()) }),
      await makeAccount(server, { role: 'issuer', ...(await newIssuer()) }),
    ]
    for (const { id } of [...strangers, { id: 999_999_999 }]) {
      for (const answer of [
        await owner.client.put(`${PEOPLE}${id}/`, { user_status: 'suspended' }),
        await owner.client.post(`${PEOPLE}${id}/invitation/`),
      ])
        expect([answer.status, answer.json().message]).toEqual([404, 'Usuario no encontrado'])
    }
  })

  test('may not do it with another duty, and the tab is not offered', async () => {
    const company = await newCompany()
    const offered = async (client: TestClient) => (await client.get('/api/v1/auth/rights/')).json().data
    const owner = await join(company)
    expect(await offered(owner.client)).toMatchObject({ duty: 'owner', manages_people: true })
    for (const duty of ['operator', 'finance', 'reader']) {
      const { client } = await join(company, { duty })
      const answer = await client.get(PEOPLE)
      expect([answer.status, answer.json().message]).toEqual([403, NOT_INCLUDED])
      expect((await client.post(PEOPLE, invitation())).status).toBe(403)
      expect((await client.put(`${PEOPLE}${owner.id}/`, { duty: 'reader' })).status).toBe(403)
      expect(await offered(client)).toMatchObject({ duty, manages_people: false })
    }
  })
})

test('the last owner neither loses the duty nor is suspended; of several, nobody takes away their own', async () => {
  const company = await newAffiliate()
  const owner = await join(company)
  const reader = await join(company, { duty: 'reader' })
  const own = `${PEOPLE}${owner.id}/`
  for (const body of [{ duty: 'operator' }, { user_status: 'suspended' }]) {
    const answer = await owner.client.put(own, body)
    expect(codeOf(answer)).toEqual([409, 'LAST_OWNER'])
    expect(answer.json().message).toBe('No es posible: es el último Responsable activo de la empresa')
  }
  expect((await owner.client.put(`${PEOPLE}${reader.id}/`, { duty: 'owner' })).status).toBe(200)
  expect(codeOf(await owner.client.put(own, { duty: 'operator' }))).toEqual([409, 'SELF_ACTION'])
  // The other one may, and is then the last.
  expect((await reader.client.put(own, { duty: 'operator' })).status).toBe(200)
  expect(codeOf(await reader.client.put(`${PEOPLE}${reader.id}/`, { duty: 'operator' }))).toEqual([409, 'LAST_OWNER'])
})

test('of two owners who suspend each other at once one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const company = await newIssuer()
    const [one, other] = [await join(company), await join(company)]
    const suspend = (by: typeof one, whom: typeof one) =>
      by.client.put(`${PEOPLE}${whom.id}/`, { user_status: 'suspended' })
    const answers = await Promise.all([suspend(one, other), suspend(other, one)])
    expect(answers.map(({ status }) => status).toSorted()).not.toEqual([200, 200])
    const left = await server.db
      .selectFrom('user')
      .select('id')
      .where('issuer_id', '=', (company as { issuer_id: number }).issuer_id)
      .where('user_status', '=', 'active')
      .execute()
    expect(left).toHaveLength(1)
  }
})

test('what an administrator closed is not opened by the company', async () => {
  const admin = await server.as({ role: 'admin' })
  const company = await newIssuer()
  const owner = await join(company)
  for (const user_status of ['suspended', 'inactive']) {
    const colleague = await makeAccount(server, { role: 'issuer', ...company })
    expect((await admin.put(`/api/v1/auth/users/${colleague.id}/`, { user_status })).status).toBe(200)
    const answer = await owner.client.put(`${PEOPLE}${colleague.id}/`, { user_status: 'active' })
    expect(codeOf(answer)).toEqual([409, 'CLOSED_BY_NETWORK'])
    expect(await listed(owner.client)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: colleague.id, suspended_by_company: false })]),
    )
  }
})

test('a company has at most twenty people, however many are invited at once', async () => {
  const company = await newIssuer()
  const owner = await join(company)
  for (let count = 1; count < 18; count += 1) await makeAccount(server, { role: 'issuer', ...company })
  const answers = await Promise.all(Array.from({ length: 5 }, () => owner.client.post(PEOPLE, invitation())))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
  expect(codeOf(await owner.client.post(PEOPLE, invitation()))).toEqual([409, 'PEOPLE_FULL'])
})

test('a taken address says so at its field, and nobody finds out many', async () => {
  const owner = await join(await newIssuer())
  const { email } = await makeAccount(server)
  const answer = await owner.client.post(PEOPLE, { ...invitation(), email })
  expect([answer.status, answer.json().meta.field_errors]).toEqual([
    409,
    { email: ['Ya existe un usuario con este email'] },
  ])
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => owner.client.post(PEOPLE, { ...invitation(), email })),
  )
  // In whichever order they are answered.
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1)
})

test('an invitation is repeated three times an hour, whoever of the company asks, and others are repeated still', async () => {
  const company = await newIssuer()
  const [owner, other] = [await join(company), await join(company)]
  const invite = async () => (await owner.client.post(PEOPLE, invitation())).json().data.id
  const [id, second] = [await invite(), await invite()]
  const repeat = (by: TestClient, whom: number) => by.post(`${PEOPLE}${whom}/invitation/`)
  const stranger = await join(await newIssuer())
  for (let each = 0; each < 4; each += 1) await repeat(stranger.client, id)
  const answers = []
  for (const by of [owner, other, owner, other]) answers.push(await repeat(by.client, id))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429])
  expect(answers.at(-1)?.json().message).toBe('Demasiadas invitaciones. Inténtalo más tarde.')
  expect((await repeat(owner.client, second)).status).toBe(201)
})

test('one person sends thirty invitations an hour, repeated ones too', async () => {
  const owner = await join(await newIssuer())
  const ids = []
  for (let each = 0; each < 8; each += 1) ids.push((await owner.client.post(PEOPLE, invitation())).json().data.id)
  const repeated = []
  for (const id of [...ids, ...ids, ...ids]) repeated.push(await owner.client.post(`${PEOPLE}${id}/invitation/`))
  expect(repeated.map(({ status }) => status)).toEqual([...Array(22).fill(201), 429, 429])
})

test('wrong input is named by its field, and nothing else of a person can be changed', async () => {
  const company = await newAffiliate()
  const owner = await join(company)
  const colleague = await join(company, { duty: 'reader' })
  const refused = await owner.client.post(PEOPLE, { email: 'x', first_name: 'N', last_name: '', duty: 'king' })
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.json().meta.field_errors).toSorted()).toEqual(['duty', 'email', 'first_name', 'last_name'])
  const injected = {
    email: 'otro@empresa.mx',
    role: 'admin',
    issuer_id: 1,
    affiliate_id: null,
    user_status: 'inactive',
  }
  expect((await owner.client.put(`${PEOPLE}${colleague.id}/`, injected)).status).toBe(422)
  const { user_status: _, ...rest } = injected
  expect((await owner.client.put(`${PEOPLE}${colleague.id}/`, rest)).status).toBe(200)
  const stored = await server.db.selectFrom('user').selectAll().where('id', '=', colleague.id).executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ email: colleague.email, role: 'affiliate', ...company, user_status: 'active' })
})

test('a company reads nobody of the one that a person of it came from', async () => {
  const [before, after] = [await newIssuer(), await newIssuer()]
  const inviter = await join(before, { first_name: 'Otilia' })
  const { id } = (await inviter.client.post(PEOPLE, invitation())).json().data
  const { client: admin } = await openSession(server, (await makeAccount(server)).email)
  expect((await admin.put(`/api/v1/auth/users/${id}/`, after)).status).toBe(200)
  const reader = await join(after, { duty: 'reader' })
  const issuer = 'issuer_id' in after ? after.issuer_id : 0
  const trailFor = async (client: TestClient) =>
    (await client.get(`/api/v1/issuers/${issuer}/access/`))
      .json()
      .data.trail.map(({ action, actor_name }: { action: string; actor_name: string }) => `${action} ${actor_name}`)
  expect((await trailFor(reader.client)).toSorted()).toEqual(['create ', 'give_link '])
  expect((await trailFor(admin)).toSorted()).toEqual(['create Otilia Prueba', 'give_link Otilia Prueba'])
})

test('who has not shown lately who they are is asked first', async () => {
  const owner = await join(await newIssuer())
  const past = new Date(Date.now() - 1000).toISOString()
  await server.db.updateTable('session').set({ elevated_until: past }).where('user_id', '=', owner.id).execute()
  await expect
    .poll(async () => codeOf(await owner.client.post(PEOPLE, invitation())))
    .toEqual([403, 'ELEVATION_REQUIRED'])
})

test('an operator may leave people to the administrator alone', async () => {
  const closed = await startServer({ SELF_SERVICE_PEOPLE: '0' })
  try {
    const client = await closed.as({ role: 'issuer', issuerId: (await makeIssuer(closed.db)).id })
    for (const answer of [
      await client.get(PEOPLE),
      await client.post(PEOPLE, invitation()),
      await client.put(`${PEOPLE}1/`, { duty: 'reader' }),
      await client.post(`${PEOPLE}1/invitation/`),
    ])
      expect([answer.status, answer.json().message]).toEqual([
        403,
        'En esta red, las personas de tu empresa las cambia el administrador',
      ])
    expect((await client.get('/api/v1/auth/rights/')).json().data.manages_people).toBe(false)
  } finally {
    await closed.stop()
  }
})

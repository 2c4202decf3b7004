import { afterEach, beforeEach, expect, test } from 'vitest'
import { bearing, makeAccount, openSession } from '../auth/testing.ts'
import { startServer, type TestServer } from '../testing.ts'

// A server for each test: they count the administrators of a whole installation.
let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

const path = (id: number) => `/api/v1/auth/users/${id}/`

async function administrators(count: number) {
  const people = []
  for (let made = 0; made < count; made += 1) {
    const user = await makeAccount(server)
    people.push({ user, client: bearing(server, (await openSession(server, user.email)).access) })
  }
  return people
}

const remaining = () =>
  server.db
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('user_status', '=', 'active')
    .where('archived_at', 'is', null)
    .execute()

const refusal = {
  success: false,
  message: 'No es posible: es el último administrador activo',
  meta: { code: 'LAST_ADMIN' },
}

test('the last administrator can be neither removed, demoted, deactivated nor suspended', async () => {
  const [last] = await administrators(1)
  if (!last) throw new Error('no administrator')
  await makeAccount(server, { user_status: 'inactive' })
  const affiliate = await server.db
    .insertInto('affiliate')
    .values({ company_name: 'Uno', rfc: 'UNO010101AB1', contact_name: 'Luz', contact_email: 'luz@uno.mx' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const attempts = [
    last.client.delete(path(last.user.id)),
    last.client.put(path(last.user.id), { user_status: 'inactive' }),
    last.client.put(path(last.user.id), { user_status: 'suspended' }),
    last.client.put(path(last.user.id), { role: 'affiliate', affiliate_id: affiliate.id }),
  ]
  for (const attempt of attempts) {
    const answer = await attempt
    expect([answer.status, answer.json()]).toMatchObject([409, refusal])
  }
  expect(
    (await last.client.put(path(last.user.id), { first_name: 'Luz', role: 'admin', user_status: 'active' })).status,
  ).toBe(200)
})

test('nobody takes away their own access while others remain', async () => {
  const [me] = await administrators(2)
  if (!me) throw new Error('no administrator')
  for (const attempt of [
    me.client.delete(path(me.user.id)),
    me.client.put(path(me.user.id), { user_status: 'suspended' }),
  ]) {
    const answer = await attempt
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      {
        message: 'No puedes eliminar, desactivar ni cambiar el rol de tu propio usuario',
        meta: { code: 'SELF_ACTION' },
      },
    ])
  }
})

test('ten administrators who remove each other at once leave one', async () => {
  const people = await administrators(10)
  const answers = await Promise.all(
    people.map(({ client }, index) => client.delete(path(people[(index + 1) % 10]?.user.id ?? 0))),
  )
  const statuses = answers.map((answer) => answer.status)
  const left = await remaining()
  // An administrator removed before their own request arrived gets a 401.
  expect(statuses.every((status) => [204, 401, 409].includes(status))).toBe(true)
  expect(left.length).toBe(10 - statuses.filter((status) => status === 204).length)
  expect(left.length).toBeGreaterThanOrEqual(1)
  for (const answer of answers) if (answer.status === 409) expect(answer.json()).toMatchObject(refusal)
})

test('two administrators who suspend each other at once do not both succeed', async () => {
  const [first, second] = await administrators(2)
  if (!first || !second) throw new Error('no administrators')
  await Promise.all([first, second].map(({ client }) => client.get('/api/v1/auth/profile/')))
  await Promise.all([
    first.client.put(path(second.user.id), { user_status: 'suspended' }),
    second.client.put(path(first.user.id), { user_status: 'suspended' }),
  ])
  expect(await remaining()).toHaveLength(1)
})

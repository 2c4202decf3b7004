import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notices } from '#contract/notices.ts'
import { openDoor } from '../access-links/open-door.ts'
import { makeAccount } from '../auth/testing.ts'
import { makeReceiver, ok, RECEIVERS, until } from '../deliveries/deliveries.testing.ts'
import { startReceiver } from '../mail/testing.ts'
import { makePair, startServer, type TestClient, type TestServer, unique } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const textsOf = async (client: TestClient) =>
  (await ok<Notices>(client.get('/api/v1/notices/'))).results.map(({ text }) => text)
/** What a person is told, who may have no session left. */
const toldTo = async (userId: number) =>
  (await server.db.selectFrom('notice').selectAll().where('user_id', '=', userId).orderBy('id').execute()).map(
    ({ type, params, mail }) => ({ type, params, mail }),
  )

const addFactor = (user_id: number, kind: 'totp' | 'passkey') =>
  server.db
    .insertInto('second_factor')
    .values({
      ...{ user_id, kind, label: 'Teléfono', confirmed_at: new Date() },
      ...(kind === 'totp'
        ? { secret: Buffer.from('x'), kek_id: 'x' }
        : { credential_id: `cred-${unique()}`, public_key: Buffer.from('x'), counter: 0 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

test('a second factor that is gone is told to its owner, whoever removed it', async () => {
  const pair = await makePair(server.db)
  const me = await server.as({ role: 'affiliate', affiliateId: pair.affiliate.id })
  const { id } = await server.db
    .selectFrom('user')
    .select('id')
    .where('affiliate_id', '=', pair.affiliate.id)
    .executeTakeFirstOrThrow()
  const factor = await addFactor(id, 'totp')
  expect((await me.delete(`/api/v1/auth/second-factors/${factor.id}/`)).status).toBe(204)
  await until(() => textsOf(me)).toEqual(['Se quitó un segundo factor de tu cuenta: Aplicación de códigos'])
  const removed = { type: 'factor.removed', mail: 'now' }
  await addFactor(id, 'totp')
  expect((await admin.delete(`/api/v1/auth/users/${id}/second-factors/`)).status).toBe(204)
  await until(() => toldTo(id)).toEqual([
    { ...removed, params: { detail: 'totp' } },
    { ...removed, params: {} },
  ])
  const account = await makeAccount(server)
  await openDoor(server.appDb, server.origin, account.email, { forgetsFactors: true })
  await addFactor(account.id, 'totp')
  await openDoor(server.appDb, server.origin, account.email, { forgetsFactors: true })
  await until(() => toldTo(account.id)).toEqual([{ ...removed, params: {} }])
})

test('who looked at the secret of a receiver is told to colleagues, not to themselves', async () => {
  const { affiliate } = await makePair(server.db)
  const actor = { role: 'affiliate', affiliateId: affiliate.id } as const
  const [owner, colleague] = [await server.as(actor), await server.as(actor)]
  const made = await makeReceiver(owner, 'https://red.example.mx/aviso')
  await ok(owner.get(`${RECEIVERS}${made.id}/secret/`))
  const moved = `«${made.name}» avisa a una dirección nueva, en red.example.mx`
  await until(() => textsOf(colleague)).toEqual([`Ana Prueba vio el secreto de firma de «${made.name}»`, moved])
  expect(await textsOf(owner)).toEqual([moved])
})

test('an address that is new or leads elsewhere is told at once to all who may read it, and to nobody else', async () => {
  const { affiliate, issuer } = await makePair(server.db)
  const actor = { role: 'affiliate', affiliateId: affiliate.id } as const
  const [owner, colleague] = [await server.as(actor), await server.as(actor)]
  const other = await server.as({ role: 'issuer', issuerId: issuer.id })
  const { id, name, url } = await makeReceiver(owner, 'https://red.example.mx/aviso?clave=secreto-8')
  for (const change of [{ url, name }, { per_second: 5 }, { url: 'https://otra.example.mx/aviso' }])
    await ok(owner.put(`${RECEIVERS}${id}/`, change))
  const told = ['otra', 'red'].map((host) => `«${name}» avisa a una dirección nueva, en ${host}.example.mx`)
  for (const client of [owner, colleague]) await until(() => textsOf(client)).toEqual(told)
  const { choices } = await ok<{ choices: { type: string }[] }>(owner.get('/api/v1/notices/choices/'))
  expect(choices).toContainEqual({ type: 'receiver.changed', in_product: true, mail: 'now', is_fixed: true })
  expect(await textsOf(other)).toEqual([])
})

const forgot = (on: TestServer, email: string) =>
  on.anonymous.post(
    '/api/v1/auth/password/forgot/',
    { email },
    { headers: { 'x-forwarded-for': `192.0.2.${unique() % 250}` } },
  )
const asked = async (client: TestClient) => (await textsOf(client)).filter((text) => text.includes('pidió un enlace'))

test('without mail administrators are told who asks for a link, of the addresses that somebody has', async () => {
  const account = await makeAccount(server)
  const gone = await makeAccount(server, { user_status: 'suspended' })
  const before = (await asked(admin)).length
  for (const email of [`nadie${unique()}@pruebas.mx`, gone.email, account.email, account.email])
    expect((await forgot(server, email)).status).toBe(202)
  await until(async () => (await asked(admin)).slice(before)).toEqual([
    'Ana Prueba pidió un enlace para recuperar el acceso: dáselo en Usuarios',
  ])
  const { choices } = await ok<{ choices: { type: string }[] }>(admin.get('/api/v1/notices/choices/'))
  expect(choices.map(({ type }) => type)).toContain('access.asked')
})

test('with mail it is no news: the link comes by itself', async () => {
  const post = await startReceiver()
  const mailing = await startServer({ SMTP_URL: post.url, MAIL_FROM: 'Afluente <avisos@red.example.mx>' })
  const account = await makeAccount(mailing)
  expect((await forgot(mailing, account.email)).status).toBe(202)
  await until(() => post.received.filter(({ to }) => to.includes(account.email)).length).toBe(1)
  expect(await mailing.db.selectFrom('occurrence').select('id').where('type', '=', 'access.asked').execute()).toEqual(
    [],
  )
  const client = await mailing.as({ role: 'admin' })
  const { choices } = await ok<{ choices: { type: string }[] }>(client.get('/api/v1/notices/choices/'))
  expect(choices.map(({ type }) => type)).not.toContain('access.asked')
  await mailing.stop()
  await post.stop()
})

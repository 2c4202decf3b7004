import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDoor } from '../access-links/open-door.ts'
import { bearing, makeAccount, PASSWORD, signIn, trailOf } from '../auth/testing.ts'
import { startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { Device } from './device.testing.ts'

const ORIGIN = 'https://red.example.mx'
const FACTORS = '/api/v1/auth/second-factors/'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1', PUBLIC_URL: ORIGIN })
})
afterAll(() => server.stop())

const network = () => `203.${unique() % 256}.${unique() % 256}.7`
const from = (address = network()) => ({ headers: { 'x-forwarded-for': address } })
const second = (challenge: string, code: string, address?: string) =>
  server.anonymous.post('/api/v1/auth/login/second/', { challenge, code }, from(address))
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
/** A code of this half minute is not of the next one as long as the test needs it. */
const untilStepIsYoung = async () => {
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 5_000) await wait(leftMs)
}
/** As if the codes that were used were of an earlier time. */
const forgetSteps = (userId: number) =>
  server.db.updateTable('second_factor').set({ last_step: null }).where('user_id', '=', userId).execute()

interface Person {
  id: number
  email: string
  client: TestClient
}

async function makePerson(): Promise<Person> {
  const { id, email } = await makeAccount(server)
  const answer = await signIn(server, email, PASSWORD, network())
  return { id, email, client: bearing(server, answer.json().data.access) }
}

async function withTotp() {
  const person = await makePerson()
  const { secret } = (await person.client.post(`${FACTORS}totp/`)).json().data
  const confirmed = await person.client.post(`${FACTORS}totp/confirm/`, { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  await forgetSteps(person.id)
  return { ...person, secret, recovery: confirmed.json().data.recovery_codes as string[] }
}

async function challengeOf(email: string, address = network()): Promise<string> {
  const answer = await signIn(server, email, PASSWORD, address)
  return answer.json().data.second_factor.challenge
}

const add = async (client: TestClient, device: Device, place: Parameters<Device['register']>[1]) => {
  const { state, options } = (await client.post(`${FACTORS}passkeys/options/`)).json().data
  const credential = device.register(options, place)
  return client.post(`${FACTORS}passkeys/`, { state, credential, label: 'Mi teléfono' })
}
const askFor = async () =>
  (await server.anonymous.post('/api/v1/auth/login/passkey/options/', undefined, from())).json().data
const enter = (state: string, credential: unknown) =>
  server.anonymous.post('/api/v1/auth/login/passkey/', { state, credential }, from())

describe('codes', () => {
  test('without a factor the sign-in is what it was; with one it asks', async () => {
    const { id, email, secret } = await withTotp()
    const plain = await makePerson()
    const answer = (await signIn(server, plain.email, PASSWORD, network())).json()
    expect(Object.keys(answer.data).toSorted()).toEqual(['access', 'refresh', 'user'])
    const asked = (await signIn(server, email, PASSWORD, network())).json()
    expect(asked.data).toEqual({ second_factor: { challenge: expect.any(String), methods: ['totp', 'recovery'] } })
    const entered = await second(asked.data.second_factor.challenge, codeOf(secret))
    expect(entered.status).toBe(200)
    expect(Object.keys(entered.json().data).toSorted()).toEqual(['access', 'refresh', 'user'])
    expect(await trailOf(server, id)).toEqual(['login', 'add_factor', 'login'])
  })

  test('an application that was not confirmed asks for nothing, and a wrong code does not confirm it', async () => {
    const { email, client } = await makePerson()
    const { secret, uri } = (await client.post(`${FACTORS}totp/`)).json().data
    expect(uri).toContain(`secret=${secret}`)
    expect((await client.post(`${FACTORS}totp/confirm/`, { code: '000000' })).status).toBe(422)
    expect((await signIn(server, email, PASSWORD, network())).json().data.access).toBeTypeOf('string')
    expect((await client.get(FACTORS)).json().data).toMatchObject({ factors: [], recovery_codes_left: 0 })
  })

  test('an application is confirmed within the hour, by who has lately shown who they are', async () => {
    const { id, client } = await makePerson()
    const { secret } = (await client.post(`${FACTORS}totp/`)).json().data
    const confirm = () => client.post(`${FACTORS}totp/confirm/`, { code: codeOf(secret) })
    const begin = (minutes: number) =>
      server.db
        .updateTable('second_factor')
        .set({ created_at: sql<string>`now() - make_interval(mins => ${minutes}::int)` })
        .where('user_id', '=', id)
        .execute()
    const past = new Date(Date.now() - 1000).toISOString()
    await server.db.updateTable('session').set({ elevated_until: past }).where('user_id', '=', id).execute()
    await expect.poll(async () => (await client.post(`${FACTORS}recovery-codes/`)).status).toBe(403)
    const refused = await confirm()
    expect([refused.status, refused.json().meta.code]).toEqual([403, 'ELEVATION_REQUIRED'])
    expect((await client.get(FACTORS)).json().data).toMatchObject({ factors: [], recovery_codes_left: 0 })
    await client.post('/api/v1/auth/elevate/', { password: PASSWORD })
    await begin(61)
    expect(Object.keys((await confirm()).json().meta.field_errors)).toEqual(['code'])
    await begin(59)
    expect((await confirm()).status).toBe(200)
  })

  test('a code works once, even twenty times at once, and none before it', async () => {
    const { email, secret, id } = await withTotp()
    const challenges = []
    for (let count = 0; count < 8; count += 1) challenges.push(await challengeOf(email))
    await untilStepIsYoung()
    const code = codeOf(secret)
    const answers = await Promise.all(challenges.map((challenge) => second(challenge, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(401)])
    expect((await second(await challengeOf(email), code)).json().meta.code).toBe('WRONG_CODE')
    expect((await second(await challengeOf(email), codeOf(secret, -1))).status).toBe(401)
    await forgetSteps(id)
    const challenge = await challengeOf(email)
    await untilStepIsYoung()
    expect((await second(challenge, codeOf(secret, -1))).status).toBe(200)
  })

  test('a clock may be half a minute off, not more', async () => {
    for (const [steps, status] of [
      [-3, 401],
      [-1, 200],
      [1, 200],
      [3, 401],
    ] as const) {
      const { email, secret } = await withTotp()
      const challenge = await challengeOf(email)
      await untilStepIsYoung()
      expect([steps, (await second(challenge, codeOf(secret, steps))).status]).toEqual([steps, status])
    }
  })

  test('a challenge is for one sign-in of one person, for five minutes, and for the password that was right', async () => {
    const [one, other] = [await withTotp(), await withTotp()]
    const used = await challengeOf(one.email)
    expect((await second(used, codeOf(other.secret))).status).toBe(401)
    expect((await second(used, codeOf(one.secret))).status).toBe(200)
    await forgetSteps(one.id)
    expect((await second(used, codeOf(one.secret))).json().message).toMatch(/^El inicio de sesión tardó demasiado/)
    const old = await challengeOf(one.email)
    await server.db
      .updateTable('challenge')
      .set({ expires_at: sql<string>`now() - interval '1 second'` })
      .where('user_id', '=', one.id)
      .execute()
    expect((await second(old, codeOf(one.secret))).status).toBe(401)
    const before = await challengeOf(one.email)
    const { password_hash } = await makeAccount(server, { password_hash: '!' })
    await server.db.updateTable('user').set({ password_hash }).where('id', '=', one.id).execute()
    expect((await second(before, codeOf(one.secret))).status).toBe(401)
  })

  test('wrong codes are failed sign-ins: five lock the network out, and the right password between them clears nothing', async () => {
    const { email, secret, id } = await withTotp()
    const address = network()
    for (let count = 0; count < 5; count += 1)
      expect((await second(await challengeOf(email, address), '000000', address)).status).toBe(401)
    expect((await signIn(server, email, PASSWORD, address)).status).toBe(429)
    const challenge = await challengeOf(email)
    expect((await second(challenge, codeOf(secret), address)).status).toBe(429)
    expect((await second(challenge, codeOf(secret))).status).toBe(200)
    expect((await trailOf(server, id)).filter((action) => action === 'login_failed')).toHaveLength(5)
  })

  test('after thirty wrong codes from anywhere, only a recovery code or a passkey lets in that day', async () => {
    const { email, secret, recovery } = await withTotp()
    for (let count = 0; count < 30; count += 1)
      expect((await second(await challengeOf(email), '000000')).status).toBe(401)
    expect((await second(await challengeOf(email), codeOf(secret))).status).toBe(401)
    expect((await second(await challengeOf(email), recovery[0] ?? '')).status).toBe(200)
  })

  test('each of ten recovery codes works once, however it is written, and new ones end the old', async () => {
    const { email, client, recovery } = await withTotp()
    expect(new Set(recovery).size).toBe(10)
    const [first = '', next = ''] = recovery
    expect((await second(await challengeOf(email), first.toLowerCase().replace('-', ' '))).status).toBe(200)
    expect((await second(await challengeOf(email), first)).status).toBe(401)
    expect((await client.get(FACTORS)).json().data.recovery_codes_left).toBe(9)
    expect((await client.post(`${FACTORS}recovery-codes/`)).json().data.recovery_codes).toHaveLength(10)
    expect((await second(await challengeOf(email), next)).status).toBe(401)
  })

  test('the tables open nothing: the seed is sealed for its owner, codes are keyed', async () => {
    const [one, other] = [await withTotp(), await withTotp()]
    const rows = await server.db
      .selectFrom('second_factor')
      .selectAll()
      .where('user_id', 'in', [one.id, other.id])
      .execute()
    expect(Buffer.concat(rows.map((row) => row.secret ?? Buffer.alloc(0))).toString('latin1')).not.toContain(one.secret)
    const seed = rows.find((row) => row.user_id === one.id)?.secret ?? null
    await server.db.updateTable('second_factor').set({ secret: seed }).where('user_id', '=', other.id).execute()
    const stolen = await second(await challengeOf(other.email), codeOf(one.secret))
    expect([stolen.status, stolen.json().meta.code]).toEqual([401, 'WRONG_CODE'])
  })

  test('a seed that cannot be opened takes no code, and keeps no other way in closed', async () => {
    const { id, email, client, secret, recovery } = await withTotp()
    const [first = '', next = ''] = recovery
    const device = new Device()
    expect((await add(client, device, { origin: ORIGIN })).status).toBe(201)
    for (const broken of [Buffer.from('corto'), Buffer.alloc(60)]) {
      await server.db
        .updateTable('second_factor')
        .set({ secret: broken })
        .where('user_id', '=', id)
        .where('kind', '=', 'totp')
        .execute()
      expect((await second(await challengeOf(email), codeOf(secret))).json().meta.code).toBe('WRONG_CODE')
    }
    expect((await second(await challengeOf(email), first)).status).toBe(200)
    expect((await client.post('/api/v1/auth/elevate/', { code: next })).status).toBe(200)
    const { state, options } = await askFor()
    expect((await enter(state, device.sign(options, { origin: ORIGIN }))).status).toBe(200)
  })

  test('a factor is removed by its owner alone, and the recovery codes with the last one', async () => {
    const [one, other] = [await withTotp(), await withTotp()]
    const [factor] = (await one.client.get(FACTORS)).json().data.factors
    expect((await other.client.delete(`${FACTORS}${factor.id}/`)).status).toBe(404)
    expect((await one.client.post(`${FACTORS}totp/`)).json().meta.code).toBe('TOTP_EXISTS')
    expect((await one.client.delete(`${FACTORS}${factor.id}/`)).status).toBe(204)
    expect((await one.client.get(FACTORS)).json().data).toMatchObject({ factors: [], recovery_codes_left: 0 })
    expect((await signIn(server, one.email, PASSWORD, network())).json().data.access).toBeTypeOf('string')
  })

  test('who lost the devices begins anew by an administrator, or by an operator', async () => {
    const [one, other] = [await withTotp(), await withTotp()]
    const admin = await server.as({ role: 'admin' })
    expect((await admin.delete(`/api/v1/auth/users/${one.id}/second-factors/`)).status).toBe(204)
    expect((await one.client.get(FACTORS)).status).toBe(401)
    expect((await signIn(server, one.email, PASSWORD, network())).json().data.access).toBeTypeOf('string')
    expect(await trailOf(server, one.id)).toEqual(['login', 'add_factor', 'remove_factors', 'login'])
    await openDoor(server.appDb, ORIGIN, other.email)
    expect((await signIn(server, other.email, PASSWORD, network())).json().data.second_factor).toBeDefined()
    await openDoor(server.appDb, ORIGIN, other.email, { forgetsFactors: true })
    expect((await signIn(server, other.email, PASSWORD, network())).json().data.access).toBeTypeOf('string')
  })

  test('a link for another password keeps the factor', async () => {
    const { id, email } = await withTotp()
    const admin = await server.as({ role: 'admin' })
    const { url } = (await admin.post('/api/v1/auth/invitations/', { user_id: id })).json().data
    const password = 'otra orilla del mismo río'
    await server.anonymous.post('/api/v1/auth/password/reset/', { token: url.split('#')[1], password }, from())
    const answer = await signIn(server, email, password, network())
    expect(answer.json().data.second_factor.methods).toEqual(['totp', 'recovery'])
  })
})

describe('passkeys', () => {
  async function withPasskey() {
    const person = await makePerson()
    const device = new Device()
    expect((await add(person.client, device, { origin: ORIGIN })).status).toBe(201)
    return { ...person, device }
  }

  test('it lets in without a password, and with it is a second factor', async () => {
    const { email, device, id } = await withPasskey()
    const { state, options } = await askFor()
    const entered = await enter(state, device.sign(options, { origin: ORIGIN }))
    expect(entered.status).toBe(200)
    expect(entered.json().data.user.email).toBe(email)
    expect((await signIn(server, email, PASSWORD, network())).json().data.second_factor.methods).toEqual([
      'passkey',
      'recovery',
    ])
    expect(await trailOf(server, id)).toEqual(['login', 'add_factor', 'login'])
  })

  test('each factor that is added is told to its owner, who cannot switch that off', async () => {
    const { client } = await withTotp()
    expect((await add(client, new Device(), { origin: ORIGIN })).status).toBe(201)
    const told = async () =>
      (await client.get('/api/v1/notices/')).json().data.results.map(({ text }: { text: string }) => text)
    await expect
      .poll(told)
      .toEqual(
        ['Llave de acceso', 'Aplicación de códigos'].map((kind) => `Se agregó un segundo factor a tu cuenta: ${kind}`),
      )
    const { choices } = (await client.get('/api/v1/notices/choices/')).json().data
    expect(choices).toContainEqual({ type: 'factor.added', in_product: true, mail: 'now', is_fixed: true })
  })

  test.each([
    ['another origin', { origin: 'https://red.example.mx.evil.example' }],
    ['a lookalike that relays to our host', { origin: 'https://evil.example', host: 'red.example.mx' }],
    ['plain http', { origin: 'http://red.example.mx' }],
    ['a device that asked nobody', { origin: ORIGIN, verified: false }],
  ])('%s can neither register nor sign in', async (_, place) => {
    const { client } = await makePerson()
    expect((await add(client, new Device(), place)).json().meta.code).toBe('PASSKEY_REFUSED')
    const { device } = await withPasskey()
    const { state, options } = await askFor()
    expect((await enter(state, device.sign(options, place))).status).toBe(401)
  })

  test('an answer works once, for its own question, and from no copy of the device', async () => {
    const { device } = await withPasskey()
    const first = await askFor()
    const signed = device.sign(first.options, { origin: ORIGIN })
    expect((await enter(first.state, signed)).status).toBe(200)
    expect((await enter(first.state, signed)).status).toBe(401)
    const other = await askFor()
    expect((await enter(other.state, signed)).status).toBe(401)
    device.counter = 0
    const copied = await askFor()
    expect((await enter(copied.state, device.sign(copied.options, { origin: ORIGIN }))).status).toBe(401)
    const stranger = await askFor()
    expect((await enter(stranger.state, new Device().sign(stranger.options, { origin: ORIGIN }))).status).toBe(401)
  })

  test('of a device and its copies at once one comes in', async () => {
    const { device } = await withPasskey()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { state, options } = await askFor()
        device.counter = 0
        return enter(state, device.sign(options, { origin: ORIGIN }))
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('an office signs in with it as often as it likes; its network is refused after sixty that are not valid', async () => {
    const { device } = await withPasskey()
    const office = from()
    const signIn = async (of: Device) => {
      const asked = await server.anonymous.post('/api/v1/auth/login/passkey/options/', undefined, office)
      const { state, options } = asked.json().data
      const credential = of.sign(options, { origin: ORIGIN })
      return (await server.anonymous.post('/api/v1/auth/login/passkey/', { state, credential }, office)).status
    }
    const statuses = new Set<number>()
    for (let count = 0; count < 35; count += 1) statuses.add(await signIn(device))
    expect(statuses).toEqual(new Set([200]))
    const strange = new Device()
    expect(await Promise.all(Array.from({ length: 60 }, () => signIn(strange)))).toEqual(Array(60).fill(401))
    expect(await signIn(device)).toBe(429)
  })

  test('a person has ten, however many questions were asked before', async () => {
    const { client } = await makePerson()
    const ask = async () => (await client.post(`${FACTORS}passkeys/options/`)).json().data
    const asked = []
    for (let count = 0; count < 11; count += 1) asked.push(await ask())
    const codes = []
    for (const { state, options } of asked) {
      const credential = new Device().register(options, { origin: ORIGIN })
      const answer = await client.post(`${FACTORS}passkeys/`, { state, credential, label: 'Mi teléfono' })
      codes.push(answer.json().meta.code ?? answer.status)
    }
    expect(codes).toEqual([...Array(10).fill(201), 'TOO_MANY_PASSKEYS'])
  })

  test("a question of one person registers nothing for another, and one's passkey is not taken over", async () => {
    const [one, other] = [await makePerson(), await withPasskey()]
    const { state, options } = (await other.client.post(`${FACTORS}passkeys/options/`)).json().data
    const device = new Device()
    const credential = device.register(options, { origin: ORIGIN })
    const taken = await one.client.post(`${FACTORS}passkeys/`, { state, credential, label: 'x' })
    expect(taken.json().meta.code).toBe('PASSKEY_REFUSED')
    expect((await add(one.client, other.device, { origin: ORIGIN })).json().meta.code).toBe('PASSKEY_EXISTS')
  })

  test('a suspended person does not come in with it', async () => {
    const { id, device } = await withPasskey()
    await server.db.updateTable('user').set({ user_status: 'suspended' }).where('id', '=', id).execute()
    const { state, options } = await askFor()
    expect((await enter(state, device.sign(options, { origin: ORIGIN }))).status).toBe(401)
  })
})

import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer, unique } from '../testing.ts'
import { HashQueue, hashQueue } from '../users/hash-queue.ts'
import { tooSoon } from './counters.ts'
import { networkOf, networksOf } from './networks.ts'
import { makeAccount, openSession, PASSWORD, refreshWith, signIn } from './testing.ts'
import { waitAfter } from './throttle.ts'

const ownPriority = getPriority()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
})
afterAll(() => server.stop())

const network = () => `203.0.${unique() % 256}.`
const BAD = 'una clave equivocada'

/** As if the time until the end of every lock had passed. */
const endLocks = () => server.db.updateTable('throttle').set({ expire: 1 }).where('key', 'like', 'lock:%').execute()

async function failTimes(times: number, email: string, address: string): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) statuses.push((await signIn(server, email, BAD, address)).status)
  return statuses
}

test.each(['known', 'unknown'])(
  'five failures lock the %s account for its network, a minute first, then twice as long',
  async (kind) => {
    const email = kind === 'known' ? (await makeAccount(server)).email : 'nadie.locked@pruebas.mx'
    const net = network()
    expect(await failTimes(5, email, `${net}1`)).toEqual([401, 401, 401, 401, 401])
    const locked = await signIn(server, email, undefined, `${net}200`)
    expect(locked.status).toBe(429)
    expect(locked.json()).toMatchObject({
      message: 'Demasiados intentos. Espera un momento e inténtalo de nuevo.',
      meta: { code: 'RATE_LIMITED', retryable: true },
    })
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(55)
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    for (const seconds of [120, 240, 480, 900, 900]) {
      await endLocks()
      expect(await failTimes(1, email, `${net}1`)).toEqual([401])
      const wait = Number((await signIn(server, email, BAD, `${net}1`)).headers.get('retry-after'))
      expect([wait > seconds - 5, wait <= seconds]).toEqual([true, true])
    }
  },
)

test('a lock keeps neither the owner on another network nor a neighbour out, and success clears it', async () => {
  const [user, neighbour] = [await makeAccount(server), await makeAccount(server)]
  const net = network()
  await failTimes(5, user.email, `${net}1`)
  expect((await signIn(server, user.email, undefined, `${network()}1`)).status).toBe(200)
  expect((await signIn(server, neighbour.email, undefined, `${net}1`)).status).toBe(200)
  await endLocks()
  expect((await signIn(server, user.email, undefined, `${net}1`)).status).toBe(200)
  expect(await failTimes(4, user.email, `${net}1`)).toEqual([401, 401, 401, 401])
  expect((await signIn(server, user.email, undefined, `${net}1`)).status).toBe(200)
})

test('twenty guesses at once get no more than five answers', async () => {
  const user = await makeAccount(server)
  const net = network()
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(server, user.email, BAD, `${net}1`)))
  const statuses = answers.map((answer) => answer.status)
  expect([
    statuses.filter((status) => status === 401).length,
    statuses.filter((status) => status === 429).length,
  ]).toEqual([5, 15])
})

test('a network with a hundred failures is refused whatever account it tries', async () => {
  const net = network()
  await failTimes(1, 'primero@pruebas.mx', `${net}1`)
  await server.db
    .updateTable('throttle')
    .set({ points: 100 })
    .where('key', 'like', 'network:%')
    .where('points', '=', 1)
    .execute()
  expect((await signIn(server, 'otro@pruebas.mx', BAD, `${net}9`)).status).toBe(429)
})

test('a flood from a network that is shut asks nothing of PostgreSQL', async () => {
  const net = network()
  await failTimes(1, 'antes@pruebas.mx', `${net}1`)
  await server.db.updateTable('throttle').set({ points: 100 }).where('key', 'like', 'network:%').execute()
  expect((await signIn(server, 'despues@pruebas.mx', BAD, `${net}1`)).status).toBe(429)
  await server.db.transaction().execute(async (tx) => {
    await sql`lock table throttle in access exclusive mode`.execute(tx)
    const flood = Array.from({ length: 20 }, (_, number) => signIn(server, `otro${number}@pruebas.mx`, BAD, `${net}2`))
    for (const answer of await Promise.all(flood)) {
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(600)
    }
  })
})

test.runIf(process.platform === 'linux')('a password is hashed with less weight than clicks are answered', async () => {
  await failTimes(1, 'nadie.prisa@pruebas.mx', `${network()}1`)
  const priorities = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))
  expect(priorities).toContain(Math.max(ownPriority, 10))
  expect(getPriority(process.pid)).toBe(ownPriority)
})

test('the counters name nobody', async () => {
  await failTimes(1, 'secreto@pruebas.mx', `${network()}1`)
  const keys = await server.db.selectFrom('throttle').select('key').execute()
  expect(keys.length).toBeGreaterThan(0)
  expect(JSON.stringify(keys)).not.toMatch(/@|203\.0/)
})

test('a session is refreshed ten times a minute', async () => {
  const user = await makeAccount(server)
  const { refresh } = await openSession(server, user.email)
  const statuses: number[] = []
  for (let count = 0; count < 11; count += 1) statuses.push((await refreshWith(server, refresh)).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  expect((await refreshWith(server, refresh)).headers.get('retry-after')).toMatch(/^\d+$/)
})

/** As if the account had been guessed so often within the last hour. */
const guessed = async (email: string, points: number) => {
  const before = await server.db.selectFrom('throttle').select('key').where('key', 'like', 'account:%').execute()
  await failTimes(1, email, `${network()}1`)
  const { numUpdatedRows } = await server.db
    .updateTable('throttle')
    .set({ points })
    .where('key', 'like', 'account:%')
    .where('key', 'not in', ['', ...before.map(({ key }) => key)])
    .executeTakeFirst()
  expect(numUpdatedRows).toBe(1n)
}
const turns = () => server.db.selectFrom('throttle').select('key').where('key', 'like', 'turn:%').execute()

test.each(['known', 'unknown'])(
  'a much guessed account, %s, takes one guess at a time from wherever, the others come back later',
  async (kind) => {
    const email = kind === 'known' ? (await makeAccount(server)).email : 'nadie.turnos@pruebas.mx'
    await server.db.deleteFrom('throttle').where('key', 'like', 'turn:%').execute()
    await guessed(email, 50)
    const waiting = signIn(server, email, BAD, `${network()}1`)
    await expect.poll(async () => (await turns()).length, { timeout: 20_000, interval: 10 }).toBe(1)
    await server.db
      .updateTable('throttle')
      .set({ expire: Date.now() + 600_000 })
      .where('key', 'like', 'turn:%')
      .execute()
    const others = Array.from({ length: 9 }, (_, part) => signIn(server, email, BAD, `198.51.${part}.1`))
    for (const answer of await Promise.all(others)) {
      expect([answer.status, answer.json().meta.code]).toEqual([429, 'RATE_LIMITED'])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect((await waiting).status).toBe(401)
  },
)

test.each([
  ['elevate', { password: BAD }],
  ['password/change', { current_password: BAD, new_password: 'otra orilla del mismo río' }],
])('so does its password with a stolen session: %s', async (path, body) => {
  const { email } = await makeAccount(server)
  const { client } = await openSession(server, email)
  await server.db.deleteFrom('throttle').where('key', 'like', 'turn:%').execute()
  await guessed(email, 50)
  const guess = (address: string) =>
    client.post(`/api/v1/auth/${path}/`, body, { headers: { 'x-forwarded-for': address } })
  const waiting = guess(`${network()}1`)
  await expect.poll(async () => (await turns()).length, { timeout: 20_000, interval: 10 }).toBe(1)
  await server.db
    .updateTable('throttle')
    .set({ expire: Date.now() + 600_000 })
    .where('key', 'like', 'turn:%')
    .execute()
  const others = await Promise.all(Array.from({ length: 5 }, (_, part) => guess(`198.18.${part}.1`)))
  expect(others.map(({ status }) => status)).toEqual(Array(5).fill(429))
  expect((await waiting).status).toBe(422)
})

test('guesses that started together while the account was open are stopped once it is guessed too often', async () => {
  const { email } = await makeAccount(server)
  await guessed(email, 48)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, part) => signIn(server, email, BAD, `192.0.${part}.1`)),
  )
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(3)
})

test('the owner enters a much guessed account: at once where they entered before, elsewhere after a wait', async () => {
  const { email } = await makeAccount(server)
  const [home, away] = [`${network()}1`, `${network()}1`]
  expect((await signIn(server, email, undefined, home)).status).toBe(200)
  await server.db.deleteFrom('throttle').where('key', 'like', 'turn:%').execute()
  await guessed(email, 60)
  expect((await signIn(server, email, undefined, home)).status).toBe(200)
  expect(await turns()).toEqual([])
  expect((await signIn(server, email, undefined, away)).status).toBe(200)
  expect(await turns()).toHaveLength(1)
})

test.each([
  [49, 0],
  [50, 1],
  [74, 1],
  [75, 2],
  [100, 4],
  [5000, 15],
])('after %i failures a guess waits %i seconds', (failures, seconds) => {
  expect(waitAfter(failures)).toBe(seconds)
})

test('networks of one customer of IPv6 are counted together', async () => {
  const { email } = await makeAccount(server)
  const statuses: number[] = []
  for (let part = 0; part < 11; part += 1)
    statuses.push((await signIn(server, email, BAD, `2001:db8:aa:${(0x100 + part).toString(16)}::1`)).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  for (let part = 0; part < 11; part += 1)
    statuses.push((await signIn(server, email, BAD, `2001:db8:aa:${part * 256 + 512}::1`)).status)
  expect(statuses.slice(11)).toEqual([...Array(10).fill(401), 429])
  expect((await signIn(server, email, undefined, '2001:db8:ab::1')).status).toBe(200)
})

test('the port that a proxy writes behind an address is no network', async () => {
  const { email, id } = await makeAccount(server)
  const statuses: number[] = []
  for (let port = 0; port < 6; port += 1)
    statuses.push((await signIn(server, email, BAD, `[2001:db8:ff::1]:${4000 + port}`)).status)
  expect(statuses).toEqual([...Array(5).fill(401), 429])
  expect((await signIn(server, email, undefined, '203.0.113.9:4711')).status).toBe(200)
  const { address } = await server.db
    .selectFrom('session')
    .select('address')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(address).toBe('203.0.113.9')
})

test('one hash at a time, fifty wait, the next is asked to come back', async () => {
  const queue = new HashQueue()
  const { promise, resolve } = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const job = async () => {
    running += 1
    most = Math.max(most, running)
    await promise
    running -= 1
  }
  const jobs = Array.from({ length: 51 }, () => queue.run(job))
  await expect(queue.run(job)).rejects.toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfter: 5 })
  resolve()
  await Promise.all(jobs)
  expect(most).toBe(1)
  await queue.run(job)
})

/** Of somebody who has not come before. */
const placeAt = (address: string, account = `${unique()}`) => ({
  account,
  networks: networksOf(address).map(({ name }) => ({ network: name })),
})
const FULL = { status: 429, code: 'RATE_LIMITED' }

test('one network has half of the places, so that the others find some', async () => {
  const queue = new HashQueue()
  const { promise, resolve } = Promise.withResolvers<void>()
  const jobs = Array.from({ length: 25 }, (_, part) => queue.run(() => promise, placeAt(`203.0.113.${part}`)))
  await expect(queue.run(() => promise, placeAt('203.0.113.99'))).rejects.toMatchObject(FULL)
  jobs.push(
    queue.run(() => promise, placeAt('198.51.100.1')),
    queue.run(() => promise),
  )
  resolve()
  await Promise.all(jobs)
  await queue.run(async () => undefined, placeAt('203.0.113.99'))
})

test.each([
  ['/56', (part: number) => `2001:db8:aa:${(0x100 + part).toString(16)}::1`],
  ['/48', (part: number) => `2001:db8:aa:${part.toString(16)}00::1`],
])('a %s has half of the places, however many networks it is', async (_, address) => {
  const queue = new HashQueue()
  const { promise, resolve } = Promise.withResolvers<void>()
  const jobs = Array.from({ length: 25 }, (_, part) => queue.run(() => promise, placeAt(address(part))))
  await expect(queue.run(() => promise, placeAt(address(25)))).rejects.toMatchObject(FULL)
  for (let part = 0; part < 25; part += 1)
    jobs.push(queue.run(() => promise, placeAt(`2001:db8:ab:${part.toString(16)}00::1`)))
  jobs.push(queue.run(() => promise, placeAt('198.51.100.1')))
  resolve()
  await Promise.all(jobs)
})

test('one account holds one place and lets others in between, twenty-five wait for it', async () => {
  const queue = new HashQueue()
  const served: string[] = []
  const come = (account: string, part: number) =>
    queue.run(async () => void served.push(account), placeAt(`198.18.${part}.1`, account))
  const jobs = Array.from({ length: 25 }, (_, part) => come('loud', part))
  await expect(come('loud', 25)).rejects.toMatchObject(FULL)
  for (let part = 0; part < 50; part += 1) jobs.push(come(`quiet ${part}`, part))
  await expect(come('late', 99)).rejects.toMatchObject(FULL)
  await Promise.all(jobs)
  expect(served.indexOf('quiet 49')).toBeLessThan(52)
  await come('late', 99)
})

test('who knows a password and has many networks keeps nobody else out', async () => {
  const [loud, quiet] = [await makeAccount(server), await makeAccount(server)]
  const { client } = await openSession(server, quiet.email)
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = hashQueue.run(() => promise)
  let refused = 0
  const flood = Array.from({ length: 75 }, async (_, part) => {
    const { status } = await signIn(server, loud.email, undefined, `2001:db8:77:ff0${part % 3}::1`)
    if (status === 429) refused += 1
  })
  await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThanOrEqual(25)
  const others = Promise.all([
    signIn(server, quiet.email, undefined, `${network()}1`),
    client.post('/api/v1/auth/elevate/', { password: PASSWORD }),
  ])
  await Promise.race([others, wait(500)])
  resolve()
  expect((await others).map(({ status }) => status)).toEqual([200, 200])
  await Promise.all([held, ...flood])
})

test('however many strangers sign in, who has a session confirms who they are', async () => {
  const { email } = await makeAccount(server)
  const { client } = await openSession(server, email)
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = hashQueue.run(() => promise)
  let refused = 0
  const flood = Array.from({ length: 75 }, async (_, part) => {
    const { status } = await signIn(server, `nadie${part}@pruebas.mx`, BAD, `198.19.${part % 3}.1`)
    if (status === 429) refused += 1
  })
  await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThanOrEqual(24)
  const confirmed = client.post('/api/v1/auth/elevate/', { password: PASSWORD })
  await Promise.race([confirmed, wait(500)])
  resolve()
  expect((await confirmed).status).toBe(200)
  await Promise.all([held, ...flood])
})

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s belongs to the network %s', (address, expected) => {
  expect(networkOf(address)).toBe(expected)
})

test('a turn that is over at the moment it is refused is asked for again, not an error', () => {
  const lost = new Error('connection lost')
  expect(tooSoon(lost)).toBe(lost)
  for (const msBeforeNext of [0, 1, 2500])
    expect(tooSoon(new RateLimiterRes(0, msBeforeNext))).toMatchObject({
      ...{ status: 429, code: 'RATE_LIMITED' },
      retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    })
})

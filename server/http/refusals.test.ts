import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { end } from '#db/processes.testing.ts'
import { deriveKey } from '../auth/tokens.ts'
import { type ServerProcess, startProcess, untilStarted } from '../clicks/server-process.testing.ts'
import { EVENTS } from '../events/testing.ts'
import { makeAffiliate, makeBearer, startServer, TEST_SECRET, type TestServer } from '../testing.ts'

const POSTBACK = '/api/v1/events/postback/'
const KEY = `iss_ABCD_${'k'.repeat(42)}`
const TOKEN = `pbt_WXYZ_${'t'.repeat(42)}`

let server: TestServer
let dataDir: string
let started: ServerProcess
beforeAll(async () => {
  server = await startServer()
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  started = await startProcess({
    ...{
      DATA_DIR: dataDir,
      DATABASE_URL: server.databaseUrl,
      SECRET: TEST_SECRET,
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '1',
    },
    REQUESTS_PER_SECOND: '1',
  })
  await untilStarted(started)
})
afterAll(async () => {
  await end(started.child, 'SIGKILL')
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const lines = () =>
  started
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event !== undefined)

const get = (path: string, headers: Record<string, string> = {}, from = '203.0.113.7') =>
  started.client.get(path, { headers: { ...headers, 'x-forwarded-for': from } })

const expiredToken = () =>
  new SignJWT({ sid: crypto.randomUUID(), token_use: 'access' })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'a1' })
    .setIssuer('afluente')
    .setAudience('afluente')
    .setSubject('1')
    .setExpirationTime(Math.floor(Date.now() / 1000) - 60)
    .sign(deriveKey(TEST_SECRET, 'access-token'))

test('refusals leave limited lines that say who, where and why, and no secrets', async () => {
  const { client } = started
  const { id: affiliateId } = await makeAffiliate(server.db)
  const [affiliate, hasty] = await Promise.all([
    makeBearer(server.db, { role: 'affiliate', affiliateId }),
    makeBearer(server.db, { role: 'admin' }),
  ])
  expect((await get('/api/v1/products/', { authorization: `Bearer ${await expiredToken()}` })).status).toBe(401)
  for (let time = 0; time < 20; time++)
    expect((await get('/api/v1/products/7/', { authorization: `Bearer forged.forged.${time}` })).status).toBe(401)
  expect((await get('/api/v1/products/', {}, '198.51.100.9')).status).toBe(401)
  expect((await get('/api/v1/auth/users/', { authorization: `Bearer ${affiliate}` })).status).toBe(403)
  expect((await client.post(EVENTS, {}, { headers: { 'x-api-key': KEY } })).status).toBe(401)
  expect((await get(`${POSTBACK}?token=${TOKEN}&tracking_id=ana@privado.mx`)).status).toBe(401)
  const person = { email: 'ana@privado.mx', password: 'equivocada' }
  expect((await client.post('/api/v1/auth/login/', person)).status).toBe(401)
  const impatient = Array.from({ length: 10 }, () => get('/api/v1/products/', { authorization: `Bearer ${hasty}` }))
  expect((await Promise.all(impatient)).map(({ status }) => status)).toContain(429)

  const network = '203.0.113.0/24'
  await expect.poll(lines).toHaveLength(7)
  const said = lines().map(({ level, time, pid, hostname, msg, ...line }) => [level, msg, line])
  const user = expect.stringMatching(/^user \d+$/)
  const refused = (line: object) => [40, 'refused', line]
  const [reading, products] = [
    { method: 'GET', network },
    { method: 'GET', route: '/api/v1/products/' },
  ]
  expect(said).toEqual([
    refused({ ...reading, event: 'authn_fail', reason: 'INVALID_TOKEN', route: '/api/v1/products/:id/' }),
    refused({ ...products, event: 'authn_fail', reason: 'UNAUTHENTICATED', network: '198.51.100.0/24' }),
    refused({ ...reading, event: 'authz_fail', reason: 'FORBIDDEN', route: '/api/v1/auth/users/', who: user }),
    refused({
      ...{ event: 'authn_fail', reason: 'INVALID_API_KEY', method: 'POST', route: EVENTS, who: 'iss_ABCD' },
      network: '127.0.0.0/24',
    }),
    refused({ ...reading, event: 'authn_fail', reason: 'INVALID_API_KEY', route: POSTBACK, who: 'pbt_WXYZ' }),
    refused({
      ...{ event: 'authn_fail', reason: 'UNAUTHENTICATED', method: 'POST', route: '/api/v1/auth/login/' },
      network: '127.0.0.0/24',
    }),
    refused({ ...products, event: 'excess_rate_limit_exceeded', reason: 'RATE_LIMITED', network, who: user }),
  ])
  expect(started.said()).not.toMatch(/kkkk|tttt|privado|equivocada|forged|203\.0\.113\.7/)
})

test('an attack from everywhere shares a line, and what was repeated is summed up', async () => {
  const before = lines().length
  const forged = (index: number) =>
    get('/api/v1/issuers/', { authorization: 'Bearer x' }, `10.${index >> 8}.${index & 255}.1`)
  for (let index = 0; index < 300; index += 20)
    await Promise.all(Array.from({ length: 20 }, (_, each) => forged(index + each)))
  await expect.poll(() => lines().some(({ network }) => network === 'others')).toBe(true)
  expect(lines().length - before).toBeLessThanOrEqual(200)
  await end(started.child)
  const again = lines().filter(({ msg }) => msg === 'refused again')
  expect(again).toContainEqual(expect.objectContaining({ route: '/api/v1/products/:id/', times: 19 }))
  expect(again.find(({ network }) => network === 'others')?.times).toBeGreaterThan(90)
})

import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, TEST_SECRET, type TestServer } from '../testing.ts'
import { bearing, makeAccount, openSession, refreshWith } from './testing.ts'
import { deriveKey } from './tokens.ts'

let server: TestServer
let good: { header: Record<string, unknown>; claims: Record<string, unknown>; access: string; refresh: string }

beforeAll(async () => {
  server = await startServer()
  const { access, refresh } = await openSession(server, (await makeAccount(server)).email)
  const [header, claims] = access
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  good = { header, claims, access, refresh }
})
afterAll(() => server.stop())

const key = deriveKey(TEST_SECRET, 'access-token')
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const statusOf = async (token: string) => (await bearing(server, token).get('/api/v1/auth/profile/')).status

/** Signed with the server's own key: only what differs from a good token can be the reason for refusing it. */
const forged = (claims: Record<string, unknown>, header: Record<string, unknown> = {}, withKey = key) =>
  new SignJWT({ ...good.claims, ...claims })
    .setProtectedHeader({ ...good.header, alg: 'HS256', ...header })
    .sign(withKey)

const byHand = (header: object, claims: object, signature: (text: string) => string) => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${signature(text)}`
}
const hmac = (algorithm: string) => (text: string) => createHmac(algorithm, key).update(text).digest('base64url')

test('the token names a session and when it ends, nothing of the person', () => {
  expect(good.header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: 'a1' })
  expect(Object.keys(good.claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub', 'token_use'])
  expect(Number(good.claims.exp) - Number(good.claims.iat)).toBe(600)
})

test('the forgery itself is good when nothing differs', async () => {
  expect(await statusOf(good.access)).toBe(200)
  expect(await statusOf(await forged({}))).toBe(200)
})

const now = () => Math.floor(Date.now() / 1000)

test.each<[string, () => Promise<string> | string]>([
  ['without a signature', () => byHand({ ...good.header, alg: 'none' }, good.claims, () => '')],
  ['without a signature, spelled differently', () => byHand({ ...good.header, alg: 'nOnE' }, good.claims, () => '')],
  [
    'unsigned but with the signature of a good one',
    () => byHand({ ...good.header, alg: 'none' }, good.claims, () => good.access.split('.')[2] ?? ''),
  ],
  ['with HS512', () => byHand({ ...good.header, alg: 'HS512' }, good.claims, hmac('sha512'))],
  [
    'with an RSA key of its own',
    () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      return byHand({ ...good.header, alg: 'RS256' }, good.claims, (text) =>
        sign('sha256', Buffer.from(text), privateKey).toString('base64url'),
      )
    },
  ],
  ['with another key', () => forged({}, {}, deriveKey('another secret', 'access-token'))],
  ['with the key of another purpose', () => forged({}, {}, deriveKey(TEST_SECRET, 'throttle'))],
  ['with the secret itself', () => forged({}, {}, new TextEncoder().encode(TEST_SECRET))],
  ['with an empty kid', () => forged({}, { kid: '' })],
  ['with a path as kid', () => forged({}, { kid: '../../../../dev/null' })],
  ['with SQL as kid', () => forged({}, { kid: "a1' or '1'='1" })],
  ['with a jku and another key', () => forged({}, { jku: 'https://malo.example/keys' }, deriveKey('x', 'x'))],
  ['with a jwk of its own', () => forged({}, { jwk: { kty: 'oct', k: encode('x') } }, deriveKey('x', 'x'))],
  ['with an unknown critical header', () => byHand({ ...good.header, crit: ['x'], x: 1 }, good.claims, hmac('sha256'))],
  ['of another type', () => forged({}, { typ: 'JWT' })],
  ['expired', () => forged({ exp: now() - 60 })],
  ['that never expires', () => forged({ exp: undefined })],
  ['not valid yet', () => forged({ nbf: now() + 600 })],
  ['for somebody else', () => forged({ aud: 'otra' })],
  ['from somebody else', () => forged({ iss: 'otra' })],
  ['for another use', () => forged({ token_use: 'refresh' })],
  ['of no session', () => forged({ sid: undefined })],
  ['of an unknown session', () => forged({ sid: crypto.randomUUID() })],
  ['of a session that is no uuid', () => forged({ sid: "' or true --" })],
  ['of many sessions', () => forged({ sid: [good.claims.sid] })],
  ['tampered with', () => good.access.replace(/\.[^.]+\./, `.${encode({ ...good.claims, sub: '987654' })}.`)],
  ['with a truncated signature', () => good.access.slice(0, -6)],
  ['without its signature', () => good.access.split('.').slice(0, 2).join('.')],
  ['twice', () => `${good.access}.${good.access}`],
  ['that is the refresh token', () => good.refresh],
  ['that is no token', () => 'x'],
])('a token %s opens nothing', async (_, make) => {
  expect(await statusOf(await make())).toBe(401)
})

test('a huge token is refused, and so is one that no header holds', async () => {
  expect(await statusOf('a'.repeat(10_000))).toBe(401)
  expect(await statusOf(`${good.access}${'A'.repeat(3000)}`)).toBe(401)
  expect(await statusOf('a'.repeat(1_000_000))).toBe(431)
})

test('an access token refreshes nothing', async () => {
  expect((await refreshWith(server, good.access)).status).toBe(401)
})

test.each(['Basic', 'Token', ''])('the scheme %s is not a bearer', async (scheme) => {
  const answer = await server.anonymous.get('/api/v1/auth/profile/', {
    headers: { authorization: `${scheme} ${good.access}`.trim() },
  })
  expect(answer.status).toBe(401)
})

test.each([' x', ' Bearer', ', Basic eA=='])('a good token followed by "%s" is refused', async (rest) => {
  expect(await statusOf(good.access)).toBe(200)
  expect(await statusOf(`${good.access}${rest}`)).toBe(401)
})

test('a token in the address opens nothing', async () => {
  expect((await server.anonymous.get(`/api/v1/auth/profile/?access=${good.access}&token=${good.access}`)).status).toBe(
    401,
  )
})

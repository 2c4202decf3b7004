import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClient } from '../testing.ts'
import { answerError } from './errors.ts'
import { type OtherOrigins, serveWeb } from './web.ts'

const root = `${mkdtempSync(join(tmpdir(), 'afluente-web-'))}/`
const running: FastifyInstance[] = []

async function start(folder: string, options: Partial<OtherOrigins> = {}): Promise<TestClient> {
  const app = Fastify()
  app.setErrorHandler(answerError)
  await serveWeb(app, { dashboardOrigins: [], apiOrigins: [], root: folder, ...options })
  running.push(app)
  return new TestClient(await app.listen({ host: '127.0.0.1', port: 0 }))
}

let web: TestClient
beforeAll(async () => {
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), '<!doctype html><div id="root"></div>')
  writeFileSync(join(root, 'before-paint.js'), 'paint()')
  writeFileSync(join(root, 'assets', 'main-a1b2c3.js'), 'main()')
  writeFileSync(join(root, '.env'), 'SECRET=1')
  web = await start(root)
})
afterAll(async () => {
  await Promise.all(running.map((app) => app.close()))
  rmSync(root, { recursive: true })
})

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; manifest-src 'self'"

test.each(['/', '/index.html', '/login', '/app/admin/payments/', '/no-such-page', '/apiary', '/a.b/c'])(
  '%s is the application, never cached without revalidation, under the strict policy',
  async (path) => {
    const page = await web.get(path, { headers: html })
    expect([page.status, page.text]).toEqual([200, '<!doctype html><div id="root"></div>'])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(page.headers.has('set-cookie')).toBe(false)
  },
)

test('a page is sent again only when it changed', async () => {
  const etag = (await web.get('/')).headers.get('etag') ?? ''
  // Without a cache-control of ours, fetch says no-cache, which asks for the whole page.
  const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  expect((await web.get('/login', { headers })).status).toBe(304)
})

test('HEAD answers like GET without a body', async () => {
  const page = await web.request('HEAD', '/login')
  expect([page.status, page.text, page.headers.get('content-security-policy')]).toEqual([200, '', POLICY])
})

test('boards may be framed by our own pages', async () => {
  expect((await web.get('/embed/tablero')).headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
})

test('our pages may frame the boards that the operator allows', async () => {
  const open = await start(root, { dashboardOrigins: ['https://tableros.mx', 'https://bi.mx'] })
  const policy = (await open.get('/app/issuer/dashboard')).headers.get('content-security-policy')
  expect(policy).toContain("; frame-src 'self' https://tableros.mx https://bi.mx; ")
})

test('our pages may call the APIs that the operator allows, and no other', async () => {
  const open = await start(root, { apiOrigins: ['https://api.mx', 'http://localhost:8000'] })
  const policy = (await open.get('/app/admin/leads')).headers.get('content-security-policy')
  expect(policy).toContain("; connect-src 'self' https://api.mx http://localhost:8000; ")
})

test('hashed assets are cached for ever, the others revalidated', async () => {
  const asset = await web.get('/assets/main-a1b2c3.js')
  expect([asset.text, asset.headers.get('cache-control')]).toEqual(['main()', 'public, max-age=31536000, immutable'])
  expect(asset.headers.get('content-type')).toMatch(/javascript/)
  expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await web.get('/before-paint.js')).headers.get('cache-control')).toBe('no-cache')
})

test('an asset comes as the build compressed it, to who reads that', async () => {
  const content = 'grow()'.repeat(1000)
  writeFileSync(join(root, 'assets', 'grow-a1b2c3.js'), content)
  writeFileSync(join(root, 'assets', 'grow-a1b2c3.js.br'), brotliCompressSync(content))
  const own = await start(root)
  const asked = async (encoding: string) => {
    const { text, headers } = await own.get('/assets/grow-a1b2c3.js', { headers: { 'accept-encoding': encoding } })
    expect([text, headers.get('vary')]).toEqual([content, 'accept-encoding'])
    expect(headers.get('content-type')).toMatch(/javascript/)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    return headers.get('content-encoding')
  }
  expect(await asked('gzip, deflate, br, zstd')).toBe('br')
  expect(await asked('gzip')).toBeNull()
})

test.each([
  '/assets/main-000000.js',
  '/assets/',
  '/favicon.ico',
  '/package.json',
  '/.env',
  '/.git/config',
  '/%2egit/config',
  '/..%2f..%2fpackage.json',
  '/assets/..%2f..%2fpackage.json',
  '/%5c..%5c.env',
  '/api',
  '/api/',
  '/api/nothing',
  '/%61pi/nothing',
])('%s is not found', async (path) => {
  const answer = await web.get(path)
  expect(answer.status).toBe(404)
  expect(answer.json()).toMatchObject({ success: false, meta: { code: 'NOT_FOUND' } })
})

test('a hidden name is not found for a browser either', async () => {
  for (const path of ['/.env', '/.git/HEAD', '/assets/old.js'])
    expect((await web.get(path, { headers: html })).status).toBe(404)
  expect((await web.get('/foo%E0%A4%A')).status).toBe(400)
})

test('a web that is not built says so, and is served once it is', async () => {
  const folder = `${mkdtempSync(join(tmpdir(), 'afluente-web-'))}/`
  try {
    const unbuilt = await start(join(folder, 'web/'))
    const page = await unbuilt.get('/')
    expect([page.status, page.headers.get('cache-control')]).toEqual([503, 'no-store'])
    expect(page.text).toContain('La interfaz web no está construida')
    mkdirSync(join(folder, 'web'))
    writeFileSync(join(folder, 'web', 'index.html'), 'built')
    expect((await unbuilt.get('/')).text).toBe('built')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

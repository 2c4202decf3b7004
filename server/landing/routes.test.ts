import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '#db/factories.ts'
import { demoEmails } from '../auth/demo-accounts.ts'
import { makeRoot, withPages } from '../http/built-page.testing.ts'
import { startServer, type TestClient, type TestServer } from '../testing.ts'
import { landingRoutes } from './routes.ts'

const { root, build } = makeRoot()
const built = '<h1>Afluente</h1><a data-link="demo" href="/login">Ver demo</a>'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const withLanding = (db: TestServer['db'], demo: boolean, look: (web: TestClient) => Promise<void>) =>
  withPages(
    (app) => landingRoutes(app, db, { publicUrl: 'https://afluente.example', supportUrl: undefined, demo }, root),
    look,
  )

test('a web that is not built says so', async () => {
  await withLanding(server.db, false, async (web) => {
    const page = await web.get('/')
    expect([page.status, page.headers.get('cache-control')]).toEqual([503, 'no-store'])
  })
})

test('both addresses answer the same page, whole, under the policy, and again only when it changed', async () => {
  build('landing.html', built)
  await withLanding(server.db, false, async (web) => {
    const [home, landing] = [await web.get('/'), await web.get('/landing/?utm_source=x')]
    expect(home.text).toBe(landing.text)
    expect(home.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(home.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'")
    expect(home.headers.get('cache-control')).toBe('no-cache')
    const headers = { 'if-none-match': home.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    expect((await web.get('/', { headers })).status).toBe(304)
    build('landing.html', `${built}<p>Más</p>`)
    expect((await web.get('/', { headers })).status).toBe(200)
    expect((await web.request('HEAD', '/landing')).status).toBe(200)
  })
})

test('the demo leads to the sign-in while there is an account to try, else to the vision', async () => {
  build('landing.html', built)
  await withLanding(server.db, true, async (web) => {
    expect((await web.get('/')).text).toContain('href="#vision"')
    await makeUser(server.db, { role: 'admin' }, { email: demoEmails[0] })
    expect((await web.get('/')).text).toContain('href="/login"')
  })
  await withLanding(server.db, false, async (web) => {
    expect((await web.get('/')).text).toContain('href="#vision"')
  })
})

test('the page is there while the database is away', async () => {
  build('landing.html', built)
  const away = await startServer()
  await away.stop()
  await withLanding(away.db, true, async (web) => {
    const page = await web.get('/')
    expect([page.status, page.text.includes('href="#vision"')]).toEqual([200, true])
  })
})

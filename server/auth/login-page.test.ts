import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '#db/factories.ts'
import { makeRoot, withPages } from '../http/built-page.testing.ts'
import { startServer, type TestServer } from '../testing.ts'
import { demoEmails } from './demo-accounts.ts'
import { completeLogin, loginPage } from './login-page.ts'

const { root, build } = makeRoot()
const built =
  '<h1>Iniciar sesión</h1><section aria-labelledby="demo">\n<button disabled>Administrador</button></section><!-- the accounts -->'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const origins = { dashboardOrigins: ['https://tableros.example'], apiOrigins: ['https://api.example'] }
const read = (demo: boolean) =>
  withPages(
    (app) => loginPage(app, server.db, { demo, ...origins }, root),
    (web) => web.get('/login'),
  )

test('a web that is not built says so', async () => {
  expect((await read(false)).status).toBe(503)
})

test('the sign-in comes drawn, under the policy, with the accounts that its script would ask for', async () => {
  build('login.html', built)
  await makeUser(server.db, { role: 'admin' }, { email: demoEmails[0] })
  const page = await read(true)
  expect(page.text).toContain('<h1>Iniciar sesión</h1>')
  expect(page.text).toContain(
    '<script type="application/json" id="demo-accounts">[{"role":"admin","email":"admin@demo.afluente.mx","password":"Afluente2026"}]</script>',
  )
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("connect-src 'self' https://api.example; frame-src 'self' https://tableros.example;")
})

test('a server without a demonstration offers none', async () => {
  build('login.html', built)
  expect((await read(false)).text).toBe(
    '<h1>Iniciar sesión</h1><script type="application/json" id="demo-accounts">[]</script>',
  )
})

test('what is written into the page cannot end its script', () => {
  const accounts = [{ role: 'admin' as const, email: '</script><b>$&', password: 'x' }]
  expect(completeLogin('<!-- the accounts -->', accounts)).toContain('"email":"\\u003c/script>\\u003cb>$&"')
})

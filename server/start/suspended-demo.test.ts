import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { end } from '#db/processes.testing.ts'
import { makeAccount } from '../auth/testing.ts'
import { startProcess, untilStarted } from '../clicks/server-process.testing.ts'
import { makeIssuer, startServer, TEST_SECRET, type TestClient, type TestServer } from '../testing.ts'
import { toPhc } from '../users/passwords.ts'

const KNOWN = 'Afluente2026'
let server: TestServer
let dataDir: string
beforeAll(async () => {
  server = await startServer()
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const signIn = (client: TestClient, email: string, password: string) =>
  client.post('/api/v1/auth/login/', { email, password })

test('a start without the demonstration suspends who still holds its password, and makes an administrator', async () => {
  const { id: issuer_id } = await makeIssuer(server.db)
  const [known, another] = [await toPhc(KNOWN), await toPhc('otra clave larga')]
  const account = (email: string, password_hash: string, role = 'issuer') =>
    makeAccount(server, { email, password_hash, role, issuer_id: role === 'issuer' ? issuer_id : null })
  await account('admin@demo.afluente.mx', known, 'admin')
  await account('emisor@demo.afluente.mx', another)
  await account('julian.arce@altaluz.example', known)
  await account('ana@red.mx', known)
  const session = (await signIn(server.anonymous, 'admin@demo.afluente.mx', KNOWN)).json().data
  const headers = { authorization: `Bearer ${session.access}` }
  expect((await server.anonymous.get('/api/v1/auth/profile/', { headers })).status).toBe(200)

  const started = await startProcess({
    ...{ DATA_DIR: dataDir, DATABASE_URL: server.databaseUrl, SECRET: TEST_SECRET, LOG_LEVEL: 'warn' },
  })
  try {
    await untilStarted(started)
    await vi.waitFor(() => expect(started.said()).toContain('Contraseña de un solo uso'), 60_000)
    const said = started.said()
    expect(said).toContain(
      'Cuentas de la demostración suspendidas, porque su contraseña es pública: admin@demo.afluente.mx, julian.arce@altaluz.example',
    )
    expect(said).toMatch(/"level":40.*"suspended":2.*demonstration accounts suspended/)
    const { client } = started
    const statuses = async (...people: [email: string, password: string][]) =>
      Promise.all(people.map(async ([email, password]) => (await signIn(client, email, password)).status))
    expect(await statuses(['admin@demo.afluente.mx', KNOWN], ['julian.arce@altaluz.example', KNOWN])).toEqual([
      401, 401,
    ])
    expect(await statuses(['emisor@demo.afluente.mx', 'otra clave larga'], ['ana@red.mx', KNOWN])).toEqual([200, 200])
    expect((await client.get('/api/v1/auth/profile/', { headers })).status).toBe(401)
    expect((await client.post('/api/v1/token/refresh/', { refresh: session.refresh })).status).toBe(401)
    const [, password = ''] = /cámbiela al entrar\): (\S+)/.exec(said) ?? []
    expect(await statuses(['admin@afluente.mx', password])).toEqual([200])
  } finally {
    await end(started.child)
  }
  const trail = server.db.selectFrom('audit_entry').select(['actor_name', 'changes']).where('action', '=', 'update')
  const suspended = { actor_name: 'Afluente', changes: { user_status: ['active', 'suspended'] } }
  expect(await trail.where('entity', '=', 'user').execute()).toEqual([suspended, suspended])
})

import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { beginHistory } from '#db/history.ts'
import { end, freePort } from '#db/processes.testing.ts'
import { makeAccount } from '../auth/testing.ts'
import { PATIENCE, type ServerProcess, startProcess, untilStarted } from '../clicks/server-process.testing.ts'
import { readHeld } from '../spool/held.ts'
import { notedHistory } from '../spool/history.ts'
import { whileLocked } from '../spool/locked.testing.ts'
import { makeRecord } from '../spool/records.testing.ts'
import { makeIssuer, makePair, startServer, TEST_SECRET, TestClient, type TestServer } from '../testing.ts'
import { toPhc } from '../users/passwords.ts'

// One start, on a database that has seen a demonstration and was restored since its server ran last: a start is dear.

const KNOWN = 'Afluente2026'
let server: TestServer
let dataDir: string
let started: ServerProcess
let metricsPort: number
/** Of somebody of the demonstration. */
let session: { access: string; refresh: string }
let link: string
/** The history that the folder knows, and a lead that has waited since then. */
const before = randomUUID()
let lead: ReturnType<typeof makeRecord>

const signIn = (client: TestClient, email: string, password: string) =>
  client.post('/api/v1/auth/login/', { email, password })

async function makePeople(): Promise<void> {
  const { id: issuer_id } = await makeIssuer(server.db)
  const [known, another] = [await toPhc(KNOWN), await toPhc('otra clave larga')]
  const account = (email: string, password_hash: string, role = 'issuer') =>
    makeAccount(server, { email, password_hash, role, issuer_id: role === 'issuer' ? issuer_id : null })
  await account('admin@demo.afluente.mx', known, 'admin')
  await account('emisor@demo.afluente.mx', another)
  await account('julian.arce@altaluz.example', known)
  await account('ana@red.mx', known)
}

async function makeSpool(): Promise<void> {
  const { ids } = await makePair(server.db)
  link = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}`
  lead = makeRecord(ids)
  mkdirSync(join(dataDir, 'spool'))
  symlinkSync(before, join(dataDir, 'spool/history'))
  writeFileSync(join(dataDir, 'spool/refused.jsonl'), `${JSON.stringify(lead)}\n`)
}

beforeAll(async () => {
  server = await startServer()
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  metricsPort = await freePort()
  await makePeople()
  await makeSpool()
  session = (await signIn(server.anonymous, 'admin@demo.afluente.mx', KNOWN)).json().data
  const own = { DATA_DIR: dataDir, DATABASE_URL: server.databaseUrl, SECRET: TEST_SECRET }
  started = await startProcess({ ...own, LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort) })
  await untilStarted(started)
}, 300_000)
afterAll(async () => {
  await end(started.child)
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a start without the demonstration suspends who still holds its password, and makes an administrator', async () => {
  await vi.waitFor(() => expect(started.said()).toContain('Contraseña de un solo uso'), PATIENCE)
  const said = started.said()
  expect(said).toContain(
    'Cuentas de la demostración suspendidas, porque su contraseña es pública: admin@demo.afluente.mx, julian.arce@altaluz.example',
  )
  expect(said).toMatch(/"level":40.*"suspended":2.*demonstration accounts suspended/)
  const people = server.db.selectFrom('user').select('email').where('user_status', '=', 'active').orderBy('email')
  expect((await people.execute()).map(({ email }) => email)).toEqual([
    'admin@afluente.mx',
    'ana@red.mx',
    'emisor@demo.afluente.mx',
  ])
  const { client } = started
  expect((await signIn(client, 'admin@demo.afluente.mx', KNOWN)).status).toBe(401)
  const headers = { authorization: `Bearer ${session.access}` }
  expect((await client.get('/api/v1/auth/profile/', { headers })).status).toBe(401)
  expect((await client.post('/api/v1/token/refresh/', { refresh: session.refresh })).status).toBe(401)
  const [, password = ''] = /cámbiela al entrar\): (\S+)/.exec(said) ?? []
  expect((await signIn(client, 'admin@afluente.mx', password)).status).toBe(200)
  const trail = server.db.selectFrom('audit_entry').select(['actor_name', 'changes']).where('action', '=', 'update')
  const suspended = { actor_name: 'Afluente', changes: { user_status: ['active', 'suspended'] } }
  expect(await trail.where('entity', '=', 'user').execute()).toEqual([suspended, suspended])
})

test('the page of metrics is at its own address alone', async () => {
  const prometheus = new TestClient(`http://127.0.0.1:${metricsPort}`)
  const page = await prometheus.get('/metrics')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(page.text).toContain('\nafluente_ready 1\n')
  expect(page.text).toContain('\nafluente_embedded_restarts 0\n')
  expect((await prometheus.get('/')).status).toBe(404)
  expect((await prometheus.post('/metrics', {})).status).toBe(404)
  const product = await started.client.get('/metrics', { headers: { accept: 'application/json' } })
  expect(product.text).not.toContain('afluente_')
})

test('a start on a restored database holds back what waits; one that is restored under it is not ready', async () => {
  const spool = join(dataDir, 'spool')
  expect(await readHeld(spool)).toMatchObject([{ history: before, leads: [{ tracking_id: lead.tracking_id }] }])
  expect(notedHistory(spool)).not.toBe(before)
  await vi.waitFor(() => expect(started.said()).toContain('they are from before a restore'), PATIENCE)
  expect(await server.db.selectFrom('lead').select('id').execute()).toEqual([])

  await beginHistory(server.databaseUrl)
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  await whileLocked(server.databaseUrl, async () => {
    expect((await started.client.get(link, { headers })).status).toBe(302)
  })
  const reasons = async () => (await started.client.get('/readyz')).json().reasons
  await expect.poll(reasons, PATIENCE).toContain('restored')
})

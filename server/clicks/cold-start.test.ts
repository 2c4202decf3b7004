import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { embeddedUrl } from '#db/embedded-url.ts'
import { holdFolder } from '#db/folder-lock.ts'
import { readHistory } from '#db/history.ts'
import { end } from '#db/processes.testing.ts'
import { isWhole } from '#db/testing.ts'
import { readConfig } from '../config.ts'
import { Readiness } from '../readiness.ts'
import { startProxy } from '../spool/database-proxy.testing.ts'
import { noteHistory } from '../spool/history.ts'
import { Spool } from '../spool/spool.ts'
import { prepareDatabase } from '../start/preparation.ts'
import { makePair, startServer, TEST_SECRET, type TestClient, type TestServer } from '../testing.ts'
import { serveClicks } from './clicks.testing.ts'
import { PATIENCE, type ServerProcess, startProcess, untilStarted } from './server-process.testing.ts'
import { readTargets } from './targets-file.ts'

let server: TestServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let dataDir: string
const running: ServerProcess[] = []
beforeAll(async () => {
  server = await startServer()
  proxy = await startProxy(server.databaseUrl)
})
afterAll(async () => {
  proxy.close()
  await server.stop()
})
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  chmodSync(dataDir, 0o711)
  proxy.pass()
})
afterEach(async () => {
  for (const each of running.splice(0)) await end(each.child)
  rmSync(dataDir, { recursive: true })
})

async function start(env: Record<string, string> = { DATABASE_URL: proxy.url, SECRET: TEST_SECRET, DEMO: '0' }) {
  const started = await startProcess({ DATA_DIR: dataDir, ...env })
  running.push(started)
  return started
}

type Ids = Awaited<ReturnType<typeof makePair>>['ids']

async function open(client: TestClient, { relationship_id, product_id }: Ids, name: string) {
  const link = `/api/v1/leads/redirect/${relationship_id}/?product_id=${product_id}&external_id=${name}`
  const answer = await client.get(link, { headers: { accept: 'application/json' } })
  const location = answer.headers.get('location')
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    trackingId: location ? new URL(location).searchParams.get('ref') : null,
  }
}

const copiedProducts = async () => {
  const targets = await readTargets(join(dataDir, 'spool/targets.jsonl'))
  return targets.map(({ product_id }) => product_id)
}
const untilCopied = (...products: number[]) =>
  vi.waitFor(async () => expect((await copiedProducts()).sort()).toEqual(products.sort()), PATIENCE)
const storedOf = async ({ product_id }: Ids) => {
  const query = server.db.selectFrom('lead').select('tracking_id').where('product_id', '=', product_id)
  return (await query.execute()).map(({ tracking_id }) => tracking_id).sort()
}

/** As `open`, on a machine that may be slow at first. */
async function openSoon(client: TestClient, ids: Ids, name: string) {
  let opened = await open(client, ids, name)
  await vi.waitFor(async () => {
    if (opened.status !== 302) opened = await open(client, ids, name)
    expect(opened.status).toBe(302)
  }, PATIENCE)
  return opened
}

/** The folder of a server that has served this link, and was stopped; returns the id of its lead. */
async function serveBefore(ids: Ids): Promise<string | null> {
  const clicks = await serveClicks(server.databaseUrl, await Spool.open(dataDir, 4, () => undefined))
  await noteHistory(join(dataDir, 'spool'), await readHistory(server.databaseUrl))
  const { trackingId } = await openSoon(clicks.client, ids, 'antes')
  await untilCopied(ids.product_id)
  await clicks.close()
  return trackingId
}

const openMany = ({ client }: ServerProcess, ids: Ids, name: string) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => open(client, ids, `${name}-${index}`)))

/** How the database is away, and how the server ends while it waits for it. */
const ENDS = [
  ['refuse', 'SIGTERM'],
  ['swallow', 'SIGKILL'],
] as const

test.for(isWhole ? ENDS : ENDS.slice(0, 1))(
  'a start without the database (%s) serves the links it knew, again after a %s, and stores each click once when it is back',
  { timeout: 300_000 },
  async ([fault, signal]) => {
    const [known, other] = [await makePair(server.db), await makePair(server.db)]
    const before = await serveBefore(known.ids)

    proxy[fault]()
    const first = await start()
    const during = await openMany(first, known.ids, 'durante')
    if (fault === 'refuse') await vi.waitFor(() => expect(first.said()).toContain('Se sigue intentando'), PATIENCE)
    await end(first.child, signal)
    // A stop while it waits is a clean one.
    expect(first.child.exitCode).toBe(signal === 'SIGTERM' ? 0 : null)

    const next = await start()
    during.push(...(await openMany(next, known.ids, 'después')))
    expect([...new Set(during.map(({ status }) => status))]).toEqual([302])
    // Whether it exists is unknown without a database.
    expect(await open(next.client, other.ids, 'otro')).toMatchObject({ status: 503, retryAfter: '5' })
    expect(await open(next.client, { ...known.ids, product_id: 999_999 }, 'nada')).toMatchObject({ status: 503 })
    const head = await next.client.request('HEAD', `/api/v1/leads/redirect/${known.ids.relationship_id}/`)
    expect(head.status).toBe(400)
    if (fault === 'refuse') await expectClosed(next.client)

    proxy.pass()
    await untilStarted(next)
    const acknowledged = [before, ...during.map(({ trackingId }) => trackingId)].sort()
    await vi.waitFor(async () => expect(await storedOf(known.ids)).toEqual(acknowledged), PATIENCE)
    await openSoon(next.client, other.ids, 'luego')
    const nothing = async () => (await open(next.client, { ...known.ids, product_id: 999_999 }, 'nada')).status
    await expect.poll(nothing, PATIENCE).toBe(404)
    expect((await next.client.get('/api/v1/products/')).status).toBe(401)
  },
)

/** Everything that needs the database is refused in a form that the caller can read. */
async function expectClosed(client: TestClient): Promise<void> {
  expect((await client.get('/healthz')).status).toBe(200)
  const ready = await client.get('/readyz')
  expect([ready.status, ready.json().reasons]).toEqual([503, ['starting', 'database']])
  for (const path of ['/api/v1/products/', '/api/v1/nothing/', '/api/v1/events/postback/', '/']) {
    const answer = await client.get(path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
    expect(answer.json()).toMatchObject({ success: false, data: null, meta: { code: 'UNAVAILABLE', retryable: true } })
  }
  const login = await client.post('/api/v1/auth/login/', { email: 'a@b.mx', password: 'x' })
  expect(login.json().meta.code).toBe('UNAVAILABLE')
  const page = await client.get('/productos', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
  expect(page.text).toContain('Inténtalo de nuevo en unos segundos')
}

test('the copy follows what changes, also for links that nobody opens', async () => {
  const [kept, archived] = [await makePair(server.db), await makePair(server.db)]
  const clicks = await serveClicks(server.databaseUrl, await Spool.open(dataDir, 4, () => undefined))
  for (const { ids } of [kept, archived]) await openSoon(clicks.client, ids, 'uno')
  await untilCopied(kept.ids.product_id, archived.ids.product_id)
  const address = 'https://nueva.ejemplo.mx/?ref={tracking_id}'
  await server.db.updateTable('product').set({ redirect_url: address }).where('id', '=', kept.product.id).execute()
  const now = sql<string>`now()`
  await server.db.updateTable('product').set({ archived_at: now }).where('id', '=', archived.product.id).execute()
  await untilCopied(kept.ids.product_id)
  await clicks.close()
  proxy.refuse()
  const next = await serveClicks(proxy.url, await Spool.open(dataDir, 4, () => undefined), {}, new Readiness())
  expect((await readFile(join(dataDir, 'spool/targets.jsonl'), 'utf8')).includes(address)).toBe(true)
  expect((await open(next.client, kept.ids, 'tres')).status).toBe(302)
  // It is archived, but only the database may say so.
  expect((await open(next.client, archived.ids, 'cuatro')).status).toBe(503)
  await next.close()
})

const connectToEmbedded = (): Db => connect(embeddedUrl(dataDir), { max: 1, onError: () => undefined })

/** As whom the server's connections came. */
const usersOf = (db: Db) =>
  sql<{ name: string }>`select distinct usename as name from pg_stat_activity
    where application_name like 'afluente%' and pid <> pg_backend_pid()`.execute(db)

if (isWhole)
  test('with its own PostgreSQL a killed server serves clicks again before that has started, and makes its role again', {
    timeout: 300_000,
  }, async () => {
    const first = await start({ DEMO: '0' })
    await untilStarted(first)
    const db = connectToEmbedded()
    const { ids } = await makePair(db)
    const before = await openSoon(first.client, ids, 'antes')
    await untilCopied(ids.product_id)
    expect((await usersOf(db)).rows).toEqual([{ name: 'afluente_server' }])
    await sql`drop role afluente_server`.execute(db)
    await db.destroy()
    await end(first.child, 'SIGKILL')
    const next = await start({ DEMO: '0' })
    const soon = await open(next.client, ids, 'enseguida')
    expect([before.status, soon.status]).toEqual([302, 302])
    await untilStarted(next)
    const again = connectToEmbedded()
    const stored = async () => {
      const leads = await again.selectFrom('lead').select('tracking_id').orderBy('id').execute()
      return leads.map(({ tracking_id }) => tracking_id)
    }
    await vi.waitFor(async () => expect(await stored()).toEqual([before.trackingId, soon.trackingId]), PATIENCE)
    expect((await usersOf(again)).rows).toEqual([{ name: 'afluente_server' }])
    await again.destroy()
  })

const run = promisify(execFile)

test('what only a person can mend ends the start', async () => {
  const ownerUrl = Object.assign(new URL(server.databaseUrl), { password: 'otra' }).href
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: ownerUrl, SECRET: TEST_SECRET })
  const { signal } = new AbortController()
  const [startDatabase, nothing] = [async () => undefined, () => undefined]
  const urls = { ownerUrl, databaseUrl: ownerUrl }
  const needs = { db: server.appDb, ...urls, config, startDatabase, say: nothing, expectWanted: nothing, signal }
  await expect(prepareDatabase(needs)).rejects.toThrow('el usuario o la contraseña no son correctos')
  const release = holdFolder(dataDir, 'server.lock')
  const refused = run(process.execPath, ['server/main.ts'], { env: { DATA_DIR: dataDir, PATH: '/usr/bin:/bin' } })
  await expect(refused).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('ya está en uso') })
  release()
})

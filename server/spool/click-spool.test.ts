import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { serveClicks } from '../clicks/clicks.testing.ts'
import { EVENTS, entriesOf, makeFunnel } from '../events/testing.ts'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { startProxy } from './database-proxy.testing.ts'
import { Drainer } from './drainer.ts'
import { readLeads } from './lead-lines.ts'
import { whileLocked } from './locked.testing.ts'
import { makeRecord } from './records.testing.ts'
import { Spool } from './spool.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

let pair: Awaited<ReturnType<typeof makePair>>
let proxy: Awaited<ReturnType<typeof startProxy>>
let client: TestClient
let spool: Spool
let stop: () => Promise<void>
beforeEach(async () => {
  pair = await makePair(server.db)
  proxy = await startProxy(server.databaseUrl)
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  spool = await Spool.open(dataDir, 4, () => undefined)
  const clicks = await serveClicks(proxy.url, spool)
  client = clicks.client
  stop = async () => {
    await clicks.close()
    proxy.close()
    rmSync(dataDir, { recursive: true })
  }
})
afterEach(() => stop())

const DRAINED = { timeout: 100_000, interval: 50 }

interface Opened {
  status: number
  trackingId: string
}

async function open(name: string, ids = pair.ids, from = client): Promise<Opened> {
  const path = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}&external_id=${name}`
  const answer = await from.get(path)
  const location = answer.headers.get('location')
  const trackingId = location ? (new URL(location).searchParams.get('ref') ?? '') : ''
  return { status: answer.status, trackingId }
}
const openMany = (prefix: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => open(`${prefix}-${index}`)))
const statusesOf = (opened: Opened[]) => [...new Set(opened.map(({ status }) => status))]
const leadsOf = ({ ids }: { ids: { product_id: number } }) =>
  server.db.selectFrom('lead').selectAll().where('product_id', '=', ids.product_id).orderBy('id').execute()
const expectStored = (opened: Opened[]) =>
  vi.waitFor(async () => {
    const stored = (await leadsOf(pair)).map((lead) => lead.tracking_id).sort()
    expect(stored).toEqual(opened.map(({ trackingId }) => trackingId).sort())
  }, DRAINED)

test.for(['refuse', 'swallow'] as const)(
  'clicks go on while the database is away (%s) and are stored once when it is back',
  async (fault) => {
    const began = Date.now()
    const before = await openMany('antes', 5)
    proxy[fault]()
    const first = await openMany('durante', 20)
    const later = await openMany('luego', 20)
    const answered = Date.now()
    const opened = [...before, ...first, ...later]
    expect(statusesOf(opened)).toEqual([302])
    expect(opened.filter(({ trackingId }) => spool.has(trackingId)).length).toBeGreaterThanOrEqual(39)
    proxy.pass()
    await expectStored(opened)
    const stored = await leadsOf(pair)
    const spooled = stored.filter(({ lead_data }) => JSON.stringify(lead_data).includes('"spooled"'))
    expect(spooled.length).toBeGreaterThanOrEqual(20)
    // The moment of the click, not that of the storing.
    const moments = spooled.map(({ created_at }) => Date.parse(created_at))
    expect(moments.filter((moment) => moment < began || moment > answered)).toEqual([])
    await vi.waitFor(() => expect(opened.some(({ trackingId }) => spool.has(trackingId))).toBe(false), DRAINED)
    // The database is in use again.
    await vi.waitFor(async () => {
      const after = await open(`después ${performance.now()}`)
      expect([after.status, spool.has(after.trackingId)]).toEqual([302, false])
    }, DRAINED)
  },
)

// The short form of `npm run faults -- R6`, which measures how soon.
test('while leads cannot be written clicks are answered all the same, and each is stored once', async () => {
  const opened = await openMany('antes', 5)
  await whileLocked(server.databaseUrl, async () => {
    for (const name of ['pronto', 'luego']) opened.push(...(await openMany(name, 10)))
  })
  expect(statusesOf(opened)).toEqual([302])
  await expectStored(opened)
})

test('without a database a link that was followed before redirects, another is a 503', async () => {
  const other = await makePair(server.db)
  await open('conocido')
  proxy.refuse()
  expect(await open('otra vez')).toMatchObject({ status: 302 })
  expect(await open('desconocido', other.ids)).toMatchObject({ status: 503 })
})

test('a lead that the database refuses is put aside and does not hold up the others', async () => {
  const lead = (await open('modelo')).trackingId
  const names = ['vecino 1', 'malo \u0000', 'vecino 2']
  const leads = names.map((external_id) => makeRecord(pair.ids, { external_id }))
  await Promise.all(leads.map((each) => spool.append(each)))
  await vi.waitFor(() => expect(spool.depth.records).toBe(0), DRAINED)
  // The one is still acknowledged.
  expect(leads.map(({ tracking_id }) => spool.has(tracking_id))).toEqual([false, true, false])
  expect((await leadsOf(pair)).map(({ external_id }) => external_id)).toEqual(['modelo', 'vecino 1', 'vecino 2'])
  const kept = readFileSync(join(spool.folder, 'refused.jsonl'), 'utf8').trim()
  expect(JSON.parse(kept)).toMatchObject({ external_id: 'malo \u0000', tracking_id: leads[1]?.tracking_id })
  expect(kept).not.toContain(lead)
})

test('refused leads without a neighbour are not tried on and on, but as soon as another comes', async () => {
  const [bad, worse, good] = ['malo \u0000', 'peor \u0000', 'vecino'].map((external_id) =>
    makeRecord(pair.ids, { external_id }),
  )
  if (!(bad && worse && good)) throw new Error('three')
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const lonely = await Spool.open(dataDir, 1, () => undefined)
  await lonely.append(bad)
  const attempts = vi.spyOn(lonely, 'next')
  const parts = { spool: lonely, databaseUrl: server.databaseUrl, onStored: () => undefined, report: () => undefined }
  const drainer = new Drainer({ ...parts, restMs: 3_600_000 })
  lonely.onRecord = () => drainer.wake()
  drainer.wake()
  await vi.waitFor(() => expect(attempts).toHaveBeenCalledTimes(1), DRAINED)
  await wait(600) // more than twice its pause
  expect(attempts).toHaveBeenCalledTimes(1)
  await lonely.append(worse)
  await vi.waitFor(() => expect(attempts).toHaveBeenCalledTimes(2), DRAINED)
  expect([bad, worse].map(({ tracking_id }) => lonely.has(tracking_id))).toEqual([true, true])
  await lonely.append(good)
  await vi.waitFor(() => expect([lonely.refused, lonely.depth.records]).toEqual([2, 0]), DRAINED)
  expect((await leadsOf(pair)).map(({ tracking_id }) => tracking_id)).toEqual([good.tracking_id])
  await drainer.close()
  await lonely.close()
  rmSync(dataDir, { recursive: true })
})

test('a server leaves though refused leads rest in its spool', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const lonely = await Spool.open(dataDir, 1, () => undefined)
  await lonely.append(makeRecord(pair.ids, { external_id: 'malo \u0000' }))
  const report = vi.fn()
  const parts = { spool: lonely, databaseUrl: server.databaseUrl, onStored: () => undefined, report }
  const drainer = new Drainer({ ...parts, restMs: 3_600_000 })
  drainer.wake()
  // Between this report and the rest it pauses: a rest that began after closing would hold it for an hour.
  await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(1), DRAINED)
  await drainer.close()
  await lonely.close()
  rmSync(dataDir, { recursive: true })
})

test('what was set aside is tried again after a start, and only what is still refused stays', async () => {
  const [good, bad] = ['curado', 'malo \u0000'].map((external_id) => makeRecord(pair.ids, { external_id }))
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const file = join(dataDir, 'spool', 'refused.jsonl')
  mkdirSync(join(dataDir, 'spool'))
  writeFileSync(file, `${JSON.stringify(good)}\n${JSON.stringify(bad)}\n{"torn`)
  const again = await Spool.open(dataDir, 1, () => undefined)
  const clicks = await serveClicks(server.databaseUrl, again)
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(bad)}\n`), DRAINED)
  expect(again.refused).toBe(1)
  expect((await leadsOf(pair)).map(({ tracking_id }) => tracking_id)).toEqual([good?.tracking_id])
  await clicks.close()
  rmSync(dataDir, { recursive: true })
})

test('a lead that is set aside after a write that was interrupted is on a line of its own', async () => {
  const [good, bad] = ['vecino', 'malo \u0000'].map((external_id) => makeRecord(pair.ids, { external_id }))
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const file = join(dataDir, 'spool', 'refused.jsonl')
  mkdirSync(join(dataDir, 'spool'))
  writeFileSync(file, '{"torn')
  const again = await Spool.open(dataDir, 1, () => undefined)
  await Promise.all([good, bad].map((lead) => lead && again.append(lead)))
  const clicks = await serveClicks(server.databaseUrl, again)
  await vi.waitFor(() => expect(again.refused).toBe(1), DRAINED)
  await clicks.close()
  const ids = (await readLeads(file)).map(({ tracking_id }) => tracking_id)
  expect(ids).toEqual([bad?.tracking_id])
  rmSync(dataDir, { recursive: true })
})

const statusesIn = (batch: Awaited<ReturnType<TestClient['post']>>): number[] =>
  batch.json().data.results.map(({ status }: { status: number }) => status)

test('an event about a lead that still waits is a 503 until it is stored, never a 404', async () => {
  const funnel = await makeFunnel(server)
  let patienceMs = 100
  const { drainedWithin } = Spool.prototype
  const waits = vi.spyOn(Spool.prototype, 'drainedWithin').mockImplementation(function (this: Spool, id) {
    return drainedWithin.call(this, id, patienceMs)
  })
  onTestFinished(() => waits.mockRestore())
  await open('calienta', funnel.ids, server.anonymous)
  let soon: Promise<{ status: number }> | undefined
  let together: Promise<number[]> | undefined
  let trackingId = ''
  await whileLocked(server.databaseUrl, async () => {
    trackingId = (await open('espera', funnel.ids, server.anonymous)).trackingId
    const event = { tracking_id: trackingId, event_type: 'aprobado', event_id: 'temprano' }
    const early = await funnel.client.post(EVENTS, event)
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await funnel.client.get(`${EVENTS}?tracking_id=${trackingId}`)).status).toBe(503)
    const stored = { ...event, tracking_id: funnel.lead.tracking_id, event_id: 'a tiempo' }
    const later = { ...event, event_type: 'entregado', event_id: 'después' }
    const send = (...events: unknown[]) => funnel.client.post(`${EVENTS}batch/`, { events })
    waits.mockClear()
    const batch = await send(event, later, stored, event, later)
    expect(statusesIn(batch)).toEqual([503, 503, 201, 503, 503])
    // They waited for the lead together.
    expect(waits).toHaveBeenCalledOnce()
    patienceMs = 60_000
    const token = new URLSearchParams({
      token: funnel.token,
      tracking_id: trackingId,
      event: 'aprobado',
      event_id: 'temprano',
    })
    soon = server.anonymous.get(`/api/v1/events/postback/?${token}`)
    together = send(later, later).then(statusesIn)
  })
  // They waited for the lead, which was stored meanwhile.
  expect((await soon)?.status).toBe(200)
  expect(await together).toEqual([201, 200])
  const lookedUp = await funnel.client.get(`${EVENTS}?tracking_id=${trackingId}`)
  expect(lookedUp.json().data.results).toHaveLength(2)
  const lead = (await leadsOf(funnel)).find(({ tracking_id }) => tracking_id === trackingId)
  expect(await entriesOf(server, lead?.id ?? 0)).toHaveLength(2)
  const stranger = { tracking_id: crypto.randomUUID(), event_type: 'aprobado' }
  expect((await funnel.client.post(EVENTS, stranger)).status).toBe(404)
})

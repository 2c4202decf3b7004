import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { beginHistory, readHistory } from '#db/history.ts'
import { endPool, openPool } from '#db/pool.ts'
import { type Clicks, openClicks } from '../clicks/clicks.ts'
import { writeTargets } from '../clicks/targets-file.ts'
import { AppError } from '../http/errors.ts'
import { newHttpServer } from '../http/server.ts'
import { Readiness } from '../readiness.ts'
import { asOwner, makePair, startServer, type TestServer } from '../testing.ts'
import { admitHeld } from './admit.ts'
import { countHeld, readHeld } from './held.ts'
import { notedHistory, noteHistory, takeOver } from './history.ts'
import type { LeadRecord } from './lead-rows.ts'
import { makeRecord } from './records.testing.ts'
import { Spool } from './spool.ts'
import { mindingSpool, type SpoolIndex } from './spooled-leads.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

let dataDir: string
let folder: string
let ids: Awaited<ReturnType<typeof makePair>>['ids']
let close: () => Promise<unknown>
beforeEach(async () => {
  ids = (await makePair(server.db)).ids
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  folder = join(dataDir, 'spool')
  close = async () => undefined
})
afterEach(async () => {
  await close()
  rmSync(dataDir, { recursive: true })
})

interface Started {
  spool: Spool
  clicks: Clicks
  /** As after a start has prepared the database. */
  ready: () => Promise<void>
  reported: string[]
}

/** The part of a server that takes clicks, before it knows its database. */
async function start(): Promise<Started> {
  const reported: string[] = []
  const report = (error: unknown, what: string) => reported.push(`${what}: ${error}`)
  const spool = await Spool.open(dataDir, 1, report)
  const [pool, readiness] = [openPool(server.databaseUrl), new Readiness()]
  const parts = { server: newHttpServer(), pool, databaseUrl: server.databaseUrl, readiness, spool, report }
  const clicks = await openClicks(parts)
  close = async () => {
    close = async () => undefined
    await clicks.close()
    await endPool(pool)
  }
  const ready = async () => {
    await clicks.join(await readHistory(server.databaseUrl))
    readiness.declareReady()
  }
  return { spool, clicks, ready, reported }
}

const restored = () => beginHistory(server.databaseUrl)
const storedOf = async (leads: LeadRecord[]) => {
  const stored = server.db.selectFrom('lead').select('tracking_id')
  const found = await stored
    .where(
      'tracking_id',
      'in',
      leads.map(({ tracking_id }) => tracking_id),
    )
    .execute()
  return found.length
}

/** Leads that were acknowledged while the database was away, in a spool that has known it before. */
async function spoolLeads(count: number): Promise<LeadRecord[]> {
  const spool = await Spool.open(dataDir, 1, () => undefined)
  await noteHistory(folder, await readHistory(server.databaseUrl))
  const leads = Array.from({ length: count }, () => makeRecord(ids))
  await Promise.all(leads.map((lead) => spool.append(lead)))
  await spool.close()
  return leads
}

test('leads of a spool enter the database that it has known', async () => {
  const leads = await spoolLeads(3)
  const { ready } = await start()
  await ready()
  await vi.waitFor(async () => expect(await storedOf(leads)).toBe(3), 60_000)
  expect(await countHeld(folder)).toBe(0)
})

test('a folder from before histories were noted is that of the database it finds', async () => {
  const leads = await spoolLeads(2)
  rmSync(join(folder, 'history'))
  const { ready } = await start()
  await ready()
  await vi.waitFor(async () => expect(await storedOf(leads)).toBe(2), 60_000)
  expect(notedHistory(folder)).toBe(await readHistory(server.databaseUrl))
})

test('after a restore, leads from before are neither stored nor lost, and the log and the metrics say so', async () => {
  const leads = await spoolLeads(3)
  const noted = notedHistory(folder)
  const refused = makeRecord(ids)
  appendFileSync(join(folder, 'refused.jsonl'), JSON.stringify(refused))
  await restored()
  const { ready, spool, reported, clicks } = await start()
  const meanwhile = makeRecord(ids)
  await clicks.parts.storeLead(meanwhile)
  await ready()
  const all = [...leads, meanwhile, refused]
  expect([await countHeld(folder), spool.depth.records, spool.lost]).toEqual([5, 0, 0])
  expect(reported).toEqual(['spool: they are from before a restore: Error: 5 leads are held back'])
  const [held, ...others] = await readHeld(folder)
  expect(others).toEqual([])
  expect(held?.history).toBe(noted)
  expect(held?.leads.map(({ tracking_id }) => tracking_id).sort()).toEqual(all.map((lead) => lead.tracking_id).sort())
  expect(statSync(held?.file ?? '').mode & 0o777).toBe(0o600)
  expect(existsSync(join(folder, 'refused.jsonl'))).toBe(false)
  // What comes from now on is of this history.
  const later = makeRecord(ids)
  await spool.append(later)
  await vi.waitFor(async () => expect(await storedOf([later])).toBe(1), 60_000)
  expect(await storedOf(all)).toBe(0)
  await close()
  expect((await start()).spool.depth.records).toBe(0)
})

test('after a restore, links that only the copy on disk knows lead nowhere', async () => {
  await spoolLeads(0)
  const { relationship_id, product_id, affiliate_id, issuer_id } = ids
  const target = { relationship_id, product_id, affiliate_id, issuer_id, redirect_url: 'https://a.mx/', live: true }
  await writeTargets(join(folder, 'targets.jsonl'), [target])
  const known = await start()
  expect(known.clicks.parts.targets.find(relationship_id, product_id)).toEqual(target)
  await known.clicks.join(await readHistory(server.databaseUrl))
  expect(known.clicks.parts.targets.find(relationship_id, product_id)).toEqual(target)
  await close()
  await restored()
  const { clicks } = await start()
  await clicks.join(await readHistory(server.databaseUrl))
  await expect(clicks.parts.targets.find(relationship_id, product_id)).rejects.toThrow()
  expect(existsSync(join(folder, 'targets.jsonl')) && readFileSync(join(folder, 'targets.jsonl'), 'utf8')).toBeFalsy()
})

test('leads are held once, however often that is interrupted', async () => {
  const leads = await spoolLeads(2)
  const noted = notedHistory(folder) ?? ''
  await restored()
  // As a server leaves it that is killed while it writes.
  const [first] = leads.map((lead) => JSON.stringify(lead))
  writeFileSync(join(folder, `held-${noted}.jsonl`), `${first}\n${first?.slice(0, 50)}`)
  const { ready } = await start()
  await ready()
  const held = (await readHeld(folder)).flatMap((each) => each.leads)
  expect(new Set(held.map(({ tracking_id }) => tracking_id))).toEqual(new Set(leads.map((lead) => lead.tracking_id)))
})

test('held leads are let in where all that they name is from before the histories parted', async () => {
  const leads = await spoolLeads(2)
  await restored()
  const { ids: later } = await makePair(server.db)
  const strange = makeRecord({ ...ids, relationship_id: later.relationship_id })
  const gone = makeRecord({ ...ids, product_id: 999_999_999 })
  appendFileSync(
    join(folder, `held-${notedHistory(folder)}.jsonl`),
    `${JSON.stringify(strange)}\n${JSON.stringify(gone)}\n`,
  )
  const { ready } = await start()
  await ready()
  expect(await admitHeld(server.databaseUrl, folder)).toEqual({ admitted: 2, left: 2 })
  expect([await storedOf(leads), await storedOf([strange, gone])]).toEqual([2, 0])
  expect(await admitHeld(server.databaseUrl, folder)).toEqual({ admitted: 0, left: 2 })
})

const unknown = async () => {
  throw new AppError(404, 'UNKNOWN_TRACKING_ID', 'No existe')
}
const answerFor = (spool: Spool, trackingId: string) => {
  const index: SpoolIndex = {
    has: (id) => spool.has(id),
    drainedWithin: (id, ms) => spool.drainedWithin(id, ms),
    mayBeElsewhere: () => false,
  }
  return mindingSpool(index, trackingId, unknown).catch(({ status }) => status)
}

test('an event of a lead that was set aside is to be sent again; once the lead is let in, it is none of them', async () => {
  const [held] = await spoolLeads(1)
  const refused = makeRecord(ids)
  await restored()
  const { ready, spool } = await start()
  await ready()
  expect(await answerFor(spool, held?.tracking_id ?? '')).toBe(503)
  expect(await answerFor(spool, refused.tracking_id)).toBe(404)
  expect(await countHeld(folder)).toBe(1)
  await admitHeld(server.databaseUrl, folder)
  expect(await countHeld(folder)).toBe(0)
  await close()
  expect(await answerFor((await start()).spool, held?.tracking_id ?? '')).toBe(404)
  await close()
  writeFileSync(join(folder, 'refused.jsonl'), JSON.stringify(refused))
  const { clicks, spool: next } = await start()
  await clicks.join(await readHistory(server.databaseUrl))
  expect(await answerFor(next, refused.tracking_id)).toBe(503)
})

test('what waits in the folder of before is taken over into the restored one, once', async () => {
  const leads = await spoolLeads(3)
  const refused = makeRecord(ids)
  writeFileSync(join(folder, 'refused.jsonl'), JSON.stringify(refused))
  const gone = makeRecord({ ...ids, product_id: 999_999_999 })
  writeFileSync(join(folder, `held-${randomUUID()}.jsonl`), JSON.stringify(gone))
  await restored()
  const own = join(mkdtempSync(join(tmpdir(), 'afluente-')), 'spool')
  const reported: string[] = []
  const report = (_: unknown, what: string) => reported.push(what)
  await takeOver(dataDir, own, report)
  expect(await admitHeld(server.databaseUrl, own)).toEqual({ admitted: 4, left: 1 })
  expect(await storedOf([...leads, refused])).toBe(4)
  await takeOver(dataDir, own, report)
  expect(await admitHeld(server.databaseUrl, own)).toEqual({ admitted: 0, left: 1 })
  expect(reported).toEqual([])
  expect((await start()).spool.depth.records).toBe(0)
  await expect(takeOver(dataDir, own, report)).rejects.toThrow('en uso por otro Afluente')
  await close()
  await expect(takeOver(join(own, '..'), own, report)).rejects.toThrow('es la carpeta de este servidor')
  expect(await countHeld(own)).toBe(1)
  rmSync(join(own, '..'), { recursive: true })
})

test('a file of refused leads that cannot be read does not keep the server from taking clicks', async () => {
  await spoolLeads(0)
  mkdirSync(join(folder, 'refused.jsonl'))
  const { ready, spool, reported } = await start()
  await ready()
  const lead = makeRecord(ids)
  await spool.append(lead)
  await vi.waitFor(async () => expect(await storedOf([lead])).toBe(1), 60_000)
  expect(reported.join()).toContain('EISDIR')
})

test('what waits for a database that is still the same is taken over whole', async () => {
  const leads = await spoolLeads(2)
  const own = join(mkdtempSync(join(tmpdir(), 'afluente-')), 'spool')
  await takeOver(dataDir, own, () => undefined)
  expect(await admitHeld(server.databaseUrl, own)).toEqual({ admitted: 2, left: 0 })
  expect(await storedOf(leads)).toBe(2)
  rmSync(join(own, '..'), { recursive: true })
})

test('of a database with other ancestors nothing is let in', async () => {
  const leads = await spoolLeads(1)
  await noteHistory(folder, randomUUID())
  const { ready } = await start()
  await ready()
  expect(await admitHeld(server.databaseUrl, folder)).toEqual({ admitted: 0, left: 1 })
  expect(await storedOf(leads)).toBe(0)
})

test('a server that was not stopped while its database was put back stores nothing from its spool', async () => {
  const { ready, spool, reported } = await start()
  await ready()
  await restored()
  const lead = makeRecord(ids)
  await spool.append(lead)
  await vi.waitFor(() => expect(spool.historyChanged).toBe(true), 60_000)
  expect([await storedOf([lead]), spool.depth.records]).toEqual([0, 1])
  expect(reported.join()).toContain('restored under a running server')
})

test('a dump that is loaded into another PostgreSQL begins a history; servers that start together begin one', async () => {
  const before = await readHistory(server.databaseUrl)
  expect(await readHistory(server.databaseUrl)).toBe(before)
  await asOwner(server.databaseUrl, async (owner) => {
    await sql`update history set system_identifier = '1'`.execute(owner)
  })
  const [one, other] = await Promise.all([readHistory(server.databaseUrl), readHistory(server.databaseUrl)])
  expect(one).toBe(other)
  expect(one).not.toBe(before)
})

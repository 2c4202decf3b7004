import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beforeFlush, loseWrites, wearOut } from './bad-disk.testing.ts'
import type { LeadRecord } from './lead-rows.ts'
import { makeRecord } from './records.testing.ts'
import { Spool } from './spool.ts'

let dataDir: string
let spool: Spool
let reports: string[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  reports = []
})
afterEach(async () => {
  await spool.close()
  rmSync(dataDir, { recursive: true })
})

const openSpool = async () => {
  spool = await Spool.open(dataDir, 1, (_error, what) => reports.push(what))
  return spool
}
/** A process that dies releases nothing: its lock is found stale, its file handles are gone. */
const reopen = async () => {
  await spool.close()
  return openSpool()
}
const file = (index: number) => join(dataDir, 'spool', `segment-${index}`)
const ids = { relationship_id: 1, affiliate_id: 2, issuer_id: 3, product_id: 4 }
const leadOf = (external_id: string) =>
  makeRecord(ids, { external_id, lead_data: { params: { sub1: 'ñandú \n 🦤' }, flags: ['automated'] } })
const leadsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => leadOf(`${prefix} ${index}`))
const appendAll = (leads: LeadRecord[]) => Promise.all(leads.map((lead) => spool.append(lead)))
const namesOf = (leads: LeadRecord[]) => leads.map(({ external_id }) => external_id)

/** The names of the leads with a byte in those sectors. */
function lostIn(segment: Buffer, leads: LeadRecord[], sectors: number[]): string[] {
  const isHit = ({ tracking_id }: LeadRecord) => {
    const at = segment.indexOf(tracking_id)
    if (at < 0) return false
    const [from, to] = [segment.lastIndexOf('\n', at) + 1, segment.indexOf('\n', at)]
    return sectors.some((sector) => from < (sector + 1) * 4096 && to >= sector * 4096)
  }
  return namesOf(leads.filter(isHit))
}

/** Everything that waits, in order; released on request. */
async function drain(limit = 500): Promise<LeadRecord[]> {
  const leads: LeadRecord[] = []
  for (let next = await spool.next(limit); next; next = await spool.next(limit)) {
    leads.push(...next.leads)
    await spool.release(next)
  }
  return leads
}

test('what was appended comes back in its order, flagged, and is known until it left', async () => {
  await openSpool()
  const leads = leadsOf('orden', 700)
  await appendAll(leads)
  expect(leads.every(({ tracking_id }) => spool.has(tracking_id))).toBe(true)
  const back = await drain(100)
  expect(namesOf(back)).toEqual(namesOf(leads))
  const [first] = leads
  expect(back[0]).toEqual({
    ...first,
    lead_data: { ...first?.lead_data, flags: ['automated', 'spooled'] },
  })
  expect(leads.some(({ tracking_id }) => spool.has(tracking_id))).toBe(false)
})

test('another process replays what the last one left, from where it stood', async () => {
  await openSpool()
  const leads = leadsOf('resto', 50)
  await appendAll(leads)
  const first = await spool.next(20)
  if (first) await spool.release(first)
  await reopen()
  expect(leads.map(({ tracking_id }) => spool.has(tracking_id))).toEqual(leads.map((_, index) => index >= 20))
  const more = leadsOf('más', 5)
  await appendAll(more)
  expect(namesOf(await drain())).toEqual([...namesOf(leads.slice(20)), ...namesOf(more)])
  await reopen()
  expect(await drain()).toEqual([])
})

const damages: [what: string, damage: (path: string, end: number) => void, lost: number[]][] = [
  ['torn in its last record', (path, end) => truncateSync(path, end - 30), [9]],
  [
    'torn by a write that left zeros',
    (path, end) => writeSync(openSync(path, 'r+'), Buffer.alloc(30), 0, 30, end - 30),
    [9],
  ],
  ['flipped by one bit in its last record', (path, end) => flip(path, end - 60), [9]],
  ['flipped by one bit in the middle', (path, end) => flip(path, Math.floor(end - (end - 4096) / 2) - 20), [4]],
]
function flip(path: string, at: number): void {
  const data = readFileSync(path)
  data.writeUInt8(data.readUInt8(at) ^ 1, at)
  writeFileSync(path, data)
}

test.each(damages)('a segment %s loses that record and nothing else', async (_what, damage, lost) => {
  await openSpool()
  const leads = leadsOf('daño', 10)
  await appendAll(leads)
  await spool.close()
  damage(file(0), readFileSync(file(0)).lastIndexOf('\n') + 1)
  await openSpool()
  await spool.append(leadOf('después'))
  const expected = [...namesOf(leads.filter((_, index) => !lost.includes(index))), 'después']
  expect(namesOf(await drain())).toEqual(expected)
})

test('a full spool refuses, says so, and takes again when it is drained; nothing of an earlier use comes back', async () => {
  await openSpool()
  await untilAllocated()
  const taken: LeadRecord[] = []
  for (let round = 0; round < 40; round += 1) {
    const leads = leadsOf(`lleno ${round}`, 100)
    const outcomes = await Promise.allSettled(leads.map((lead) => spool.append(lead)))
    taken.push(...leads.filter((_, index) => outcomes[index]?.status === 'fulfilled'))
    if (taken.length <= round * 100) break
  }
  expect(spool.fault).toBe('full')
  const fill = async (): Promise<never> => {
    for (;;) {
      const lead = leadOf(`uno más ${taken.length}`)
      await spool.append(lead)
      taken.push(lead)
    }
  }
  await expect(fill()).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect(taken.length).toBeGreaterThan(1000)
  expect(namesOf(await drain())).toEqual(namesOf(taken))
  expect(spool.fault).toBeUndefined()
  const again = leadsOf('de nuevo', 300)
  await appendAll(again)
  await reopen()
  expect(namesOf(await drain())).toEqual(namesOf(again))
})

test('a disk that refuses is a 503 and a reason; the next good segment is used', async () => {
  mkdirSync(join(dataDir, 'spool'))
  for (let index = 0; index < 4; index += 1) symlinkSync('/dev/full', file(index))
  await openSpool()
  const lead = leadOf('sin disco')
  await expect(spool.append(lead)).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect([spool.fault, spool.has(lead.tracking_id)]).toEqual(['disk', false])
  expect(reports).toContain('spool: no space taken')
  await spool.close()
  for (let index = 1; index < 4; index += 1) rmSync(file(index))
  writeFileSync(file(2), Buffer.alloc(262_144))
  await openSpool()
  await spool.append(leadOf('con disco'))
  expect(namesOf(await drain())).toEqual(['con disco'])
})

/** The segments after the first get their space in the background. */
const untilAllocated = () => vi.waitFor(() => expect(readFileSync(file(3))).toHaveLength(262_144), 60_000)

test('a click whose flush fails is written elsewhere, although another one is released meanwhile', async () => {
  await openSpool()
  await untilAllocated()
  await spool.append(leadOf('primero'))
  const first = await spool.next(1)
  if (!first) throw new Error('nothing to drain')
  await beforeFlush(file(0), () => spool.release(first))
  await loseWrites(file(0))
  await spool.append(leadOf('segundo'))
  expect(reports).toEqual([])
  // What the disk holds of the first segment is unknown, so it takes no more.
  await spool.append(leadOf('tercero'))
  expect(namesOf((await spool.next(500))?.leads ?? [])).toEqual(['segundo', 'tercero'])
  expect(readFileSync(file(1), 'utf8')).toContain('tercero')
  await reopen()
  // The second was in the memory of the kernel all the same: its insert is repeated, and changes nothing.
  expect([...new Set(namesOf(await drain()))]).toEqual(['segundo', 'tercero'])
})

test('a flush that fails while more space is taken is heard by the clicks, too', async () => {
  await openSpool()
  await spool.append(leadOf('antes'))
  await untilAllocated()
  await spool.close()
  await loseWrites(file(0))
  spool = await Spool.open(dataDir, 2, (_error, what) => reports.push(what))
  expect([reports, spool.fault]).toEqual([['spool: no space taken'], 'disk'])
  await spool.append(leadOf('después'))
  expect(readFileSync(file(1), 'utf8')).toContain('después')
  expect(namesOf(await drain())).toEqual(['antes', 'después'])
})

test('a sector that cannot be read costs its records, is counted, and holds up neither the start nor the others', async () => {
  await openSpool()
  await untilAllocated()
  const leads = leadsOf('gastado', 1200)
  await appendAll(leads)
  expect(readFileSync(file(1)).readUInt8(4096)).not.toBe(0)
  await wearOut(file(0), [3, 20])
  const lost = lostIn(readFileSync(file(0)), leads, [3, 20])
  expect(lost.length).toBeGreaterThan(10)
  const left = namesOf(leads).filter((name) => !lost.includes(name))

  const running = await spool.next(500)
  expect(namesOf(running?.leads ?? [])).toEqual(left.slice(0, running?.leads.length))
  await reopen()
  expect(spool.unreadable).toBe(2)
  expect(reports).toContain('spool: segment-0 cannot be read at byte 12288, its leads are lost')
  expect(namesOf(await drain(100))).toEqual(left)
  expect(spool.depth.records).toBe(0)
})

test('leads that cannot be read any more are not waited for', async () => {
  await openSpool()
  const leads = leadsOf('perdido', 40)
  await appendAll(leads)
  await wearOut(file(0), [2])
  const lost = lostIn(readFileSync(file(0)), leads, [2])
  expect(namesOf(await drain())).toEqual(namesOf(leads).filter((name) => !lost.includes(name)))
  expect(leads.some(({ tracking_id }) => spool.has(tracking_id))).toBe(false)
  expect(reports).toContain(`spool: ${lost.length} leads lost`)
  const next = leadOf('siguiente')
  await spool.append(next)
  expect(namesOf(await drain())).toEqual(['siguiente'])
})

test('without the first sector of a segment, where its number is, its records are found all the same', async () => {
  await openSpool()
  const leads = leadsOf('sin número', 20)
  await appendAll(leads)
  const first = await spool.next(5)
  if (first) await spool.release(first)
  await wearOut(file(0), [0])
  await reopen()
  // From its beginning, since how far it was drained is unknown, too.
  expect(namesOf(await drain())).toEqual(namesOf(leads))
  vi.restoreAllMocks()
  await reopen()
  expect(spool.unreadable).toBe(0)
})

test('two servers never share a folder', async () => {
  await openSpool()
  await expect(Spool.open(dataDir, 1, () => undefined)).rejects.toThrow('ya está en uso por otro Afluente')
})

test('a caller that waits for a record learns whether it was drained in time', async () => {
  await openSpool()
  const [lead, other] = [leadOf('espera'), leadOf('otra')]
  await spool.append(lead)
  const next = await spool.next(1)
  await spool.append(other)
  const [soon, never] = [spool.drainedWithin(lead.tracking_id, 60_000), spool.drainedWithin(other.tracking_id, 100)]
  if (next) await spool.release(next)
  expect(await Promise.all([soon, never])).toEqual([true, false])
  const refused = spool.drainedWithin(other.tracking_id, 60_000)
  const last = await spool.next(1)
  spool.setAside([other])
  if (last) await spool.release(last)
  expect(await refused).toBe(false)
})

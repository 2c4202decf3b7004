import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { beginHistory } from '#db/history.ts'
import { end } from '#db/processes.testing.ts'
import { startProcess, untilStarted } from '../clicks/server-process.testing.ts'
import { readHeld } from '../spool/held.ts'
import { notedHistory } from '../spool/history.ts'
import { whileLocked } from '../spool/locked.testing.ts'
import { makeRecord } from '../spool/records.testing.ts'
import { makePair, startServer, TEST_SECRET } from '../testing.ts'

test('a start on a restored database holds back what waits; one that is restored under it is not ready', async () => {
  const server = await startServer()
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const spool = join(dataDir, 'spool')
  const { ids } = await makePair(server.db)
  const lead = makeRecord(ids)
  const before = randomUUID()
  mkdirSync(spool)
  symlinkSync(before, join(spool, 'history'))
  writeFileSync(join(spool, 'refused.jsonl'), `${JSON.stringify(lead)}\n`)

  const { databaseUrl } = server
  const started = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET: TEST_SECRET,
    LOG_LEVEL: 'warn',
  })
  try {
    await untilStarted(started)
    expect(await readHeld(spool)).toMatchObject([{ history: before, leads: [{ tracking_id: lead.tracking_id }] }])
    expect(notedHistory(spool)).not.toBe(before)
    await vi.waitFor(() => expect(started.said()).toContain('they are from before a restore'), 60_000)
    expect(await server.db.selectFrom('lead').select('id').execute()).toEqual([])

    await beginHistory(databaseUrl)
    const link = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}`
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    await whileLocked(databaseUrl, async () => {
      expect((await started.client.get(link, { headers })).status).toBe(302)
    })
    const reasons = async () => (await started.client.get('/readyz')).json().reasons
    await expect.poll(reasons, { timeout: 60_000 }).toContain('restored')
  } finally {
    await end(started.child)
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

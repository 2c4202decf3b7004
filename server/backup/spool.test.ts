import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { connect } from '#db/connect.ts'
import { makePair } from '#db/factories.ts'
import { createTestDatabase } from '#db/testing.ts'
import { Drainer } from '../spool/drainer.ts'
import { makeRecord } from '../spool/records.testing.ts'
import { Spool } from '../spool/spool.ts'

/** In a process of its own: it reads files without giving way. */
const startBackup = (order: { url: string; dataDir: string; folder: string }) =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { makeBackup } from ${JSON.stringify(join(import.meta.dirname, 'make.ts'))}
     await makeBackup({ ...${JSON.stringify(order)}, embedded: false, say: () => undefined })`,
  ])

test('a click that is set aside while the spool is copied is in the backup', async () => {
  const database = await createTestDatabase()
  const db = connect(database.url, { max: 1 })
  const { ids } = await makePair(db)
  const dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const folder = join(dataDir, 'backup')
  const spool = await Spool.open(dataDir, 4, () => undefined)
  const [good, bad] = ['vecino', 'malo \u0000'].map((external_id) => makeRecord(ids, { external_id }))
  for (const record of [good, bad]) if (record) await spool.append(record)
  // Who reads it waits until somebody writes: the copy stands still behind what it has read before.
  const pause = join(dataDir, 'spool', 'held-pause.jsonl')
  execFileSync('mkfifo', [pause])
  const backup = startBackup({ url: database.url, dataDir, folder })
  const ended = once(backup, 'exit')
  const held = await open(pause, 'w')
  const of = { databaseUrl: database.url, onStored: () => undefined, report: () => undefined }
  const drainer = new Drainer({ spool, ...of })
  drainer.wake()
  await vi.waitFor(() => expect([spool.depth.records, spool.refused]).toEqual([0, 1]), { timeout: 60_000 })
  await drainer.close()
  await held.close()
  expect(await ended).toEqual([0, null])
  await spool.close()

  rmSync(join(folder, 'spool', 'held-pause.jsonl'))
  const restored = await Spool.open(folder, 4, () => undefined)
  expect(restored.has(bad?.tracking_id ?? '')).toBe(true)
  await restored.close()
  rmSync(dataDir, { recursive: true })
  await db.destroy()
  await database.drop()
})

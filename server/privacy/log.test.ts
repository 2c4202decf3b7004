import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import { startProcess, untilStarted } from '../clicks/server-process.testing.ts'
import { asOwner, TEST_SECRET } from '../testing.ts'

test("an unexpected refusal of the database is logged without the row's values", async () => {
  const database = await createTestDatabase()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'afluente-'))
  const env = { DATABASE_URL: database.url, SECRET: TEST_SECRET, DATA_DIR, LOG_LEVEL: 'error', ADMIN_EMAIL: '' }
  const server = await startProcess(env)
  try {
    await untilStarted(server)
    await asOwner(database.url, async (owner) => {
      await sql`alter table audit_entry add constraint refuses_all check (action <> 'login_failed')`.execute(owner)
    })
    const person = { email: 'ana@privado.mx', password: 'equivocada' }
    expect((await server.client.post('/api/v1/auth/login/', person)).status).toBe(500)
    await expect.poll(server.said).toContain('refuses_all')
    expect(server.said()).not.toMatch(/Failing row|ana@/)
  } finally {
    server.child.kill('SIGKILL')
    await database.drop()
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
})
